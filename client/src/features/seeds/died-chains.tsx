/** Seeds whose chain has ended, above the list of all: each with its tree. For who reads the recruitment of all sites. */
import { useGet } from '../../desk/use-list.tsx';
import { readsAll } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { OfKind } from '../board/board-alerts.tsx';
import { type Summary, summaryPath } from '../board/board-wire.ts';

const EVERY = 60_000;

export function DiedChains() {
  const open = readsAll(useAbility(), 'Recruitment');
  const path = summaryPath({ location: '', from: '', to: '' });
  const summary = useGet<Summary>(path, { every: EVERY, open }).data;
  const died = summary?.alerts.filter(({ kind }) => kind === 'SEED_DIED') ?? [];
  return died.length > 0 ? (
    <ul className="board-alerts">
      <OfKind kind="SEED_DIED" alerts={died} />
    </ul>
  ) : null;
}
