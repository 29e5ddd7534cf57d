/** The definition as JSON, with numbered lines and errors marked. */
import { Textarea } from '@mantine/core';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useDeskText } from '../kit/words/desk-text.ts';
import { lineOf } from './questionnaire-json.ts';
import type { PlacedFault } from './use-validation.ts';

interface JsonFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  faults: PlacedFault[];
  onText(text: string): void;
}

export function JsonField({ field, text, faults, onText }: JsonFieldProps) {
  const { t } = useDeskText();
  const gutter = useRef<HTMLDivElement>(null);
  const count = useMemo(() => text.split('\n').length, [text]);
  const marked = useMemo(
    () => new Set(faults.flatMap(({ at }) => (at === null ? [] : [lineOf(text, at)]))),
    [faults, text],
  );
  useEffect(() => {
    const area = field.current;
    const follow = () => {
      if (gutter.current && area) gutter.current.scrollTop = area.scrollTop;
    };
    area?.addEventListener('scroll', follow);
    return () => area?.removeEventListener('scroll', follow);
  }, [field]);
  // One text of all numbers and not an element a line: a questionnaire has thousands.
  const numbers = useMemo(
    () =>
      Array.from({ length: count }, (_, index) => `${marked.has(index + 1) ? '● ' : ''}${index + 1}`).join(
        '\n',
      ),
    [count, marked],
  );
  return (
    <div className="versions-lines" dir="ltr">
      <div ref={gutter} className="versions-gutter" aria-hidden="true">
        <pre>{numbers}</pre>
      </div>
      <Textarea
        ref={field}
        className="versions-json"
        aria-label={t('versions.json')}
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        wrap="off"
        onChange={(event) => onText(event.currentTarget.value)}
      />
    </div>
  );
}
