/** All closed days of all sites' cash boxes. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { withQuery } from '../../session/api.ts';
import { useLocationName } from '../../session/records.ts';
import { useReadsAll } from '../../session/session.tsx';
import { formatDay } from '../../texts/i18n.ts';
import { Tag } from '../../ui/notice.tsx';
import type { CashDay } from '../kit/data/dashboard-wire.ts';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { usePersonName } from '../people/person-names.ts';
import { useReopenCashDayAction } from './closed-day.tsx';
import { usePaymentsText } from './payments-text.ts';

const STATES = ['CLOSED', 'REOPENED'] as const;

export default function ClosedCashDays() {
  const { t, shared, word, language } = usePaymentsText();
  const all = useReadsAll('CashDay');
  const siteOf = useLocationName();
  const reopening = useReopenCashDayAction();
  return (
    <ListPage<CashDay>
      name="closed-days"
      path="/api/cash-days"
      subject="CashDay"
      title={t('days.title')}
      lead={t(all ? 'days.lead' : 'days.leadSite')}
      filters={[
        all && { name: 'location', as: 'site' },
        { name: 'state', options: STATES.map((value) => ({ value, label: word(value) })) },
        all && { name: 'from', as: 'day', label: shared('common.from') },
        all && { name: 'to', as: 'day', label: shared('common.to') },
      ]}
      sort={['-createdAt', 'createdAt']}
      columns={useColumns()}
      rowName={({ day, location }) => `${formatDay(day, language)}, ${siteOf(location)}`}
      link={({ day, location }) => withQuery('/desk/payments/day', { from: day, to: day, location })}
      rowActions={(row) => [row.state === 'CLOSED' && reopening(row)]}
      empty={t('days.none')}
      noMatch={t('days.noneMatch')}
      besideTitle={
        <Button component={Link} to="/desk/payments/day">
          {t('close.title')}
        </Button>
      }
    />
  );
}

function useColumns(): ListColumn<CashDay>[] {
  const { t, money, word, language } = usePaymentsText();
  const nameOf = usePersonName();
  const amount = (field: 'opening' | 'counted' | 'difference'): ListColumn<CashDay> => ({
    field,
    name: field,
    cell: (row) => money({ amount: row[field], currency: row.currency }),
    // A plain number, for spreadsheets; the whole study has one currency.
    text: (row) => row[field],
    numeric: true,
    oneLine: true,
  });
  return [
    { field: 'day', cell: ({ day }) => formatDay(day, language), text: ({ day }) => day, oneLine: true },
    { field: 'location', as: 'site' },
    {
      field: 'state',
      name: 'state',
      cell: ({ state }) => <Tag tone={state === 'CLOSED' ? 'good' : 'info'}>{word(state)}</Tag>,
      text: ({ state }) => word(state),
    },
    { ...amount('opening'), head: t('days.opening') },
    {
      field: 'paid',
      name: 'paid',
      cell: ({ paid, paidNow, currency }) => (
        <>
          {money({ amount: paid, currency })}
          {paidNow === paid ? null : (
            <Tag tone="warn">{t('days.now', { amount: money({ amount: paidNow, currency }) })}</Tag>
          )}
        </>
      ),
      text: ({ paid }) => paid,
      numeric: true,
    },
    amount('counted'),
    amount('difference'),
    {
      name: 'paidNow',
      extra: true,
      head: t('days.paidNow'),
      cell: ({ paidNow, currency }) => money({ amount: paidNow, currency }),
      text: ({ paidNow }) => paidNow,
      numeric: true,
    },
    { field: 'closedBy', name: 'closedBy', cell: ({ closedBy }) => nameOf(closedBy), roomy: true },
    { field: 'closedAt', as: 'age', name: 'closedAt', sort: 'createdAt' },
    {
      field: 'reopenedBy',
      name: 'reopenedBy',
      extra: true,
      cell: ({ reopenedBy }) => (reopenedBy ? nameOf(reopenedBy) : ''),
    },
    {
      field: 'reopenedAt',
      as: 'moment',
      name: 'reopenedAt',
      extra: true,
      cell: ({ reopenedAt }) => reopenedAt ?? '',
    },
    { field: 'reason', name: 'reason', extra: true, roomy: 'sentence' },
  ];
}
