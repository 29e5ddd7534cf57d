/** What an expired session means for interviews on this device. */
import { useTranslation } from 'react-i18next';
import { useOutboxCounts } from './outbox-counts.ts';
import { useHasSendToken } from './use-has-send-token.ts';

export function ExpiredSessionText() {
  const { t } = useTranslation();
  const { waiting } = useOutboxCounts();
  const sends = useHasSendToken();
  if (sends) return t('expired.sends');
  return waiting > 0 ? t('expired.waiting', { count: waiting }) : t('expired.text');
}
