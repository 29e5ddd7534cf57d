/** Errors in the next version while it is edited. */
import { useEffect, useState } from 'react';
import type { FieldError } from '../../wire.ts';
import { type Beside, checkInBrowser } from './questionnaire-check.ts';
import { parseDefinition } from './questionnaire-json.ts';

const TYPING = 400;

export interface Judged {
  text: string;
  definition: object | null;
  faults: FieldError[];
}

export function judge(text: string, settings: Beside): Judged {
  const parsed = parseDefinition(text);
  if ('message' in parsed) return { text, definition: null, faults: [{ path: 'JSON', ...parsed }] };
  const faults = checkInBrowser(parsed.definition, settings);
  // What refers to nothing can be looked at all the same.
  const isReadable = !faults.some(
    ({ path, code }) => path.startsWith('definition') && code !== 'REFERENCE_UNKNOWN',
  );
  return { text, definition: isReadable ? parsed.definition : null, faults };
}

/** A pause in the typing first: the whole form is built anew. */
export function useJudged(text: string, { sizeQuestion, takesPartIf, clues }: Beside): Judged {
  const clueLines = clues.join('\n');
  const [judged, setJudged] = useState(() => judge(text, { sizeQuestion, takesPartIf, clues }));
  useEffect(() => {
    const settings = { sizeQuestion, takesPartIf, clues: clueLines === '' ? [] : clueLines.split('\n') };
    const timer = setTimeout(() => setJudged(judge(text, settings)), TYPING);
    return () => clearTimeout(timer);
  }, [text, sizeQuestion, takesPartIf, clueLines]);
  return judged;
}
