/**
 * Sends a change. Everything that shows it is refetched afterwards, including the device's copies; nothing waits for that.
 */
import { request } from '../../../session/api.ts';
import { queryKeys } from '../../../session/query-keys.ts';
import { currentQueryClient } from '../../../session/records.ts';
import { refreshSession } from '../../../session/refresh-session.ts';
import { cacheRecord, refreshDesk } from '../data/use-list.tsx';

const COPIES = [
  ['/api/locations', queryKeys.locations],
  ['/api/study', queryKeys.study],
  ['/api/questionnaires', queryKeys.active],
] as const;

export function refreshAfterChange(path: string): void {
  const copies = COPIES.filter(([start]) => path.startsWith(start));
  const refetches = [
    refreshDesk(),
    ...copies.map(([, queryKey]) => currentQueryClient().invalidateQueries({ queryKey })),
    // The rules hold the bounds of today, which go by the study's time zone.
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
  // The page that shows this record has it before the refetch, so that its form is not dirty again.
  if (method === 'PATCH') cacheRecord(path, answer as object);
  refreshAfterChange(path);
  return answer;
}
