/** Printed batches: what became of their coupons, printing the rest again, withdrawing the rest. */
import { Button } from '@mantine/core';
import { ActArea } from '../../desk/act-area.tsx';
import { ageOf } from '../../desk/age.ts';
import { useChosenRows } from '../../desk/chosen-rows.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { DownloadList } from '../../desk/download-list.tsx';
import { useFilters } from '../../desk/filters.tsx';
import { type Column, Pager, Table } from '../../desk/list-page.tsx';
import { plainMomentOf } from '../../desk/moment.ts';
import { useSorting } from '../../desk/sorting.ts';
import { useActs } from '../../desk/use-acts.ts';
import { refreshDesk, useList } from '../../desk/use-list.tsx';
import type { CodeBatch, ReferralCode } from '../../desk/wire.ts';
import { numberOf } from '../../i18n.ts';
import { useLocationName } from '../../records.ts';
import { useAbility } from '../../session.tsx';
import { VoidButton } from './void-button.tsx';
import { nameOfBatch, VoidBatches, voidBatch, WhatStays } from './void-chosen.tsx';

interface BatchesProps {
  onPrint(id: string, text: string): void;
  onDone(text: string): void;
}

const STATES: readonly ReferralCode['state'][] = ['RESERVED', 'LIVE', 'USED', 'EXPIRED', 'VOID'];

export function Batches({ onPrint, onDone }: BatchesProps) {
  const { t, language } = useDeskText();
  const ability = useAbility();
  const { cursor } = useFilters([]);
  const sorting = useSorting(['-createdAt']);
  const query = { sort: sorting.now };
  const listing = useList<CodeBatch>('/api/referral-codes/batches', {
    ...query,
    cursor,
    limit: '50',
    total: 'true',
  });
  const columns = useColumns();
  const shown = (count: number) => numberOf(count, language);
  const mayVoid = ability.can('update', 'ReferralCode');
  const acts = useActs();
  const chosen = useChosenRows({
    path: '/api/referral-codes/batches',
    filters: {},
    sort: sorting.now,
    cursor,
    listing,
    id: ({ id }) => id,
    can: ({ states }) => states.RESERVED > 0,
    name: nameOfBatch,
  });
  const actions = (batch: CodeBatch) => {
    const { id, states, note } = batch;
    const rest = states.RESERVED;
    if (rest === 0) return null;
    const about = note || id;
    return (
      <>
        <Button
          variant="default"
          size="sm"
          aria-label={`${t('common.print')}: ${about}`}
          onClick={() => onPrint(id, t('coupons.printRest', { count: rest, shown: shown(rest) }))}
        >
          {t('common.print')}
        </Button>
        {mayVoid ? (
          <VoidButton
            about={about}
            title={t('coupons.voidBatchTitle', { count: rest, shown: shown(rest) })}
            text={<WhatStays batches={[batch]} />}
            onVoid={async (reason) => {
              const { voided } = await voidBatch(id, reason);
              await refreshDesk();
              onDone(t('coupons.voidedSome', { count: voided, shown: shown(voided) }));
            }}
          />
        ) : null}
      </>
    );
  };
  return (
    <>
      <div className="desk-filters">
        <DownloadList
          name="batches"
          columns={columns}
          from={{ path: '/api/referral-codes/batches', query }}
        />
      </div>
      <Table
        label={t('coupons.views.batches')}
        listing={listing}
        columns={columns}
        sorting={sorting}
        id={({ id }) => id}
        link={({ id }) => `/desk/coupons?view=codes&batch=${id}`}
        actions={actions}
        {...(mayVoid ? { picked: chosen.picked } : {})}
        empty={t('coupons.noBatches')}
      />
      <ActArea acts={acts} chosen={chosen}>
        <VoidBatches batches={chosen.rows} acts={acts} onStart={chosen.none} />
      </ActArea>
      <Pager listing={listing} />
    </>
  );
}

function useColumns(): Column<CodeBatch>[] {
  const { t, language } = useDeskText();
  const siteName = useLocationName();
  return [
    {
      head: t('coupons.batch'),
      cell: ({ count, note }) => note || t('coupons.some', { count, shown: numberOf(count, language) }),
    },
    { head: t('common.site'), cell: ({ location }) => siteName(location) },
    { head: t('coupons.printed'), numeric: true, cell: ({ count }) => numberOf(count, language) },
    ...STATES.map((state) => ({
      head: t(`coupons.states.${state}`),
      numeric: true,
      cell: ({ states }: CodeBatch) => numberOf(states[state] ?? 0, language),
    })),
    {
      head: t('common.created'),
      cell: ({ createdAt }) => ageOf(createdAt, language),
      text: ({ createdAt }) => plainMomentOf(createdAt),
      sort: 'createdAt',
    },
  ];
}
