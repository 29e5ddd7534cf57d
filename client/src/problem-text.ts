/** What a failed request means, in the words of the app's language. */
import { useTranslation } from 'react-i18next';
import { NoSignal, Refusal } from './api.ts';
import { isStorageFull } from './device/store.ts';
import type { FieldTexts } from './i18n.ts';

type ProblemKey = keyof FieldTexts['problem'];

export function useProblemText(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  const text = (key: ProblemKey) => t(`problem.${key}`);
  const known = (key: string): key is ProblemKey => i18n.exists(`problem.${key}`);
  return (error) => {
    if (error instanceof NoSignal) return text('NO_SIGNAL');
    if (isStorageFull(error)) return text('STORAGE_FULL');
    if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error);
    const key = error.code ?? `STATUS_${error.status}`;
    return known(key) ? text(key) : error.message;
  };
}
