/** What can be done with an incentive: pay it, withdraw it, or take back a payment that was a mistake. */
import { useState } from 'react';
import { Dialog } from '../../desk/dialog.tsx';
import type { RowAction } from '../../desk/list-actions.tsx';
import { send } from '../../desk/send.ts';
import { useToast } from '../../desk/use-acts.ts';
import { refreshDesk } from '../../desk/use-list.tsx';
import { pay } from '../../device/payments.ts';
import { readsAll } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import type { HandedOver, Incentive } from '../../wire.ts';
import { MethodField } from '../paying/method-field.tsx';
import { PaySite, usePaySite } from '../paying/pay-site.tsx';
import { usePaymentsText } from './payments-text.ts';

interface PayDialogProps {
  incentive: Incentive;
  onClose(): void;
}

function PayDialog({ incentive, onClose }: PayDialogProps) {
  const { t, money } = usePaymentsText();
  const toast = useToast();
  const site = usePaySite();
  const [handed, setHanded] = useState<HandedOver>({ method: 'CASH' });
  const [error, setError] = useState<unknown>(null);
  const send = async () => {
    const location = site.named ? { location: site.named } : {};
    await pay(incentive.id, { ...handed, ...location }).catch((refused: unknown) => {
      setError(refused);
      throw refused;
    });
    await refreshDesk();
    toast(t('paidOne'));
  };
  return (
    <Dialog
      title={t('pay')}
      text={t('payWhat', { amount: money(incentive) })}
      yes={t('pay')}
      disabled={!site.isKnown}
      onYes={send}
      onClose={onClose}
    >
      <div style={{ display: 'grid', gap: 16, marginTop: 16 }}>
        <MethodField
          label={t('payHow')}
          value={handed}
          onChange={(next) => setHanded(next ?? { method: 'CASH' })}
        />
        <PaySite {...site} error={error} />
      </div>
    </Dialog>
  );
}

/** `mayPay`: who may pay this one without its claim number. */
export function usePaymentActs(mayPay = false): (incentive: Incentive) => RowAction[] {
  const { t } = usePaymentsText();
  const pays = readsAll(useAbility(), 'Incentive') || mayPay;
  return (incentive) => {
    const { id, state, reason } = incentive;
    const act = (name: 'withdraw' | 'reopen') => (why: string) =>
      send('POST', `/api/incentives/${id}/${name}`, { reason: why });
    // One that is owed no more by itself has no reason, and nobody can reopen it.
    const isReopenable = state === 'PAID' || (state === 'WITHDRAWN' && reason !== null);
    const acts: (RowAction | false)[] = [
      state === 'DUE' &&
        pays && { label: t('pay'), dialog: (close) => <PayDialog incentive={incentive} onClose={close} /> },
      state === 'DUE' && {
        label: t('withdraw'),
        right: 'withdraw',
        danger: true,
        text: t('withdrawWhat'),
        reason: t('reasonWhat'),
        send: act('withdraw'),
        message: t('withdrawn'),
      },
      isReopenable && {
        label: t('reopen'),
        right: 'withdraw',
        text: t('reopenWhat'),
        reason: t('reasonWhat'),
        send: act('reopen'),
        message: t('reopened'),
      },
    ];
    return acts.filter((one) => one !== false);
  };
}
