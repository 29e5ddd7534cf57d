/** A receipt to print or show, with the claim number if known, but without the person's name. */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useStudyName } from '../../session/records.ts';
import { dateFormatter } from '../../texts/i18n.ts';
import { moneyText, sumOfAmounts } from '../../texts/money.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import type { Incentive } from '../../wire.ts';
import { CodeText } from '../coupons/code-text.tsx';
import { FactLines } from './day-totals.tsx';
import type { ReceiptContent } from './receipt-link.tsx';

const dayOf = dateFormatter({ dateStyle: 'long', timeStyle: 'short' });

export default function PaymentReceipt() {
  const { t } = useTranslation('paying');
  const state = useLocation().state as ReceiptContent | null;
  return (
    <Page
      title={t('receipt.open')}
      back={state?.from ?? '/'}
      actions={
        state ? (
          <Button size="xl" leftSection={<Icon name="print" />} onClick={() => print()}>
            {t('receipt.print')}
          </Button>
        ) : null
      }
    >
      {state ? <Paper {...state} /> : <Notice tone="info" title={t('receipt.none')} />}
    </Page>
  );
}

function Paper({ payments, claim, payer }: ReceiptContent) {
  const { t, i18n } = useTranslation('paying');
  const study = useStudyName() ?? '';
  const [first] = payments;
  if (!first) return null;
  const money = (some: Pick<Incentive, 'amount'>[]) =>
    moneyText(sumOfAmounts(some), first.currency, i18n.language);
  return (
    <section className="card receipt" aria-label={t('receipt.open')}>
      <h2>{study}</h2>
      <p className="money">{money(payments)}</p>
      <FactLines
        facts={[
          ...payments.map((one): [string, string, string] => [t(`kind.${one.kind}`), money([one]), one.id]),
          [t('receipt.method'), first.method ? t(`method.${first.method}`) : '–'],
          first.reference ? [t('receipt.reference'), <bdi key="reference">{first.reference}</bdi>] : null,
          [t('receipt.paidOn'), first.paidAt ? dayOf(first.paidAt, i18n.language) : '–'],
          [t('receipt.paidBy'), payer],
          claim ? [t('claim'), <CodeText key="code" code={claim} />] : null,
        ]}
      />
    </section>
  );
}
