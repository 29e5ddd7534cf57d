/** bundle.zip: everything an analysis needs, created entry by entry while it is being read. */
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import type { WriteChunk } from '../platform/http/bodies/backpressure.ts';

export interface BundleEntry {
  name: string;
  pieces(): Iterable<string> | AsyncIterable<string>;
}

/** `at` is the date of all entries. */
export async function writeZip(
  entries: Iterable<BundleEntry> | AsyncIterable<BundleEntry>,
  at: Date,
  give: WriteChunk,
): Promise<void> {
  const file = new ZipFile();
  let failed: unknown = null;
  const fail = (error: unknown) => {
    failed = error;
    (file.outputStream as Readable).destroy(error as Error);
  };
  file.on('error', fail);
  const addAll = async () => {
    for await (const { name, pieces } of entries) {
      file.addReadStreamLazy(name, { mtime: at, mode: 0o100600 }, (add) =>
        add(null, Readable.from(inTurn(pieces))),
      );
      // The next entry may take a while to create.
      await turn();
    }
    file.end();
  };
  addAll().catch(fail);
  try {
    for await (const piece of file.outputStream as unknown as AsyncIterable<Uint8Array>) await give(piece);
  } catch (error) {
    throw failed ?? error;
  }
}

/** Other requests get a turn between two pieces. */
async function* inTurn(pieces: BundleEntry['pieces']): AsyncGenerator<Buffer> {
  for await (const piece of pieces()) {
    yield Buffer.from(piece);
    await turn();
  }
}
