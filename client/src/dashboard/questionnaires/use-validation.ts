/** The draft's errors while it is being edited. */
import { useEffect, useState } from 'react';
import type { FieldError } from '../../wire.ts';
import { checkQuestionnaireInBrowser, type QuestionnaireSettings } from './questionnaire-check.ts';
import { parseDefinition } from './questionnaire-json.ts';

const TYPING_MS = 400;

export interface DefinitionValidation {
  text: string;
  definition: object | null;
  faults: FieldError[];
}

export function validateDefinitionText(text: string, settings: QuestionnaireSettings): DefinitionValidation {
  const parsed = parseDefinition(text);
  if ('message' in parsed) return { text, definition: null, faults: [{ path: 'JSON', ...parsed }] };
  const faults = checkQuestionnaireInBrowser(parsed.definition, settings);
  // A form with unknown references can still be previewed.
  const isReadable = !faults.some(
    ({ path, code }) => path.startsWith('definition') && code !== 'REFERENCE_UNKNOWN',
  );
  return { text, definition: isReadable ? parsed.definition : null, faults };
}

/** Waits for a pause in typing, because validation builds the whole form. */
export function useDefinitionValidation(
  text: string,
  { sizeQuestion, takesPartIf, clues }: QuestionnaireSettings,
): DefinitionValidation {
  const clueLines = clues.join('\n');
  const [judged, setJudged] = useState(() =>
    validateDefinitionText(text, { sizeQuestion, takesPartIf, clues }),
  );
  useEffect(() => {
    const settings = { sizeQuestion, takesPartIf, clues: clueLines === '' ? [] : clueLines.split('\n') };
    const timer = setTimeout(() => setJudged(validateDefinitionText(text, settings)), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, sizeQuestion, takesPartIf, clueLines]);
  return judged;
}
