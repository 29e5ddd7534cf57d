/** What was paid, in total and by method, and what should be in the cash box. */
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { decimalsOf } from '../../../../src/platform/lib/decimals.ts';
import { moneyText } from '../../texts/money.ts';
import { NumberField } from '../../ui/number-field.tsx';
import type { IncentiveSummary } from '../../wire.ts';
import { formatAmountLike, parseAmountLike } from './cash-box.ts';
import './paying.css';

type Total = IncentiveSummary['paid'];

/** "3 payments · $60.00" */
export function usePaymentTotalText(currency: string | null): (total: Total) => string {
  const { t, i18n } = useTranslation('paying');
  return ({ count, total }) => {
    const money = currency && total ? moneyText(total, currency, i18n.language) : null;
    return [t('day.payments', { count }), money].filter(Boolean).join(' · ');
  };
}

type Line = [name: string, value: ReactNode, key?: string];
type Lines = (Line | null)[];

export const FactLines = ({ facts }: { facts: Lines }) => (
  <dl className="pay-facts">
    {facts
      .filter((one) => one !== null)
      .map(([name, value, key = name]) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

export function PaymentFactsSection({ label, facts }: { label: string; facts: Lines }) {
  if (facts.length === 0) return null;
  return (
    <section aria-label={label}>
      <h3>{label}</h3>
      <FactLines facts={facts} />
    </section>
  );
}

interface DayTotalsProps {
  summary: IncentiveSummary;
}

export function DayTotals({ summary }: DayTotalsProps) {
  const { t, i18n } = useTranslation('paying');
  const { currency, paid, byMethod } = summary;
  const totalText = usePaymentTotalText(currency);
  return (
    <>
      <p className="pay-total">
        {t('day.total')}{' '}
        <span className="money">
          {currency && paid.total ? moneyText(paid.total, currency, i18n.language) : '–'}
        </span>{' '}
        {t('day.payments', { count: paid.count })}
      </p>
      <PaymentFactsSection
        label={t('day.byMethod')}
        facts={byMethod.map((one) => [t(`method.${one.method}`), totalText(one)])}
      />
    </>
  );
}

export const cashTotal = ({ byMethod }: IncentiveSummary): number =>
  Number(byMethod.find(({ method }) => method === 'CASH')?.total ?? 0);

/** What should be left of one day's cash. Nothing is stored. */
export function CashLeftCalculator({ summary }: DayTotalsProps) {
  const { currency, paid } = summary;
  return currency && paid.total ? (
    <CashBoxOf cash={cashTotal(summary)} paid={paid.total} currency={currency} />
  ) : null;
}

/** Only the person who counted the cash in the morning knows the starting amount. */
function CashBoxOf({ cash, paid, currency }: { cash: number; paid: string; currency: string }) {
  const { t, i18n } = useTranslation('paying');
  const [start, setStart] = useState('');
  const money = (amount: number) => moneyText(formatAmountLike(paid, amount), currency, i18n.language);
  const counted = parseAmountLike(start, paid);
  return (
    <section aria-label={t('day.box')}>
      <h3>{t('day.box')}</h3>
      <NumberField
        className="no-print cash-start"
        label={t('day.start')}
        description={t('day.startWhat')}
        decimals={decimalsOf(paid)}
        value={start}
        onChange={setStart}
      />
      <dl className="pay-facts" aria-live="polite">
        {counted === null ? null : (
          <div className="only-print">
            <dt>{t('day.start')}</dt>
            <dd>{money(counted)}</dd>
          </div>
        )}
        <div>
          <dt>{t('day.paidInCash')}</dt>
          <dd>{money(cash)}</dd>
        </div>
        {counted === null ? null : (
          <div>
            <dt>
              <b>{t('day.left')}</b>
            </dt>
            <dd>
              <b>{money(counted - cash)}</b>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
