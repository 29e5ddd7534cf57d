/** How many people are pending at each site, and since when. */

import { useLocationName } from '../../../session/records.ts';
import type { Location, User } from '../../../wire.ts';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';

interface WaitingBySiteProps {
  /** Longest waiting first. */
  rows: User[];
  total: number | null;
  /** Sites that can be selected. */
  sites: Location[];
  onPick(site: string): void;
}

export function PendingUsersBySite({ rows, total, sites: offered, onPick }: WaitingBySiteProps) {
  const { t, age } = useDashboardText();
  const siteName = useLocationName();
  const sites = new Map<string | null, User[]>();
  for (const user of rows) sites.set(user.location, [...(sites.get(user.location) ?? []), user]);
  // Hidden if one page doesn't have all pending people, or all are at one site.
  if (sites.size < 2 || (total ?? 0) > rows.length) return null;
  const largest = [...sites].sort(([, a], [, b]) => b.length - a.length);
  return (
    <ul className="flow" aria-label={t('approvals.bySite')}>
      {largest.map(([site, people]) => {
        const text = (
          <>
            <b>{site ? siteName(site) : t('common.noSite')}</b>{' '}
            {t('approvals.waiting', {
              count: people.length,
              since: age(people[0]?.createdAt ?? ''),
            })}
          </>
        );
        return (
          <li key={site ?? 'none'}>
            {site && offered.some(({ id }) => id === site) ? (
              <button type="button" className="pill" onClick={() => onPick(site)}>
                {text}
              </button>
            ) : (
              <span className="pill">{text}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
