/** What people are owed and were paid, as far as the user may see it. */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCode } from '../../../../src/coupons/referral-codes/code.ts';
import { CodeText } from '../../phone/coupons/code-text.tsx';
import { everPays } from '../../session/incentives.ts';
import { useLocationName, useStudy } from '../../session/records.ts';
import { useAbility, useReadsAll } from '../../session/session.tsx';
import { Notice, Tag } from '../../ui/notice.tsx';
import type { Incentive } from '../../wire.ts';
import { ExportsLink } from '../kit/buttons/exports-link.tsx';
import { useFilters } from '../kit/list/address.ts';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { usePersonName, usePersonOptions } from '../people/person-names.ts';
import { PayMany } from './pay-many.tsx';
import { PaymentActions } from './payment-actions.tsx';
import { STATE_TONES, usePaymentsText } from './payments-text.ts';

const STATES = ['DUE', 'PAID', 'WITHDRAWN'] as const;
const KINDS = ['INTERVIEW', 'RECRUIT'] as const;

export default function Payments() {
  const { t, shared, word } = usePaymentsText();
  const { t: app } = useTranslation();
  const all = useReadsAll('Incentive');
  const people = usePersonOptions();
  const nameOf = useRowName();
  const ability = useAbility();
  const study = useStudy();
  const reads = (subject: 'Message' | 'Card') => ability.can('read', subject);
  const options = (values: readonly string[]) => values.map((value) => ({ value, label: word(value) }));
  return (
    <ListPage<Incentive>
      name="payments"
      path="/api/incentives"
      subject="Incentive"
      title={t('title')}
      lead={t(all ? 'lead' : 'leadSite')}
      views
      filters={[
        { name: 'search', as: 'search', label: shared('lists.search'), hint: t('searchHint') },
        all && { name: 'state', options: options(STATES) },
        { name: 'kind', options: options(KINDS) },
        // The site where it was paid, so this never matches unpaid incentives.
        all && { name: 'location', as: 'site', label: t('site') },
        { name: 'paidBy', options: people },
        { name: 'round', as: 'round', everyRound: true },
        all && { name: 'from', as: 'day', label: t('paidFrom') },
        all && { name: 'to', as: 'day', label: t('paidTo') },
      ]}
      sort={['-createdAt', 'createdAt']}
      columns={useColumns()}
      rowName={nameOf}
      rowEnd={(incentive) => <PaymentActions incentive={incentive} claim={incentive.claimNumber} />}
      selection={
        all && {
          can: ({ state }) => state === 'DUE',
          actions: (incentives, clear) => <PayMany incentives={incentives} onStart={clear} />,
        }
      }
      empty={t(all ? 'none' : 'noneSite')}
      noMatch={t('noneMatch')}
      secondary={<ExportsLink />}
      besideTitle={
        <div className="dashboard-ways">
          <Button component={Link} to="/desk/payments/day" variant="default">
            {t('close.title')}
          </Button>
          {study?.contacts === 'SMS' && reads('Message') ? (
            <Button component={Link} to="/desk/payments/messages" variant="default">
              {t('texts.title')}
            </Button>
          ) : null}
          {reads('Card') ? (
            <Button component={Link} to="/desk/payments/cards" variant="default">
              {t('cards.title')}
            </Button>
          ) : null}
          <Button component={Link} to="/pay" state={{ from: '/desk/payments' }}>
            {app('home.pay')}
          </Button>
        </div>
      }
      above={<NoIncentives />}
    />
  );
}

function useRowName(): (incentive: Incentive) => string {
  const { word, money } = usePaymentsText();
  return (incentive) =>
    [word(incentive.kind), money(incentive), written(incentive.claimNumber)].filter(Boolean).join(', ');
}

const written = (code: string | null): string => (code ? formatCode(code) : '');

function NoIncentives() {
  const { t } = usePaymentsText();
  const study = useStudy();
  const maySet = useAbility().can('update', 'Study');
  if (!study || everPays(study)) return null;
  return (
    <Notice tone="info" title={t('off')}>
      {maySet ? <Link to="/desk/study">{t('offSet')}</Link> : null}
    </Notice>
  );
}

function useColumns(): ListColumn<Incentive>[] {
  const { t, word, money, shortMoment } = usePaymentsText();
  const nameOf = usePersonName();
  const siteOf = useLocationName();
  const mayLook = useAbility().can('list', 'User');
  // Unpaid rows have buttons, which in some languages leave no room for the columns about the payment. They are shown
  // when looking for paid incentives.
  const { state, ...looking } = useFilters(['state', 'search', 'paidBy', 'from', 'to']).values;
  const isMostlyUnpaid =
    useReadsAll('Incentive') && state !== 'PAID' && !Object.values(looking).some(Boolean);
  return [
    {
      field: 'kind',
      cell: ({ kind, survey }) =>
        survey && mayLook ? <Link to={`/desk/surveys/${survey}`}>{word(kind)}</Link> : word(kind),
      text: ({ kind }) => word(kind),
      oneLine: true,
    },
    codeColumn('claimNumber'),
    codeColumn('coupon', true),
    {
      field: 'amount',
      cell: money,
      // A plain number, for spreadsheets; the whole study has one currency.
      text: ({ amount }) => amount,
      numeric: true,
      oneLine: true,
    },
    {
      field: 'state',
      name: 'state',
      cell: ({ state }) => <Tag tone={STATE_TONES[state]}>{word(state)}</Tag>,
      text: ({ state }) => word(state),
    },
    {
      field: 'paidAt',
      as: 'moment',
      name: 'paidAt',
      cell: ({ paidAt }) => (paidAt ? shortMoment(paidAt) : ''),
      oneLine: true,
    },
    {
      field: 'method',
      name: 'method',
      extra: isMostlyUnpaid,
      cell: ({ method }) => (method ? word(method) : ''),
    },
    { field: 'reference', name: 'reference', extra: true },
    {
      field: 'location',
      name: 'location',
      head: t('site'),
      cell: ({ location }) => (location ? siteOf(location) : ''),
    },
    {
      field: 'paidBy',
      name: 'paidBy',
      extra: isMostlyUnpaid,
      cell: ({ paidBy, state }) => (state === 'PAID' ? nameOf(paidBy) : ''),
    },
    {
      field: 'interviewer',
      name: 'interviewer',
      extra: true,
      roomy: true,
      cell: ({ interviewer }) => (interviewer ? nameOf(interviewer) : ''),
    },
    {
      name: 'survey',
      extra: true,
      head: t('interview'),
      cell: ({ survey }) => survey ?? '',
    },
    { field: 'reason', name: 'reason', extra: true, roomy: 'sentence' },
    { field: 'createdAt', as: 'age', name: 'created', head: t('created'), sort: 'createdAt' },
  ];
}

const codeColumn = (field: 'claimNumber' | 'coupon', extra = false): ListColumn<Incentive> => ({
  field,
  name: field,
  extra,
  oneLine: true,
  cell: (incentive) => {
    const code = incentive[field];
    return code ? <CodeText code={code} /> : '';
  },
  text: (incentive) => written(incentive[field]),
});
