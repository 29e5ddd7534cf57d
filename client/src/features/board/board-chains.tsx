/** The largest chains, each with its tree. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useDeskText } from '../../desk/desk-text.ts';
import { type Column, Table } from '../../desk/list-page.tsx';
import { momentOf, numberOf } from '../../i18n.ts';
import { useLocationName } from '../../records.ts';
import { Card } from '../../ui/page.tsx';
import { CodeText } from '../coupons/code-text.tsx';
import type { ChainRow, WholeSummary } from './board-wire.ts';
import { ChainState } from './chain-state.tsx';

/** Shown at first. */
const FEW = 5;

export function Chains({ summary }: { summary: WholeSummary }) {
  const { t, language } = useDeskText();
  const siteOf = useLocationName();
  const columns: Column<ChainRow>[] = [
    { head: t('tree.seed'), cell: ({ referralCode }) => <CodeText code={referralCode} /> },
    { head: t('common.site'), cell: ({ location }) => siteOf(location), roomy: true },
    { head: t('common.type'), cell: ({ kind }) => t(`board.kind.${kind}`) },
    { head: t('board.surveys'), cell: ({ surveys }) => numberOf(surveys, language), numeric: true },
    { head: t('board.lastWave'), cell: ({ maxWave }) => numberOf(maxWave, language), numeric: true },
    {
      head: t('board.liveCoupons'),
      cell: ({ liveCoupons }) => numberOf(liveCoupons, language),
      numeric: true,
    },
    { head: t('board.last'), cell: ({ lastAt }) => momentOf(lastAt, language) },
    { head: t('common.status'), cell: ({ state }) => <ChainState state={state} /> },
  ];
  const { chains, chainsTotal } = summary;
  const [all, setAll] = useState(false);
  const rows = all ? chains : chains.slice(0, FEW);
  return (
    <Card label={t('board.largest')}>
      <Table
        label={t('board.largest')}
        listing={{ rows, nextCursor: null, total: null, stale: false, error: null, again: () => undefined }}
        columns={columns}
        id={({ seed }) => seed}
        link={({ seed }) => `/desk/tree/${seed}`}
        empty={t('board.nothing')}
      />
      <p className="bars-note">{t('board.chainWhat')}</p>
      <div className="board-below">
        {chains.length > FEW ? (
          <Button
            className="board-less"
            variant="default"
            size="md"
            aria-expanded={all}
            onClick={() => setAll(!all)}
          >
            {t(all ? 'board.fewer' : 'board.showMore')}
          </Button>
        ) : null}
        {chainsTotal > rows.length ? (
          <p className="bars-note">
            {t('board.largestOf', {
              shown: numberOf(rows.length, language),
              all: numberOf(chainsTotal, language),
            })}
          </p>
        ) : null}
      </div>
    </Card>
  );
}
