/**
 * Seeds whose chain has ended, above the list of seeds, with links to their trees. For people who can read
 * recruitment at all sites.
 */
import { useReadsAll } from '../../session/session.tsx';
import { AlertsOfKind } from '../board/alert-notices.tsx';
import { boardSummaryRequestPath, type RecruitmentSummary } from '../board/board-wire.ts';
import { useGet } from '../kit/data/use-list.tsx';

const REFRESH_MS = 60_000;

/** The board's summary of all sites; undefined for people who can't read it. */
function useBoard(): RecruitmentSummary | undefined {
  const enabled = useReadsAll('Recruitment');
  const path = boardSummaryRequestPath({ round: '', location: '', from: '', to: '' });
  return useGet<RecruitmentSummary>(path, { refetchInterval: REFRESH_MS, enabled }).data;
}

/** `site`: only this site, or '' for all. */
export function DiedChains({ site }: { site: string }) {
  const died =
    useBoard()?.alerts.filter(
      ({ kind, location }) => kind === 'SEED_DIED' && (site === '' || location === site),
    ) ?? [];
  return died.length > 0 ? (
    <ul className="board-alerts">
      <AlertsOfKind kind="SEED_DIED" alerts={died} />
    </ul>
  ) : null;
}
