/** A database for one benchmark: MONGO_URI, or a mongod of its own that goes with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { disconnect } from '../src/platform/db/connect.ts';
import { startEmbeddedDatabase } from '../src/platform/db/embedded/embedded.ts';
import { findMongod } from '../src/platform/db/embedded/mongod-binary.ts';

/** `measure` finds it at MONGO_URI. */
export async function withDatabase(say: (text: string) => void, measure: () => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'field-survey-bench-'));
  const log = { info: say, warn: say };
  try {
    if (process.env.MONGO_URI) await measure();
    else {
      const binary = await findMongod({
        binary: process.env.MONGOD_BINARY,
        dataDir: resolve(process.env.DATA_DIR ?? '.data'),
        log,
      });
      const mongod = await startEmbeddedDatabase({ dataDir: folder, binary, log });
      process.env.MONGO_URI = mongod.uri;
      try {
        await measure();
      } finally {
        await mongod.stop();
      }
    }
  } finally {
    await disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}
