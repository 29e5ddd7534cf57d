/** Voids a coupon, after asking for a reason and explaining the consequences. */
import { sendChange } from '../kit/actions/send.ts';
import type { RowAction } from '../kit/list/list-actions.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

export const voidCode = (code: string, reason: string) =>
  sendChange('PATCH', `/api/referral-codes/${code}`, { void: true, reason });

export function useVoidCodeAction(): (code: string, onVoided?: () => void) => RowAction {
  const { t } = useDashboardText();
  return (code, onVoided) => ({
    label: t('common.void'),
    title: t('coupons.voidTitle'),
    text: t('coupons.voidWhat'),
    danger: true,
    reason: t('coupons.reasonWhat'),
    send: (reason) => voidCode(code, reason).then(onVoided),
    message: t('coupons.voidedOne'),
  });
}
