/** Sends a change and refetches everything that shows it, including the device's copies. */
import { request } from '../../../session/api.ts';
import { keys } from '../../../session/query-keys.ts';
import { queriesNow } from '../../../session/records.ts';
import { refreshSession } from '../../../session/refresh-session.ts';
import { refreshDesk } from '../data/use-list.tsx';

const COPIES = [
  ['/api/locations', keys.locations],
  ['/api/study', keys.study],
  ['/api/questionnaires', keys.active],
] as const;

export async function refreshAfter(path: string): Promise<void> {
  const copies = COPIES.filter(([start]) => path.startsWith(start));
  await Promise.all([
    refreshDesk(),
    ...copies.map(([, queryKey]) => queriesNow().invalidateQueries({ queryKey })),
    // The rules hold the bounds of today, which go by the study's time zone.
    path.startsWith('/api/study') ? refreshSession() : null,
  ]);
}

export async function send<T = unknown>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const answer = await request<T>(method, path, body ? { body } : {});
  await refreshAfter(path);
  return answer;
}
