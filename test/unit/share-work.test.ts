/** Bytes that are made once for all who want them at the same time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Make, SharedWork } from '../../src/exports/publication/share-work.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

async function readAll(work: SharedWork, signal = new AbortController().signal): Promise<string> {
  let text = '';
  for await (const piece of work.read(signal)) text += new TextDecoder().decode(piece);
  return text;
}

test('two hundred readers cost one making, and each gets all bytes, whenever it came', async () => {
  let made = 0;
  let goOn = () => {};
  const paused = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const make: Make = async (give) => {
    made++;
    await give(bytes('first '));
    await paused;
    await give(bytes('second'));
  };
  let ends = 0;
  const work = new SharedWork(make, () => ends++);
  const early = Array.from({ length: 100 }, async () => await readAll(work));
  await sleep(1);
  const late = Array.from({ length: 100 }, async () => await readAll(work));
  goOn();
  expect(new Set(await Promise.all([...early, ...late]))).toEqual(new Set(['first second']));
  expect({ made, ends }).toEqual({ made: 1, ends: 1 });
});

test('the first bytes are read before the last are made', async () => {
  const work = new SharedWork(
    async (give, signal) => {
      await give(bytes('first'));
      await sleep(60_000, undefined, { signal });
    },
    () => {},
  );
  const pieces = work.read(new AbortController().signal);
  expect((await pieces.next()).value).toEqual(bytes('first'));
  await pieces.return(undefined);
});

test('a failure reaches every reader after the bytes that were made', async () => {
  const work = new SharedWork(
    async (give) => {
      await give(bytes('half'));
      throw new Error('broken');
    },
    () => {},
  );
  const pieces = work.read(new AbortController().signal);
  expect((await pieces.next()).value).toEqual(bytes('half'));
  await expect(pieces.next()).rejects.toThrow('broken');
  await expect(readAll(work)).rejects.toThrow('broken');
});

test('it goes on when one of two readers leaves, and ends when the last one does', async () => {
  let stopped: unknown = null;
  let ends = 0;
  const work = new SharedWork(
    async (_give, signal) => {
      await sleep(60_000, undefined, { signal }).catch((error: unknown) => {
        stopped = error;
      });
    },
    () => ends++,
  );
  const leaving = [new AbortController(), new AbortController()] as const;
  const readers = leaving.map(async ({ signal }) => await readAll(work, signal).catch(() => 'left'));
  await sleep(1);
  leaving[0].abort();
  expect(await readers[0]).toBe('left');
  await sleep(1);
  expect({ stopped, ends }).toEqual({ stopped: null, ends: 0 });
  leaving[1].abort();
  expect(await readers[1]).toBe('left');
  await sleep(1);
  expect(stopped).not.toBeNull();
  expect(ends).toBeGreaterThan(0);
});
