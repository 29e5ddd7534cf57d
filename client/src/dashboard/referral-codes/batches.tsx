/** Printed batches: the state of their coupons, reprinting unused ones, and voiding them. */
import { useAbility } from '../../session/session.tsx';
import { sendChange } from '../kit/actions/send.ts';
import type { CodeBatch, ReferralCode } from '../kit/data/dashboard-wire.ts';
import type { ListColumn } from '../kit/list/columns.tsx';
import { List } from '../kit/list/list.tsx';
import { useDashboardText, useValueLabels } from '../kit/words/dashboard-text.ts';

type State = ReferralCode['state'];

const sumOf = (batches: CodeBatch[], state: State) =>
  batches.reduce((sum, { states }) => sum + states[state], 0);

export function ReferralCodeBatches({ onPrint }: { onPrint(id: string, text: string): void }) {
  const { t, number, counted } = useDashboardText();
  const mayVoid = useAbility().can('update', 'ReferralCode');
  const withdraw = (batches: CodeBatch[]) => ({
    label: t('common.void'),
    title: t('coupons.voidBatchTitle', counted(sumOf(batches, 'RESERVED'))),
    text: <WhatStays batches={batches} />,
    danger: true,
    reason: t('coupons.reasonWhat'),
  });
  const voidRest = ({ id }: CodeBatch, reason: string) =>
    sendChange<{ voided: number }>('POST', `/api/referral-codes/batches/${id}/void`, { reason });
  const saidOf = (results: { voided: number }[]) =>
    t('coupons.voidedSome', counted(results.reduce((sum, { voided }) => sum + voided, 0)));
  return (
    <List<CodeBatch>
      name="batches"
      path="/api/referral-codes/batches"
      subject="ReferralCode"
      label={t('coupons.views.batches')}
      sort={['-createdAt']}
      columns={[
        {
          head: t('coupons.batch'),
          cell: ({ count, note }) => note || t('coupons.some', counted(count)),
        },
        { field: 'location', as: 'site' },
        { field: 'count', as: 'number', head: t('coupons.printed') },
        ...Object.entries(useValueLabels()('coupons.states')).map(
          ([state, head]): ListColumn<CodeBatch> => ({
            head,
            numeric: true,
            cell: ({ states }) => number(states[state as State] ?? 0),
            // Without thousands separators, which other programs may read as decimals.
            text: ({ states }) => states[state as State] ?? 0,
          }),
        ),
        { field: 'createdAt', as: 'age', sort: 'createdAt' },
      ]}
      rowName={({ note, id }) => note || id}
      link={({ id }) => `/desk/coupons?view=codes&batch=${id}`}
      rowActions={(batch) => {
        const rest = batch.states.RESERVED;
        if (rest === 0) return [];
        return [
          {
            label: t('common.print'),
            onClick: () => onPrint(batch.id, t('coupons.printRest', counted(rest))),
          },
          mayVoid && {
            ...withdraw([batch]),
            send: (reason) => voidRest(batch, reason),
            message: (result: { voided: number }) => saidOf([result]),
          },
        ];
      }}
      selection={
        mayVoid && {
          can: ({ states }) => states.RESERVED > 0,
          actions: (batches) => [{ ...withdraw(batches), sendEach: voidRest, message: saidOf }],
        }
      }
      empty={t('coupons.noBatches')}
    />
  );
}

/** Voiding a batch doesn't affect coupons that were handed out or returned. */
function WhatStays({ batches }: { batches: CodeBatch[] }) {
  const { t, number } = useDashboardText();
  const [out, back] = [sumOf(batches, 'LIVE'), sumOf(batches, 'USED')];
  return (
    <>
      <p>{t('coupons.voidBatchWhat')}</p>
      {out + back > 0 ? <p>{t('bulk.voidBatchStays', { out: number(out), back: number(back) })}</p> : null}
    </>
  );
}
