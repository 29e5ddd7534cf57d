/** The reason for changing an interview, which the history shows. */
import { useDashboardText } from '../kit/words/dashboard-text.ts';

const MAX_REASON_LENGTH = 500;

export function useReasonField(required = true) {
  const { t } = useDashboardText();
  return {
    what: t(required ? 'surveys.reasonWhat' : 'surveys.reasonChoice'),
    required,
    most: MAX_REASON_LENGTH,
  };
}
