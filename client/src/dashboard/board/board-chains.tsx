/** The largest chains, with links to their trees. */
import { useState } from 'react';
import { Link } from 'react-router';
import { CodeText } from '../../phone/coupons/code-text.tsx';
import { Card } from '../../ui/page.tsx';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { asListQueryResult } from '../kit/data/use-list.tsx';
import { useResolvedColumns } from '../kit/list/columns.tsx';
import { Table } from '../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import type { ChainRow, FullRecruitmentSummary } from './board-wire.ts';

/** Number of chains shown before expanding. */
const CHAINS_SHOWN = 5;

export function BoardChains({ summary }: { summary: FullRecruitmentSummary }) {
  const { t, number, moment } = useDashboardText();
  const columns = useResolvedColumns<ChainRow>([
    {
      head: t('tree.seed'),
      cell: ({ referralCode }) => (referralCode ? <CodeText code={referralCode} /> : '–'),
    },
    { field: 'location', as: 'site' },
    { head: t('common.type'), cell: ({ kind }) => t(`board.kind.${kind}`) },
    { field: 'surveys', as: 'number', head: t('board.surveys') },
    { field: 'maxWave', as: 'number', head: t('board.lastWave') },
    { field: 'liveCoupons', as: 'number', head: t('board.liveCoupons') },
    { head: t('board.last'), cell: ({ lastAt }) => moment(lastAt) },
    { field: 'state', words: 'board.chain', tag: true, head: t('common.status') },
  ]);
  const { chains, chainsTotal } = summary;
  const [all, setAll] = useState(false);
  const rows = all ? chains : chains.slice(0, CHAINS_SHOWN);
  return (
    <Card label={t('board.largest')}>
      <Table
        label={t('board.largest')}
        listing={asListQueryResult({ error: null, refetch: () => undefined }, rows)}
        columns={columns}
        id={({ seed }) => seed}
        link={({ seed }) => `/desk/tree/${seed}`}
        empty={t('board.nothing')}
      />
      <p className="note">{t('board.chainWhat')}</p>
      <div className="flow">
        <Link className="tall-link" to="/desk/tree">
          {t('tree.all')}
        </Link>
        {chains.length > CHAINS_SHOWN ? (
          <PlainButton
            label={t(all ? 'board.fewer' : 'board.showMore')}
            className="board-less"
            size="md"
            aria-expanded={all}
            onClick={() => setAll(!all)}
          />
        ) : null}
        {chainsTotal > rows.length ? (
          <p className="note">
            {t('board.largestOf', {
              shown: number(rows.length),
              all: number(chainsTotal),
            })}
          </p>
        ) : null}
      </div>
    </Card>
  );
}
