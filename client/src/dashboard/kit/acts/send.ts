/**
 * Sends a change. Everything that shows it is refetched afterwards, including the device's copies; nothing waits for that.
 */
import { request } from '../../../session/api.ts';
import { queryKeys } from '../../../session/query-keys.ts';
import { queriesNow } from '../../../session/records.ts';
import { refreshSession } from '../../../session/refresh-session.ts';
import { putAnswer, refreshDesk } from '../data/use-list.tsx';

const COPIES = [
  ['/api/locations', queryKeys.locations],
  ['/api/study', queryKeys.study],
  ['/api/questionnaires', queryKeys.active],
] as const;

export function refreshAfter(path: string): void {
  const copies = COPIES.filter(([start]) => path.startsWith(start));
  const refetches = [
    refreshDesk(),
    ...copies.map(([, queryKey]) => queriesNow().invalidateQueries({ queryKey })),
    // The rules hold the bounds of today, which go by the study's time zone.
    path.startsWith('/api/study') ? refreshSession() : null,
  ];
  for (const refetch of refetches) void refetch?.catch(() => undefined);
}

export async function send<T = unknown>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const answer = await request<T>(method, path, body ? { body } : {});
  // The page that shows this record has it before the refetch, so that its form is not dirty again.
  if (method === 'PATCH') putAnswer(path, answer as object);
  refreshAfter(path);
  return answer;
}
