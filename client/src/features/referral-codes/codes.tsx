/** Every code with its state: who gave it, who came with it, until when it is good. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCode } from '../../../../src/referral-codes/code.ts';
import { request } from '../../api.ts';
import { ActArea } from '../../desk/act-area.tsx';
import { ageOf } from '../../desk/age.ts';
import { useChosenRows } from '../../desk/chosen-rows.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { DownloadList } from '../../desk/download-list.tsx';
import { ChoiceFilter, FilterBar, useFilters } from '../../desk/filters.tsx';
import { type Column, Pager, Table } from '../../desk/list-page.tsx';
import { plainMomentOf, shortMomentOf } from '../../desk/moment.ts';
import { useSorting } from '../../desk/sorting.ts';
import { useActs } from '../../desk/use-acts.ts';
import { refreshDesk, useList } from '../../desk/use-list.tsx';
import type { CodeBatch, ReferralCode } from '../../desk/wire.ts';
import { asRecord } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { Tag, type Tone } from '../../ui/notice.tsx';
import { usePersonName } from '../people/person-names.ts';
import { CodeLink } from './code-link.tsx';
import { VoidButton } from './void-button.tsx';
import { VoidChosen } from './void-chosen.tsx';

const STATES = ['RESERVED', 'LIVE', 'USED', 'EXPIRED', 'VOID'] as const;
const TONES: Record<ReferralCode['state'], Tone> = {
  RESERVED: 'info',
  LIVE: 'good',
  USED: 'info',
  EXPIRED: 'warn',
  VOID: 'bad',
};

function CodeState({ state }: { state: ReferralCode['state'] }) {
  const { t } = useDeskText();
  return <Tag tone={TONES[state]}>{t(`coupons.states.${state}`)}</Tag>;
}

export function Codes({ onDone }: { onDone(text: string): void }) {
  const { t } = useDeskText();
  const ability = useAbility();
  const filters = useFilters(['state', 'batch', 'seed', 'survey']);
  const { values, set, cursor } = filters;
  const sorting = useSorting(['-createdAt']);
  const query = { ...values, sort: sorting.now };
  const columns = useColumns();
  const listing = useList<ReferralCode>('/api/referral-codes', {
    ...query,
    cursor,
    limit: '50',
    total: 'true',
  });
  const mayVoid = (code: ReferralCode) =>
    (code.state === 'LIVE' || code.state === 'RESERVED') &&
    ability.can('update', asRecord('ReferralCode', code));
  const actions = (code: ReferralCode) =>
    mayVoid(code) ? <VoidCode code={code.code} onDone={onDone} /> : null;
  const acts = useActs();
  const chosen = useChosenRows({
    path: '/api/referral-codes',
    filters: values,
    sort: sorting.now,
    cursor,
    listing,
    id: ({ code }) => code,
    can: mayVoid,
    name: ({ code }) => formatCode(code),
  });
  const mayAct = ability.can('update', 'ReferralCode');
  return (
    <>
      <FilterBar filters={filters}>
        <ChoiceFilter
          label={t('common.status')}
          value={values.state}
          onChange={(value) => set('state', value)}
          options={STATES.map((value) => ({ value, label: t(`coupons.states.${value}`) }))}
        />
        <BatchFilter value={values.batch} onChange={(value) => set('batch', value)} />
        <DownloadList name="coupons" columns={columns} from={{ path: '/api/referral-codes', query }} />
      </FilterBar>
      <Table
        label={t('coupons.views.codes')}
        listing={listing}
        columns={columns}
        sorting={sorting}
        id={({ code }) => code}
        {...(mayAct ? { actions, picked: chosen.picked } : {})}
        empty={filters.any ? t('coupons.noneFound') : t('coupons.none')}
      />
      <ActArea acts={acts} chosen={chosen}>
        <VoidChosen codes={chosen.rows} acts={acts} onStart={chosen.none} />
      </ActArea>
      <Pager listing={listing} />
    </>
  );
}

function BatchFilter({ value, onChange }: { value: string; onChange(value: string): void }) {
  const { t, language } = useDeskText();
  const { rows = [] } = useList<CodeBatch>('/api/referral-codes/batches', { limit: '200' });
  const options = rows.map(({ id, note, count, createdAt }) => ({
    value: id,
    label: `${note || t('coupons.some', { count, shown: count })}, ${ageOf(createdAt, language)}`,
  }));
  return <ChoiceFilter label={t('coupons.batch')} value={value} onChange={onChange} options={options} />;
}

export function VoidCode({ code, onDone }: { code: string; onDone(text: string): void }) {
  const { t } = useDeskText();
  return (
    <VoidButton
      about={code}
      title={t('coupons.voidTitle')}
      text={t('coupons.voidWhat')}
      onVoid={async (reason) => {
        await request('PATCH', `/api/referral-codes/${code}`, { body: { void: true, reason } });
        await refreshDesk();
        onDone(t('coupons.voidedOne'));
      }}
    />
  );
}

function useColumns(): Column<ReferralCode>[] {
  const { t, language } = useDeskText();
  const personOf = usePersonName();
  const mayLook = useAbility().can('list', 'User');
  const originOf = ({ seed, survey, reservedBy, batch }: ReferralCode): string => {
    if (survey) return t('coupons.fromInterview');
    if (seed) return t('coupons.fromSeed');
    if (batch) return t('coupons.fromBatch');
    return reservedBy ? personOf(reservedBy) : '';
  };
  const origin = (row: ReferralCode): ReactNode => {
    const { seed, survey, reservedBy, batch, code } = row;
    if (survey) {
      return (
        <Link
          to={`/desk/surveys/${survey}`}
          aria-label={t('lists.interviewThatGave', { code: formatCode(code) })}
        >
          {originOf(row)}
        </Link>
      );
    }
    const ofPerson = reservedBy && !seed && !batch && mayLook;
    return ofPerson ? <Link to={`/desk/people/${reservedBy}`}>{originOf(row)}</Link> : originOf(row);
  };
  return [
    {
      head: t('coupons.code'),
      cell: ({ code }) => <CodeLink code={code} />,
      text: ({ code }) => formatCode(code),
    },
    {
      head: t('common.status'),
      cell: ({ state }) => <CodeState state={state} />,
      text: ({ state }) => t(`coupons.states.${state}`),
    },
    { head: t('coupons.givenBy'), cell: origin, text: originOf },
    {
      head: t('coupons.cameWith'),
      cell: ({ redeemedBy, code }) =>
        redeemedBy ? (
          <Link to={`/desk/surveys/${redeemedBy}`}>{t('lists.interviewOf', { code: formatCode(code) })}</Link>
        ) : null,
      text: ({ redeemedBy }) => (redeemedBy ? t('coupons.interview') : ''),
    },
    {
      head: t('coupons.goodUntil'),
      cell: ({ expiresAt }) => (expiresAt ? shortMomentOf(expiresAt, language) : t('coupons.forEver')),
      text: ({ expiresAt }) => plainMomentOf(expiresAt),
    },
    {
      head: t('common.created'),
      cell: ({ createdAt }) => ageOf(createdAt, language),
      text: ({ createdAt }) => plainMomentOf(createdAt),
      sort: 'createdAt',
    },
  ];
}
