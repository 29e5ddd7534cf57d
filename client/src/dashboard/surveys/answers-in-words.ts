/**
 * The answers of an interview in the reader's language. The service puts them into words, so the form library is not
 * needed.
 */
import type { Line } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { useDeskText } from '../kit/words/desk-text.ts';
import { answersPath } from './survey-paths.ts';

export function useAnswersInWords(survey: string): { lines: Line[] | undefined; error: unknown } {
  const { language } = useDeskText();
  const { data, isPlaceholderData, error } = useGet<Line[]>(answersPath(survey, language));
  // Those of the interview before stand under no other's name.
  return { lines: isPlaceholderData ? undefined : data, error };
}
