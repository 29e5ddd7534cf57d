/** What the dashboard reads from the service: one page of a list by its cursor, or one record. Nothing is kept. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '../../api.ts';
import { queries } from '../../records.ts';
import { useSession } from '../../session.tsx';
import type { ListOf } from '../../wire.ts';

export type Query = Record<string, string | undefined>;

export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

interface Asking {
  /** Milliseconds between looks at the service, for what moves by itself. */
  every?: number;
  /** False: not asked yet. */
  open?: boolean;
}

/** The person is part of the key: whoever signs in next on this device sees nothing of it. */
export function useGet<T>(path: string, { every, open = true }: Asking = {}) {
  const owner = useSession()?.user.id ?? '';
  return useQuery({
    queryKey: ['desk', owner, path],
    queryFn: () => request<T>('GET', path),
    placeholderData: keepPreviousData,
    staleTime: 2_000,
    enabled: open,
    ...(every ? { refetchInterval: every } : {}),
  });
}

export interface Listing<T> {
  rows: T[] | undefined;
  nextCursor: string | null;
  total: number | null;
  /** What is shown belongs to the question before this one. */
  stale: boolean;
  error: unknown;
  again(): void;
}

export function useList<T>(path: string, query: Query, asking: Asking = {}): Listing<T> {
  const asked = useGet<ListOf<T> & { total?: number }>(withQuery(path, query), asking);
  return {
    rows: asked.data?.data,
    nextCursor: asked.data?.nextCursor ?? null,
    total: asked.data?.total ?? null,
    stale: asked.isPlaceholderData,
    error: asked.error,
    again: () => void asked.refetch(),
  };
}

/** After a change: everything on the dashboard is asked again. */
export const refreshDesk = (): Promise<void> => queries.invalidateQueries({ queryKey: ['desk'] });
