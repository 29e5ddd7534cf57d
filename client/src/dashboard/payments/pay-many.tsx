/** Pays the selected incentives in batches. */
import { useState } from 'react';
import { randomId } from '../../device/random-id.ts';
import { payIncentive } from '../../offline/payments.ts';
import {
  GiftCardSourceSelect,
  type PaymentMethod,
  useFillCardSource,
} from '../../phone/payments/card-choice.tsx';
import { PaymentMethodField } from '../../phone/payments/method-field.tsx';
import { PaymentSiteField, usePaySite } from '../../phone/payments/pay-site.tsx';
import { request } from '../../session/api.ts';
import { sumOfAmounts } from '../../texts/money.ts';
import type { Incentive, PayIncentivesResult } from '../../wire.ts';
import { Dialog } from '../kit/actions/dialog.tsx';
import { useSurroundingPageActions } from '../kit/actions/use-actions.ts';
import { OpenButton } from '../kit/buttons/open-button.tsx';
import { usePaymentsText } from './payments-text.ts';

const PAYMENTS_PER_REQUEST = 50;
/** The service makes payments one at a time. */
const TIMEOUT_MS = 60_000;

/** How and where they are paid. */
interface Payment extends PaymentMethod {
  /** Undefined means the current site. */
  location: string | undefined;
}

/** Each row waits for its batch. The payment ids are reused on a retry, so that nothing is paid twice. */
function payer(
  rows: readonly Incentive[],
  { location, ...handed }: Payment,
): (row: Incentive) => Promise<unknown> {
  const place = location ? { location } : {};
  const clientIds = new Map(rows.map(({ id }) => [id, randomId()]));
  const answers = new Map<number, Promise<PayIncentivesResult>>();
  const payPart = (part: number) => {
    const payments = rows
      .slice(part * PAYMENTS_PER_REQUEST, (part + 1) * PAYMENTS_PER_REQUEST)
      .map(({ id }) => ({ id, ...handed, clientId: clientIds.get(id) }));
    const body = { payments, ...place };
    return request<PayIncentivesResult>('POST', '/api/incentives/pay', { body, timeoutMs: TIMEOUT_MS });
  };
  return async (row) => {
    const part = Math.floor(rows.indexOf(row) / PAYMENTS_PER_REQUEST);
    const answer = answers.get(part) ?? payPart(part);
    answers.set(part, answer);
    const { refused } = await answer.catch((error: unknown) => {
      answers.delete(part);
      throw error;
    });
    // Refused items are sent again individually, which returns an error code with a translated message.
    if (refused.some(({ id }) => id === row.id)) await payIncentive(row.id, { ...handed, ...place });
  };
}

interface PayManyProps {
  incentives: Incentive[];
  onStart(): void;
}

export function PayMany({ incentives, onStart }: PayManyProps) {
  const { t, money } = usePaymentsText();
  return (
    <OpenButton size="sm" label={t('payMany')}>
      {(close) => <Ask incentives={incentives} onStart={onStart} onClose={close} name={money} />}
    </OpenButton>
  );
}

interface AskProps extends PayManyProps {
  name(incentive: Incentive): string;
  onClose(): void;
}

function Ask({ incentives, onStart, onClose, name }: AskProps) {
  const { t, money } = usePaymentsText();
  const { run } = useSurroundingPageActions();
  const site = usePaySite();
  const [handed, setHanded] = useState<PaymentMethod>({ method: 'CASH' });
  const withCard = useFillCardSource(true);
  const [first] = incentives;
  const amount = first ? money({ amount: sumOfAmounts(incentives), currency: first.currency }) : '';
  return (
    <Dialog
      title={t('payMany')}
      text={t('payManyWhat', { count: incentives.length, amount })}
      yes={t('pay')}
      disabled={!site.isKnown}
      onYes={async () => {
        onStart();
        void run<Incentive, unknown>({
          items: incentives,
          one: payer(incentives, { ...handed, location: site.named }),
          name,
          messageOf: (results) => t('paidMany', { count: results.length }),
        });
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
          <GiftCardSourceSelect isBulk value={handed} onChange={setHanded} />
        </PaymentMethodField>
        <PaymentSiteField {...site} error={null} />
      </div>
    </Dialog>
  );
}
