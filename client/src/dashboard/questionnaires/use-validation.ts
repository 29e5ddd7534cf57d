/** The draft's errors while it is being edited. */
import { useEffect, useState } from 'react';
import type { FieldError } from '../../wire.ts';
import { checkInBrowser, type FormSettings } from './questionnaire-check.ts';
import { parseDefinition } from './questionnaire-json.ts';

const TYPING_MS = 400;

export interface Validation {
  text: string;
  definition: object | null;
  faults: FieldError[];
}

export function validateDefinition(text: string, settings: FormSettings): Validation {
  const parsed = parseDefinition(text);
  if ('message' in parsed) return { text, definition: null, faults: [{ path: 'JSON', ...parsed }] };
  const faults = checkInBrowser(parsed.definition, settings);
  // A form with unknown references can still be previewed.
  const isReadable = !faults.some(
    ({ path, code }) => path.startsWith('definition') && code !== 'REFERENCE_UNKNOWN',
  );
  return { text, definition: isReadable ? parsed.definition : null, faults };
}

/** Waits for a pause in typing, because validation builds the whole form. */
export function useValidation(text: string, { sizeQuestion, takesPartIf, clues }: FormSettings): Validation {
  const clueLines = clues.join('\n');
  const [judged, setJudged] = useState(() => validateDefinition(text, { sizeQuestion, takesPartIf, clues }));
  useEffect(() => {
    const settings = { sizeQuestion, takesPartIf, clues: clueLines === '' ? [] : clueLines.split('\n') };
    const timer = setTimeout(() => setJudged(validateDefinition(text, settings)), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, sizeQuestion, takesPartIf, clueLines]);
  return judged;
}
