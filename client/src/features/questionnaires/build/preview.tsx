/** The form as on the phone: the page that is being built, or the whole of it from its start. */
import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import Try from '../questionnaire-try.tsx';
import { pageAlone } from './places.ts';
import { useBuildText } from './use-build.ts';

const VIEWS = ['page', 'all'] as const;

/** `page`: the one that is being built, if any. */
export function Preview({ definition, page }: { definition: object; page: number | null }) {
  const { own } = useBuildText();
  const [view, setView] = useState<(typeof VIEWS)[number]>('page');
  const alone = useMemo(() => (page === null ? null : pageAlone(definition, page)), [definition, page]);
  if (page === null || alone === null) return <Try definition={definition} />;
  return (
    <>
      <SegmentedControl
        size="md"
        aria-label={own('preview.what')}
        value={view}
        onChange={(value) => setView(value === 'all' ? 'all' : 'page')}
        data={VIEWS.map((value) => ({ value, label: own(`preview.${value}`) }))}
      />
      <Try key={view} definition={view === 'page' ? alone : definition} alone={view === 'page'} />
    </>
  );
}
