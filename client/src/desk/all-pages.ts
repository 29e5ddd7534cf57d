/** A list that one screen needs as a whole, since it names or compares what stands in it. */
import { useQuery } from '@tanstack/react-query';
import { request } from '../api.ts';
import { keys } from '../query-keys.ts';
import { useUser } from '../session.tsx';
import type { ListOf } from '../wire.ts';

const PAGE = 200;

async function allPages<T>(path: string, most: number): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null = '';
  for (let page = 0; page < most && cursor !== null; page += 1) {
    const from: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const answer: ListOf<T> = await request('GET', `${path}?limit=${PAGE}${from}`);
    all.push(...answer.data);
    cursor = answer.nextCursor;
  }
  return all;
}

interface Asking {
  /** No list is asked for without end. */
  mostPages: number;
  /** Milliseconds. */
  fresh?: number;
  /** False: not asked yet. */
  open?: boolean;
}

export function useAllPages<T>(path: string, { mostPages, fresh, open = true }: Asking) {
  return useQuery({
    queryKey: keys.wholeList(useUser().id, path),
    queryFn: () => allPages<T>(path, mostPages),
    enabled: open,
    ...(fresh === undefined ? {} : { staleTime: fresh }),
  });
}
