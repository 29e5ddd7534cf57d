/** Cached results. */
import { PendingCache } from '../../src/questionnaires/validator/within-deadline.ts';

const ask = async (works: PendingCache<string>, text: string, begun: string[]) =>
  await works.once([text], async () => {
    begun.push(text);
    return text;
  });

test('results are cached per key', async () => {
  const works = new PendingCache<string>(10_000_000);
  const begun: string[] = [];
  const texts = Array.from({ length: 200 }, (_, at) => `${at}${'x'.repeat(20_000)}`);
  for (let round = 0; round < 3; round++) for (const text of texts) await ask(works, text, begun);
  expect(begun).toHaveLength(200);
});

test('the cache evicts the oldest results beyond its byte limit', async () => {
  const works = new PendingCache<string>(10_000_000);
  const begun: string[] = [];
  const texts = Array.from({ length: 12 }, (_, at) => `${at}${'x'.repeat(1_000_000)}`);
  for (const text of texts) await ask(works, text, begun);
  for (const text of texts.toReversed()) await ask(works, text, begun);
  expect(begun).toHaveLength(12 + 3);
});

test('failed work is not cached', async () => {
  const works = new PendingCache<string>(10_000_000);
  const fails = async () => {
    throw new Error('no');
  };
  await expect(works.once(['a'], fails)).rejects.toThrow('no');
  await expect(works.once(['a'], async () => 'done')).resolves.toBe('done');
});
