/** Seeds whose chain has ended, above the list: each with its tree. For who reads the recruitment of all sites. */

import type { Seed } from '../../desk/wire.ts';
import { readsAll } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { OfKind } from '../board/board-alerts.tsx';
import type { AlertRow } from '../board/board-wire.ts';
import { type SeedRow, useWithChains } from './seed-chains.tsx';

interface DiedChainsProps {
  /** As many as can be asked about at once. */
  newest: Seed[] | undefined;
  /** Those of the list, which may be older. */
  shown: SeedRow[] | undefined;
}

export function DiedChains({ newest, shown = [] }: DiedChainsProps) {
  const open = readsAll(useAbility(), 'Recruitment');
  const { rows = [] } = useWithChains(newest);
  const all = new Map([...rows, ...shown].map((row) => [row.id, row]));
  const died = [...all.values()].flatMap(alertOf).sort((a, b) => b.since.localeCompare(a.since));
  return open && died.length > 0 ? (
    <ul className="board-alerts">
      <OfKind kind="SEED_DIED" alerts={died} />
    </ul>
  ) : null;
}

function alertOf({ id, referralCode, location, chain }: SeedRow): AlertRow[] {
  if (chain?.state !== 'DIED') return [];
  const about = { seed: id, location, survey: null, referralCode };
  return [{ kind: 'SEED_DIED', ...about, since: chain.lastAt, arrivedAt: null, message: '' }];
}
