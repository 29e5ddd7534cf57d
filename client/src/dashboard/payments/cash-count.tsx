/** A site's cash box on one day: count and close it, or see how it was closed. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { decimalsOf } from '../../../../src/platform/lib/decimals.ts';
import { formatAmountLike, parseAmountLike } from '../../phone/payments/cash-box.ts';
import { cashTotal, FactLines } from '../../phone/payments/day-totals.tsx';
import { withQuery } from '../../session/api.ts';
import { mayCloseDay } from '../../session/rights.ts';
import { useSession } from '../../session/session.tsx';
import { fieldFaultOf } from '../../ui/field-error.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import type { IncentiveSummary, ListOf } from '../../wire.ts';
import { sendChange } from '../kit/actions/send.ts';
import { useToast } from '../kit/actions/use-actions.ts';
import type { CashDay } from '../kit/data/dashboard-wire.ts';
import { refreshAndThrow, useGet } from '../kit/data/use-list.tsx';
import { ClosedCashDay, ReopenedCashCounts } from './closed-day.tsx';
import { usePaymentsText } from './payments-text.ts';

interface SiteDay {
  location: string;
  day: string;
}

export function CashCount({ location, day }: SiteDay) {
  const { t } = usePaymentsText();
  const session = useSession();
  const mayClose = session !== null && mayCloseDay(session, { location, day });
  const days = { location, from: day, to: day };
  const counts = useGet<ListOf<CashDay>>(withQuery('/api/cash-days', days), {
    keepPrevious: false,
    enabled: mayClose,
  });
  const paid = useGet<IncentiveSummary>(withQuery('/api/incentives/summary', days), { keepPrevious: false });
  if (!mayClose) return null;
  if (!counts.data || !paid.data) return <FormError error={counts.error ?? paid.error} />;
  const closed = counts.data.data.find(({ state }) => state === 'CLOSED');
  const earlier = counts.data.data.filter((one) => one !== closed);
  return (
    <section aria-label={t('count.title')} className="cash-count">
      <h3>{t('count.title')}</h3>
      {closed ? (
        <ClosedCashDay closed={closed} />
      ) : (
        <CloseForm key={`${location} ${day}`} location={location} day={day} summary={paid.data} />
      )}
      <ReopenedCashCounts counts={earlier} />
    </section>
  );
}

interface CloseFormProps extends SiteDay {
  summary: IncentiveSummary;
}

function CloseForm({ location, day, summary }: CloseFormProps) {
  const { t, shared, money } = usePaymentsText();
  const toast = useToast();
  const [texts, setTexts] = useState({ opening: '', counted: '' });
  const { currency, paid } = summary;
  const like = paid.total ?? '';
  const [opening, counted] = [parseAmountLike(texts.opening, like), parseAmountLike(texts.counted, like)];
  const remaining = opening === null ? null : opening - cashTotal(summary);
  const { submit, busy, error } = useSubmit(async () => {
    if (opening === null || counted === null) return;
    const body = {
      location,
      day,
      opening: formatAmountLike(like, opening),
      counted: formatAmountLike(like, counted),
    };
    await sendChange('POST', '/api/cash-days', body).catch(refreshAndThrow);
    toast(t('count.closed'));
  });
  if (currency === null || like === '') return null;
  const text = (amount: number) => money({ amount: formatAmountLike(like, amount), currency });
  const field = (name: keyof typeof texts) => (
    <NumberField
      label={shared(`audit.field.${name}`)}
      decimals={decimalsOf(like)}
      value={texts[name]}
      error={fieldFaultOf(error, name)}
      onChange={(value) => setTexts((before) => ({ ...before, [name]: value }))}
    />
  );
  return (
    <form onSubmit={submit} noValidate className="no-print">
      <div className="dashboard-pair">
        {field('opening')}
        {field('counted')}
      </div>
      <div aria-live="polite">
        <FactLines
          facts={[
            [shared('audit.field.paid'), text(cashTotal(summary))],
            remaining === null ? null : [t('count.left'), text(remaining)],
            remaining === null || counted === null
              ? null
              : [shared('audit.field.difference'), <b key="sum">{text(counted - remaining)}</b>],
          ]}
        />
      </div>
      <FormError error={error} />
      <Button type="submit" loading={busy} disabled={opening === null || counted === null}>
        {t('close.title')}
      </Button>
    </form>
  );
}
