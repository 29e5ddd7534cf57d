/** Actions for an incentive: pay, cancel, or reopen it after a mistake. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { payIncentive } from '../../offline/payments.ts';
import {
  GiftCardSourceSelect,
  type PaymentMethod,
  useFillCardSource,
} from '../../phone/payments/card-choice.tsx';
import {
  findCard,
  type GiftCard,
  GiftCardDetails,
  isPaidWithStockCard,
} from '../../phone/payments/gift-card.tsx';
import { PaymentMethodField } from '../../phone/payments/method-field.tsx';
import { PaymentSiteField, usePaySite } from '../../phone/payments/pay-site.tsx';
import { ReceiptLink } from '../../phone/payments/receipt-link.tsx';
import { asPermissionSubject, readsAll } from '../../session/rights.ts';
import { useAbility, useUser } from '../../session/session.tsx';
import type { Incentive } from '../../wire.ts';
import { DashboardModal } from '../kit/actions/dashboard-modal.tsx';
import { Dialog } from '../kit/actions/dialog.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { useToast } from '../kit/actions/use-actions.ts';
import { refetchDashboard, refreshAndThrow } from '../kit/data/use-list.tsx';
import { type RowAction, RowActions } from '../kit/list/list-actions.tsx';
import { usePersonName } from '../people/person-names.ts';
import { usePaymentsText } from './payments-text.ts';

interface PayDialogProps {
  incentive: Incentive;
  onClose(): void;
}

function PayDialog({ incentive, onClose }: PayDialogProps) {
  const { t, money } = usePaymentsText();
  const toast = useToast();
  const site = usePaySite();
  const [handed, setHanded] = useState<PaymentMethod>({ method: 'CASH' });
  const withCard = useFillCardSource();
  const [paid, setPaid] = useState<GiftCard | null>(null);
  const [error, setError] = useState<unknown>(null);
  const send = async () => {
    const location = site.named ? { location: site.named } : {};
    const record = await payIncentive(incentive.id, { ...handed, ...location }).catch((refused: unknown) => {
      setError(refused);
      throw refused;
    });
    // Refreshing the list would remove the row, and the dialog with the card.
    if (record.card) return setPaid(record.card);
    finish();
  };
  const finish = () => {
    void refetchDashboard();
    toast(t('paidOne'));
    onClose();
  };
  if (paid)
    return (
      <DashboardModal title={t('paidOne')} onClose={finish}>
        <GiftCardDetails card={paid} />
      </DashboardModal>
    );
  return (
    <Dialog
      title={t('pay')}
      text={t('payWhat', { amount: money(incentive) })}
      yes={t('pay')}
      disabled={!site.isKnown}
      onYes={async () => {
        await send();
        return false;
      }}
      onClose={onClose}
    >
      <div style={{ display: 'grid', gap: 16, marginTop: 16 }}>
        <PaymentMethodField
          label={t('payHow')}
          value={handed}
          hasReference={!handed.card}
          onChange={(next) => setHanded(withCard(next, handed))}
        >
          <GiftCardSourceSelect value={handed} onChange={setHanded} />
        </PaymentMethodField>
        <PaymentSiteField {...site} error={error} />
      </div>
    </Dialog>
  );
}

/** Shows a payment's gift card again. */
function CardDialog({ incentive, onClose }: PayDialogProps) {
  const { t } = useTranslation('paying');
  const [card, setCard] = useState<GiftCard | null>(null);
  if (card)
    return (
      <DashboardModal title={t('stock.card')} onClose={onClose}>
        <GiftCardDetails card={card} />
      </DashboardModal>
    );
  return (
    <Dialog
      title={t('stock.again')}
      text={t('stock.againWhat')}
      yes={t('stock.again')}
      onYes={async () => {
        setCard(await findCard(incentive.id));
        return false;
      }}
      onClose={onClose}
    />
  );
}

interface PaymentActionsProps {
  incentive: Incentive;
  /** True if this person may pay without the claim number, because they may change the interview. */
  mayPay?: boolean;
  /** For the receipt. */
  claim: string | null;
}

export function PaymentActions({ incentive, mayPay = false, claim }: PaymentActionsProps) {
  const { t, word, money } = usePaymentsText();
  const ability = useAbility();
  const payerOf = usePersonName();
  const { t: paying } = useTranslation('paying');
  const user = useUser();
  const pays = readsAll(ability, 'Incentive') || mayPay;
  const { id, state, reason, kind, paidBy, paidAt } = incentive;
  const about = `${word(kind)}, ${money(incentive)}`;
  const act =
    (name: 'withdraw' | 'reopen', precondition = {}) =>
    (why: string) =>
      sendChange('POST', `/api/incentives/${id}/${name}`, { reason: why, ...precondition }).catch(
        refreshAndThrow,
      );
  // Incentives canceled by the service have no reason and can't be reopened.
  const isReopenable = state === 'PAID' || (state === 'WITHDRAWN' && reason !== null);
  const acts: (RowAction | false)[] = [
    state === 'DUE' &&
      pays && { label: t('pay'), dialog: (close) => <PayDialog incentive={incentive} onClose={close} /> },
    isPaidWithStockCard(incentive) &&
      (paidBy === user.id || ability.can('read', 'Card')) && {
        label: paying('stock.again'),
        dialog: (close) => <CardDialog incentive={incentive} onClose={close} />,
      },
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
      text: isPaidWithStockCard(incentive) ? `${t('reopenWhat')} ${t('reopenCard')}` : t('reopenWhat'),
      reason: t('reasonWhat'),
      // Fails if the incentive was paid again since.
      send: act('reopen', { paidAt }),
      message: t('reopened'),
    },
  ];
  const open = acts.filter(
    (one) =>
      one !== false && (!one.right || ability.can(one.right, asPermissionSubject('Incentive', incentive))),
  ) as RowAction[];
  return (
    <>
      <RowActions actions={open} record={about} />
      {state === 'PAID' ? (
        <ReceiptLink size="sm" payments={[incentive]} claim={claim} payer={payerOf(paidBy)} about={about} />
      ) : null}
    </>
  );
}
