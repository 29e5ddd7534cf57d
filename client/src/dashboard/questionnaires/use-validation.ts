/** Errors in the next version while it is edited, each with its position in the text. */
import { useEffect, useState } from 'react';
import type { FieldError } from '../../wire.ts';
import { type Beside, checkInBrowser } from './questionnaire-check.ts';
import { parseDefinition, placeOf } from './questionnaire-json.ts';

const TYPING = 400;

export interface Judged {
  text: string;
  definition: object | null;
  faults: PlacedFault[];
}

export type PlacedFault = FieldError & { at: number | null };

export function judge(text: string, beside: Beside): Judged {
  const parsed = parseDefinition(text);
  if ('fault' in parsed) return { text, definition: null, faults: [{ path: 'JSON', ...parsed.fault }] };
  const errors = checkInBrowser(parsed.definition, beside);
  const faults = errors.map((error) => ({
    ...error,
    at: error.path.startsWith('definition') ? placeOf(text, error.path) : null,
  }));
  // What refers to nothing can be looked at all the same.
  const isReadable = !faults.some(({ at, code }) => at !== null && code !== 'REFERENCE_UNKNOWN');
  return { text, definition: isReadable ? parsed.definition : null, faults };
}

/** A pause in the typing first: the whole form is built anew. */
export function useJudged(text: string, { sizeQuestion, takesPartIf, clues }: Beside): Judged {
  const named = clues.join('\n');
  const [judged, setJudged] = useState(() => judge(text, { sizeQuestion, takesPartIf, clues }));
  useEffect(() => {
    const beside = { sizeQuestion, takesPartIf, clues: named === '' ? [] : named.split('\n') };
    const timer = setTimeout(() => setJudged(judge(text, beside)), TYPING);
    return () => clearTimeout(timer);
  }, [text, sizeQuestion, takesPartIf, named]);
  return judged;
}
