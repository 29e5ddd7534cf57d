/** The form as on the phone: the page being edited, or the whole questionnaire from the start. */
import { SegmentedControl } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type ElementPlace, elementAt, previewOfPage } from '../element-paths.ts';
import TryQuestionnaire from '../questionnaire-try.tsx';
import { useBuilderText } from './use-build.ts';

const VIEWS = ['page', 'all'] as const;

interface PreviewProps {
  definition: object;
  /** Place being edited; empty for the whole questionnaire. */
  place: ElementPlace;
}

export function QuestionnairePreview({ definition, place }: PreviewProps) {
  const { own } = useBuilderText();
  const [page = null, ...within] = place;
  const [view, setView] = useState<(typeof VIEWS)[number]>('page');
  const choice = useRef<HTMLDivElement>(null);
  const name = within.length > 0 ? elementAt(definition, place)?.name : undefined;
  useEffect(() => {
    if (view !== 'page' || typeof name !== 'string') return;
    const frame = requestAnimationFrame(() => bringIntoView(choice.current?.closest('section'), name));
    return () => cancelAnimationFrame(frame);
  }, [name, view]);
  const singlePage = useMemo(
    () => (page === null ? null : previewOfPage(definition, page)),
    [definition, page],
  );
  if (page === null || singlePage === null) return <TryQuestionnaire definition={definition} />;
  return (
    <>
      <SegmentedControl
        ref={choice}
        size="md"
        aria-label={own('preview.what')}
        value={view}
        onChange={(value) => setView(value === 'all' ? 'all' : 'page')}
        data={VIEWS.map((value) => ({ value, label: own(`preview.${value}`) }))}
      />
      <TryQuestionnaire
        key={view}
        definition={view === 'page' ? singlePage : definition}
        singlePage={view === 'page'}
      />
    </>
  );
}

/** Scrolls only the preview, not the page. */
function bringIntoView(section: Element | null | undefined, name: string): void {
  const form = section?.querySelector('.versions-preview');
  const question = form?.querySelector(`[data-name="${CSS.escape(name)}"]`);
  for (const container of question ? [form, section] : []) {
    const [here, there] = [question?.getBoundingClientRect(), container?.getBoundingClientRect()];
    if (container && here && there && (here.top < there.top || here.bottom > there.bottom))
      container.scrollTop += here.top - there.top - 8;
  }
}
