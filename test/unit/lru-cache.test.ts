/** Caches that forget what was used least recently. */
import { setTimeout as sleep } from 'node:timers/promises';
import { computeOnce, LruCache } from '../../src/platform/lib/lru-cache.ts';

test('forgets what was used least recently, by number or size', () => {
  const cache = new LruCache<number>(3);
  for (const [key, size] of [
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ] as const)
    cache.set(key, size, size);
  cache.get('a');
  cache.set('d', 1, 2);
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([1, undefined, undefined, 1]);
});

test('work that fails after its entry was evicted does not remove the entry that replaced it', async () => {
  const works = new LruCache<Promise<string>>(1);
  let fail = (_: Error) => {};
  const first = computeOnce(works, 'a', () => new Promise<string>((_, refuse) => (fail = refuse)));
  first.catch(() => {});
  await computeOnce(works, 'b', async () => 'b');
  let begun = 0;
  const begin = async () => `second ${++begun}`;
  await computeOnce(works, 'a', begin);
  fail(new Error('too late'));
  await sleep(0);
  expect([await computeOnce(works, 'a', begin), begun]).toEqual(['second 1', 1]);
});

test('failed work starts again the next time it is requested', async () => {
  const works = new LruCache<Promise<string>>(1);
  await expect(computeOnce(works, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await computeOnce(works, 'a', async () => 'yes')).toBe('yes');
});
