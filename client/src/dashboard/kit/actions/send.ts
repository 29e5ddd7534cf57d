/**
 * Sends a change. Everything that shows the record is then refetched in the background, including the copies on this
 * device.
 */
import { request } from '../../../session/api.ts';
import { queryKeys } from '../../../session/query-keys.ts';
import { currentQueryClient } from '../../../session/records.ts';
import { refreshSession } from '../../../session/refresh-session.ts';
import { cacheRecord, refetchDashboard } from '../data/use-list.tsx';

const CACHED_COPIES = [
  ['/api/locations', queryKeys.locations],
  ['/api/study', queryKeys.study],
  ['/api/questionnaires', queryKeys.active],
] as const;

export function refreshAfterChange(path: string): void {
  const copies = CACHED_COPIES.filter(([start]) => path.startsWith(start));
  const refetches = [
    refetchDashboard(),
    ...copies.map(([, queryKey]) => currentQueryClient().invalidateQueries({ queryKey })),
    // The session's rules contain today's date limits, which depend on the study's time zone.
    path.startsWith('/api/study') ? refreshSession() : null,
  ];
  for (const refetch of refetches) void refetch?.catch(() => undefined);
}

export async function sendChange<T = unknown>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const answer = await request<T>(method, path, body ? { body } : {});
  // Updates the open page before the refetch; otherwise its form would look edited again.
  if (method === 'PATCH') cacheRecord(path, answer as object);
  refreshAfterChange(path);
  return answer;
}
