/** Reads a complete list, for pages that look up or compare its records. */
import { useQuery } from '@tanstack/react-query';
import { fetchRows } from '../../../session/fetch-rows.ts';
import { queryKeys } from '../../../session/query-keys.ts';
import { useUser } from '../../../session/session.tsx';

interface Asking {
  /** Maximum number of rows. */
  most: number;
  /** Stale time in milliseconds. */
  fresh?: number;
  /** If false, nothing is requested yet. */
  open?: boolean;
}

export function useAllPages<T>(path: string, { most, fresh, open = true }: Asking) {
  return useQuery({
    queryKey: queryKeys.wholeList(useUser().id, path),
    queryFn: async () => (await fetchRows<T>(path, {}, most)).rows,
    enabled: open,
    ...(fresh === undefined ? {} : { staleTime: fresh }),
  });
}
