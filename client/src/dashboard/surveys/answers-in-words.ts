/** An interview's answers in the reader's language. The service formats them, so the forms library isn't needed. */
import type { Line } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { answersApiPath } from './survey-paths.ts';

export function useAnswersInWords(survey: string): { lines: Line[] | undefined; error: unknown } {
  const { language } = useDashboardText();
  const { data, isPlaceholderData, error } = useGet<Line[]>(answersApiPath(survey, language));
  // Never shows the previous interview's answers.
  return { lines: isPlaceholderData ? undefined : data, error };
}
