/** Error messages for failed requests, in the app's language. */
import { useTranslation } from 'react-i18next';
import { isStorageFullError, type OutboxRowRefusal } from '../device/store/store.ts';
import type { FieldAppTexts } from '../texts/i18n.ts';
import { NoSignal, RequestRefusal } from './api.ts';
import { faultText } from './fault-text.ts';

type ProblemKey = keyof FieldAppTexts['problem'];
type RefusedCall = Pick<OutboxRowRefusal, 'status' | 'code' | 'reason' | 'params' | 'message'>;

const isRefusal = (error: unknown): error is RefusedCall =>
  error instanceof RequestRefusal || (typeof error === 'object' && error !== null && 'status' in error);

/** For an error, or for a stored refusal. */
export function useProblemText(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  const isProblemKey = (key: string): key is ProblemKey => i18n.exists(`problem.${key}`);
  const general = ({ status, code, params, message }: RefusedCall): string => {
    const seconds = Number(params?.seconds);
    if (code === 'RATE_LIMITED' && seconds > 90)
      return t('problem.waitMinutes', { count: Math.ceil(seconds / 60) });
    if (code === 'RATE_LIMITED' && seconds > 0) return t('problem.waitSeconds', { count: seconds });
    if (code && isProblemKey(code)) return t(`problem.${code}`);
    const ofStatus = `problem.STATUS_${status}`;
    return !code && i18n.exists(ofStatus) ? t(ofStatus as 'problem.STATUS_500') : message;
  };
  return (error) => {
    if (error instanceof NoSignal) return t('problem.NO_SIGNAL');
    if (isStorageFullError(error)) return t('problem.STORAGE_FULL');
    if (!isRefusal(error)) return error instanceof Error ? error.message : String(error);
    const { reason, params } = error;
    return reason ? faultText({ code: reason, message: general(error), params }) : general(error);
  };
}
