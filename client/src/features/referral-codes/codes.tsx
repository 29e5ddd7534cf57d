/** Every code with its state: who gave it, who came with it, until when it is good. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { request } from '../../api.ts';
import { ageOf } from '../../desk/age.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { ChoiceFilter, FilterBar, useFilters } from '../../desk/filters.tsx';
import { type Column, Pager, Table } from '../../desk/list-page.tsx';
import { refreshDesk, useList } from '../../desk/use-list.tsx';
import type { CodeBatch, ReferralCode } from '../../desk/wire.ts';
import { momentOf } from '../../i18n.ts';
import { asRecord } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { Tag, type Tone } from '../../ui/notice.tsx';
import { CodeText } from '../coupons/code-text.tsx';
import { PersonName } from '../people/person-name.tsx';
import { VoidButton } from './void-button.tsx';

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
  const listing = useList<ReferralCode>('/api/referral-codes', {
    ...values,
    cursor,
    limit: '50',
    total: 'true',
  });
  const actions = (code: ReferralCode) =>
    (code.state === 'LIVE' || code.state === 'RESERVED') &&
    ability.can('update', asRecord('ReferralCode', code)) ? (
      <VoidCode code={code.code} onDone={onDone} />
    ) : null;
  const clear = () => {
    for (const name of ['state', 'batch', 'seed', 'survey'] as const) set(name, '');
  };
  return (
    <>
      <FilterBar filters={{ any: filters.any, clear }}>
        <ChoiceFilter
          label={t('common.status')}
          value={values.state}
          onChange={(value) => set('state', value)}
          options={STATES.map((value) => ({ value, label: t(`coupons.states.${value}`) }))}
        />
        <BatchFilter value={values.batch} onChange={(value) => set('batch', value)} />
      </FilterBar>
      <Table
        label={t('coupons.views.codes')}
        listing={listing}
        columns={useColumns()}
        id={({ code }) => code}
        {...(ability.can('update', 'ReferralCode') ? { actions } : {})}
        empty={filters.any ? t('coupons.noneFound') : t('coupons.none')}
      />
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
  const survey = (id: string, text: string) => <Link to={`/desk/surveys/${id}`}>{text}</Link>;
  const origin = ({ seed, survey: from, reservedBy, batch }: ReferralCode): ReactNode => {
    if (from) return survey(from, t('coupons.fromInterview'));
    if (seed) return t('coupons.fromSeed');
    if (batch) return t('coupons.fromBatch');
    return reservedBy ? <PersonName id={reservedBy} /> : t('common.none');
  };
  return [
    { head: t('coupons.code'), cell: ({ code }) => <CodeText code={code} /> },
    { head: t('common.status'), cell: ({ state }) => <CodeState state={state} /> },
    { head: t('coupons.givenBy'), cell: origin },
    {
      head: t('coupons.cameWith'),
      cell: ({ redeemedBy }) => (redeemedBy ? survey(redeemedBy, t('coupons.interview')) : null),
    },
    {
      head: t('coupons.goodUntil'),
      cell: ({ expiresAt }) => (expiresAt ? momentOf(expiresAt, language) : t('coupons.forEver')),
    },
    { head: t('common.created'), cell: ({ createdAt }) => ageOf(createdAt, language) },
  ];
}
