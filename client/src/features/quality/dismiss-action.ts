/** Dismissing one finding, with a reason. */
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../desk/list-actions.tsx';
import { send } from '../../desk/send.ts';
import type { Finding } from './findings-of.ts';

export function useDismissAction(): (finding: Pick<Finding, 'id'>) => RowAction {
  const { t } = useTranslation('quality');
  return ({ id }) => ({
    label: t('dismiss'),
    title: t('dismissTitle'),
    reason: t('dismissWhat'),
    send: (comment) => send('POST', `/api/quality/${id}/dismiss`, { comment }),
    message: t('dismissed'),
  });
}
