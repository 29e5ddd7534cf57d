/** A list that one screen needs as a whole, since it names or compares what stands in it. */
import { request } from '../api.ts';
import type { ListOf } from '../wire.ts';

const PAGE = 200;

/** No more pages than `most`: no list is asked for without end. */
export async function allPages<T>(path: string, most: number): Promise<T[]> {
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
