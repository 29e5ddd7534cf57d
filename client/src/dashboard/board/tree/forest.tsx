/** All seeds' chains, the largest first; each links to its tree. */
import './tree.css';
import { Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import type { z } from 'zod';
import type { Forest as ForestSchema } from '../../../../../src/board/recruitment/schema.ts';
import { CodeText } from '../../../phone/coupons/code-text.tsx';
import { useLocationName } from '../../../session/records.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useGet } from '../../kit/data/use-list.tsx';
import { DashboardPage, PendingContent } from '../../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { StateTag } from '../../kit/words/state-tag.tsx';
import { chainDrawingOf } from './forest-shape.ts';

type ForestReply = z.infer<typeof ForestSchema>;
type Chain = ForestReply['chains'][number];

export default function Forest() {
  const { t, number } = useDashboardText();
  const forest = useGet<ForestReply>('/api/recruitment/forest');
  const { chains = [], chainsTotal = 0 } = forest.data ?? {};
  return (
    <DashboardPage title={t('tree.all')} back="/desk/board" lead={t('tree.allLead')}>
      {forest.data ? null : <PendingContent error={forest.error} label={t('tree.all')} rows={12} />}
      {forest.data && chains.length === 0 ? <Notice tone="info" title={t('tree.noChains')} /> : null}
      {chainsTotal > chains.length ? (
        <Text>{t('board.largestOf', { shown: number(chains.length), all: number(chainsTotal) })}</Text>
      ) : null}
      <ul className="forest">
        {chains.map((chain) => (
          <Tree key={chain.seed} chain={chain} />
        ))}
      </ul>
    </DashboardPage>
  );
}

function Tree({ chain }: { chain: Chain }) {
  const { t, counted } = useDashboardText();
  const siteOf = useLocationName();
  const { seed, referralCode, location, surveys, maxWave, state, truncated } = chain;
  return (
    <li>
      <Link to={`/desk/tree/${seed}`} className="forest-chain">
        <Shape parents={chain.parents} deleted={chain.deleted} />
        <span className="forest-words">
          <span className="forest-name">
            {referralCode ? <CodeText code={referralCode} /> : t('tree.seed')}
            <StateTag of="board.chain" state={state} />
          </span>
          <span>{siteOf(location)}</span>
          <span>
            {t('tree.summary', { ...counted(surveys), waves: t('tree.ofWaves', counted(maxWave)) })}
          </span>
          {truncated ? <span className="forest-note">{t('tree.partly')}</span> : null}
        </span>
      </Link>
    </li>
  );
}

/** Memoized: the props are the same objects until the service sends new ones. */
const Shape = memo(function Shape({ parents, deleted }: Pick<Chain, 'parents' | 'deleted'>) {
  const { width, height, top, edges, dots, gone: deletedDots } = chainDrawingOf(parents, deleted);
  return (
    <svg
      className="forest-shape"
      viewBox={`0 ${-top} ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className="forest-edges" d={edges} />
      <path className="forest-gone" d={deletedDots} />
      <path className="forest-dots" d={dots} />
    </svg>
  );
});
