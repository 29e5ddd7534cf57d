/** The user's own payments today, for closing the day: what was paid, and what should be in the cash box. */
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { now } from '../../device/clock.ts';
import { useHasSignal } from '../../device/use-signal.ts';
import { withQuery } from '../../session/api.ts';
import { fetchRows } from '../../session/fetch-rows.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { dashboardQuery, useStudy, useStudyName } from '../../session/records.ts';
import { useReadsAll, useUser } from '../../session/session.tsx';
import { dayIn } from '../../texts/day-in.ts';
import { formatTimeOfDay, fullDayOf, numberInLanguage } from '../../texts/i18n.ts';
import { moneyText } from '../../texts/money.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import type { Incentive, IncentiveSummary } from '../../wire.ts';
import { useOutboxCounts } from '../outbox/outbox-counts.ts';
import { CashLeftCalculator, DayTotals } from './day-totals.tsx';
import { ShowCardAgainButton } from './gift-card.tsx';
import { MAX_LISTED_PAYMENTS, recentPayments } from './latest-payments.ts';
import { ReceiptLink } from './receipt-link.tsx';

/** The list is sorted by when incentives became due, so finding the latest payments requires all of them. */
const MAX_ROWS = 1_000;

/** Today in the study's time zone, since the phone may use another one. */
const useToday = () => dayIn(now(), useStudy()?.zone);

/** People who can read all payments request today's; others only get today's anyway. */
function useOwnDay() {
  const { id } = useUser();
  const all = useReadsAll('Incentive');
  const today = useToday();
  const query = { paidBy: id, ...(all ? { from: today, to: today } : {}) };
  const summary = useQuery(dashboardQuery<IncentiveSummary>(id, withQuery('/api/incentives/summary', query)));
  const paid = { ...query, state: 'PAID' };
  const list = useQuery({
    queryKey: queryKeys.allPages(id, withQuery('/api/incentives', paid)),
    queryFn: async () => (await fetchRows<Incentive>('/api/incentives', paid, MAX_ROWS)).rows,
    staleTime: 2_000,
  });
  return { summary, list, payments: recentPayments(list.data ?? []) };
}

export default function OwnPaymentsTodayPage() {
  const { t, i18n } = useTranslation('paying');
  const problem = useProblemText();
  const online = useHasSignal();
  const study = useStudyName();
  const user = useUser();
  const { waiting } = useOutboxCounts();
  const { summary, list, payments } = useOwnDay();
  const today = useToday();
  const error = summary.error ?? list.error;
  const payer = fullName(user);
  return (
    <Page
      title={t('day.open')}
      back="/pay"
      actions={
        summary.data ? (
          <Button size="xl" leftSection={<Icon name="print" />} onClick={() => print()}>
            {t('receipt.print')}
          </Button>
        ) : null
      }
    >
      {online ? null : <Notice tone="warn" icon="noSignal" live title={t('day.offline')} />}
      {online && error ? <Notice tone="bad" live title={problem(error)} /> : null}
      {waiting > 0 ? <Notice tone="info" title={t('day.unsent', { count: waiting })} /> : null}
      {summary.data ? (
        <Card label={t('day.open')}>
          <h2>{study}</h2>
          <Text mb="md">
            {payer} · {fullDayOf(today, i18n.language)}
          </Text>
          <DayTotals summary={summary.data} />
          <CashLeftCalculator summary={summary.data} />
          {payments.length > 0 ? (
            <ul className="pay-list">
              {summary.data.paid.count > MAX_LISTED_PAYMENTS ? (
                <li>{t('day.latest', { shown: numberInLanguage(MAX_LISTED_PAYMENTS, i18n.language) })}</li>
              ) : null}
              {payments.map((one) => (
                <li key={one.id}>
                  <span>
                    {one.paidAt ? formatTimeOfDay(one.paidAt, i18n.language) : '–'} · {t(`kind.${one.kind}`)}{' '}
                    · {one.method ? t(`method.${one.method}`) : '–'}
                    {one.reference ? (
                      <>
                        {' · '}
                        <bdi>{one.reference}</bdi>
                      </>
                    ) : null}
                  </span>
                  <b>{moneyText(one.amount, one.currency, i18n.language)}</b>
                  <ShowCardAgainButton payment={one} />
                  <ReceiptLink
                    className="no-print"
                    size="sm"
                    payments={[one]}
                    claim={null}
                    payer={payer}
                    about={one.paidAt ? formatTimeOfDay(one.paidAt, i18n.language) : undefined}
                  />
                </li>
              ))}
            </ul>
          ) : (
            <Text>{t('day.none')}</Text>
          )}
        </Card>
      ) : null}
    </Page>
  );
}
