/** Reads a complete list, for pages that look up or compare its records. */
import { useQuery } from '@tanstack/react-query';
import { fetchRows } from '../../../session/fetch-rows.ts';
import { queryKeys } from '../../../session/query-keys.ts';
import { useUser } from '../../../session/session.tsx';

interface AllPagesOptions {
  /** Maximum number of rows. */
  maxRows: number;
  /** Stale time in milliseconds. */
  staleTime?: number;
  /** If false, nothing is requested yet. */
  enabled?: boolean;
}

export function useAllPages<T>(path: string, { maxRows, staleTime, enabled = true }: AllPagesOptions) {
  return useQuery({
    queryKey: queryKeys.allPages(useUser().id, path),
    queryFn: async () => (await fetchRows<T>(path, {}, maxRows)).rows,
    enabled,
    ...(staleTime === undefined ? {} : { staleTime: staleTime }),
  });
}
