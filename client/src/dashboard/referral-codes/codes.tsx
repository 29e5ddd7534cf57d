/** All codes with their state: who handed them out, who came with them, and when they expire. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCode } from '../../../../src/coupons/referral-codes/code.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import type { CodeBatch, ReferralCode } from '../kit/data/dashboard-wire.ts';
import { useList } from '../kit/data/use-list.tsx';
import type { ListColumn } from '../kit/list/columns.tsx';
import { List } from '../kit/list/list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { isoMomentOf } from '../kit/words/moment.ts';
import { usePersonName } from '../people/person-names.ts';
import { CodeLink } from './code-link.tsx';
import { useVoidCodeAction, voidCode } from './void-code.ts';

export function ReferralCodesPage() {
  const { t, age, counted } = useDashboardText();
  const ability = useAbility();
  const mayVoid = ability.can('update', 'ReferralCode');
  const voidAct = useVoidCodeAction();
  const { rows: batches = [] } = useList<CodeBatch>('/api/referral-codes/batches', { limit: '200' });
  const options = batches.map(({ id, note, count, createdAt }) => ({
    value: id,
    label: `${note || t('coupons.some', { count, shown: count })}, ${age(createdAt)}`,
  }));
  const isOpen = (row: ReferralCode) =>
    (row.state === 'LIVE' || row.state === 'RESERVED') &&
    ability.can('update', asPermissionSubject('ReferralCode', row));
  return (
    <List<ReferralCode>
      name="coupons"
      path="/api/referral-codes"
      subject="ReferralCode"
      label={t('coupons.views.codes')}
      filters={[
        { name: 'state', label: t('common.status'), words: 'coupons.states' },
        { name: 'batch', options },
        // Reserved codes have no round.
        { name: 'round', as: 'round', everyRound: true },
        { name: 'seed', as: 'link' },
        { name: 'survey', as: 'link' },
      ]}
      sort={['-createdAt']}
      columns={useColumns()}
      id={({ code }) => code}
      rowName={({ code }) => formatCode(code)}
      rowActions={(row) => [isOpen(row) && voidAct(row.code)]}
      selection={
        mayVoid && {
          can: isOpen,
          actions: (codes) => {
            const out = codes.filter(({ state }) => state === 'LIVE').length;
            return [
              {
                ...voidAct(''),
                title: t('bulk.voidTitle', counted(codes.length)),
                text: (
                  <>
                    {out > 0 ? <p>{t('bulk.voidLive', counted(out))}</p> : null}
                    <p>{t('bulk.voidWhat')}</p>
                  </>
                ),
                sendEach: ({ code }, reason) => voidCode(code, reason),
                message: (results) => t('coupons.voidedSome', counted(results.length)),
              },
            ];
          },
        }
      }
      empty={t('coupons.none')}
      noMatch={t('coupons.noneFound')}
    />
  );
}

function useColumns(): ListColumn<ReferralCode>[] {
  const { t, shortMoment } = useDashboardText();
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
    { field: 'code', cell: ({ code }) => <CodeLink code={code} />, text: ({ code }) => formatCode(code) },
    { field: 'state', words: 'coupons.states', tag: true, head: t('common.status') },
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
      cell: ({ expiresAt }) => (expiresAt ? shortMoment(expiresAt) : t('coupons.forEver')),
      text: ({ expiresAt }) => isoMomentOf(expiresAt),
    },
    { field: 'createdAt', as: 'age', sort: 'createdAt' },
  ];
}
