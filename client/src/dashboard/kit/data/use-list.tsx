/** Reads one page of a list by its cursor, or one record, from the service. Not stored on the device. */
import { type Query as CachedQuery, keepPreviousData, useQuery } from '@tanstack/react-query';
import { currentWorkspace } from '../../../device/workspace.ts';
import { type Query, withQuery } from '../../../session/api.ts';
import { queryKeys } from '../../../session/query-keys.ts';
import { currentQueryClient, dashboardQuery } from '../../../session/records.ts';
import { useSession } from '../../../session/session.tsx';
import type { ListOf } from '../../../wire.ts';

interface QueryOptions<T = unknown> {
  /** Refetch interval in milliseconds; it may depend on the last answer. */
  refetchInterval?: number | ((data: T | undefined) => number);
  /** If false, nothing is requested yet. */
  enabled?: boolean;
  /** Keeps showing the previous path's data until the new data arrives. */
  keepPrevious?: boolean;
  /** Milliseconds during which another page reuses the answer, unless something was changed here. */
  staleTime?: number;
}

export function useGet<T>(
  path: string,
  { refetchInterval, enabled = true, keepPrevious = true, ...staleness }: QueryOptions<T> = {},
) {
  const owner = useSession()?.user.id ?? '';
  return useQuery<T>({
    ...dashboardQuery<T>(owner, path),
    ...staleness,
    placeholderData: keepPrevious ? keepPreviousData : undefined,
    enabled,
    refetchInterval: ({ state: { data } }) =>
      (typeof refetchInterval === 'function' ? refetchInterval(data) : refetchInterval) ?? false,
  });
}

/** Reads one record, without showing the previous one while it loads. */
export const useRecord = <T,>(path: string, enabled = true) =>
  useGet<T>(path, { enabled, keepPrevious: false });

export interface ListQueryResult<T> {
  rows: T[] | undefined;
  nextCursor: string | null;
  total: number | null;
  /** The rows shown are still those of the previous query. */
  stale: boolean;
  error: unknown;
  again(): void;
}

export function useList<T>(
  path: string,
  query: Query,
  options: { refetchInterval?: number; enabled?: boolean } = {},
): ListQueryResult<T> {
  const answer = useGet<ListOf<T> & { total?: number }>(withQuery(path, query), options);
  return {
    rows: answer.data?.data,
    nextCursor: answer.data?.nextCursor ?? null,
    total: answer.data?.total ?? null,
    stale: answer.isPlaceholderData,
    error: answer.error,
    again: () => void answer.refetch(),
  };
}

/** For rows that are not requested page by page. */
export const asListQueryResult = <T,>(
  query: { error: unknown; refetch(): unknown },
  rows: T[] | undefined,
): ListQueryResult<T> => ({
  rows,
  nextCursor: null,
  total: null,
  stale: false,
  error: query.error,
  again: () => void query.refetch(),
});

/** Caches the service's reply to a change of the record at this path. */
export const cacheRecord = (path: string, answer: object): void =>
  void currentQueryClient().setQueryData(queryKeys.answer(currentWorkspace.get().owner, path), answer);

/** After a change: refetches everything on the dashboard. */
export const refetchDashboard = (): Promise<void> =>
  currentQueryClient().invalidateQueries({ queryKey: queryKeys.allOfDashboard });

/** After a refused change, or one whose reply was lost: the page may show a version that is no longer stored. */
export function refreshAndThrow(error: unknown): never {
  void refetchDashboard();
  throw error;
}

const queriesOf = (isOne: (path: string) => boolean) => ({
  queryKey: queryKeys.allOfDashboard,
  predicate: ({ queryKey }: CachedQuery) => isOne(String(queryKey[2])),
});

/** After a change that affects only these paths. */
export const refreshQueries = (isTouched: (path: string) => boolean): Promise<void> =>
  currentQueryClient().invalidateQueries(queriesOf(isTouched));

const PAUSE_MS = 3_000;
let pause: ReturnType<typeof setTimeout> | undefined;

/**
 * After one of many quick changes: marks the queries as stale, and refetches the visible ones only once nothing has
 * changed for a moment. Refetching after each change would exceed the person's rate limit.
 */
export function refreshQueriesSoon(isTouched: (path: string) => boolean): void {
  const queries = currentQueryClient();
  void queries.invalidateQueries({ ...queriesOf(isTouched), refetchType: 'none' });
  clearTimeout(pause);
  const isStale = ({ state }: CachedQuery) => state.isInvalidated;
  pause = setTimeout(() => {
    void queries.refetchQueries({ queryKey: queryKeys.allOfDashboard, type: 'active', predicate: isStale });
  }, PAUSE_MS);
}
