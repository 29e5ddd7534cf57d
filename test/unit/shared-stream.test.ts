/** Bytes that are made once for all who want them at the same time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SharedDownload, type StreamProducer } from '../../src/exports/publication/shared-stream.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

async function readAll(stream: SharedDownload, signal = new AbortController().signal): Promise<string> {
  let text = '';
  for await (const piece of stream.read(signal)) text += new TextDecoder().decode(piece);
  return text;
}

test('for two hundred readers the file is created once, and each gets all bytes, whenever it started', async () => {
  let made = 0;
  let goOn = () => {};
  const paused = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const make: StreamProducer = async (give) => {
    made++;
    await give(bytes('first '));
    await paused;
    await give(bytes('second'));
  };
  let ends = 0;
  const stream = new SharedDownload(make, () => ends++);
  const early = Array.from({ length: 100 }, async () => await readAll(stream));
  await sleep(1);
  const late = Array.from({ length: 100 }, async () => await readAll(stream));
  goOn();
  expect(new Set(await Promise.all([...early, ...late]))).toEqual(new Set(['first second']));
  expect({ made, ends }).toEqual({ made: 1, ends: 1 });
});

test('the first bytes can be read before the last are written', async () => {
  const stream = new SharedDownload(
    async (give, signal) => {
      await give(bytes('first'));
      await sleep(60_000, undefined, { signal });
    },
    () => {},
  );
  const pieces = stream.read(new AbortController().signal);
  expect((await pieces.next()).value).toEqual(bytes('first'));
  await pieces.return(undefined);
});

test('a failure reaches every reader after the bytes written so far', async () => {
  const stream = new SharedDownload(
    async (give) => {
      await give(bytes('half'));
      throw new Error('broken');
    },
    () => {},
  );
  const pieces = stream.read(new AbortController().signal);
  expect((await pieces.next()).value).toEqual(bytes('half'));
  await expect(pieces.next()).rejects.toThrow('broken');
  await expect(readAll(stream)).rejects.toThrow('broken');
});

test('it continues when one of two readers leaves, and ends when the last one does', async () => {
  let stopped: unknown = null;
  let ends = 0;
  const stream = new SharedDownload(
    async (_give, signal) => {
      await sleep(60_000, undefined, { signal }).catch((error: unknown) => {
        stopped = error;
      });
    },
    () => ends++,
  );
  const leaving = [new AbortController(), new AbortController()] as const;
  const readers = leaving.map(async ({ signal }) => await readAll(stream, signal).catch(() => 'left'));
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
