/** Why an interview was changed: the history shows it. */
import { useDeskText } from '../../desk/desk-text.ts';

const MOST = 500;

export function useReason(required = true) {
  const { t } = useDeskText();
  return { what: t(required ? 'surveys.reasonWhat' : 'surveys.reasonChoice'), required, most: MOST };
}
