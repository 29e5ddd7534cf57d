/** Dismissing one finding, with a reason. */
import { useTranslation } from 'react-i18next';
import { sendChange } from '../kit/actions/send.ts';
import type { RowAction } from '../kit/list/list-actions.tsx';
import type { Finding } from './fetch-findings.ts';

export function useDismissAction(): (finding: Pick<Finding, 'id'>) => RowAction {
  const { t } = useTranslation('quality');
  return ({ id }) => ({
    label: t('dismiss'),
    title: t('dismissTitle'),
    reason: t('dismissWhat'),
    send: (comment) => sendChange('POST', `/api/quality/${id}/dismiss`, { comment }),
    message: t('dismissed'),
  });
}
