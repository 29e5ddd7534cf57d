/** Around all tests: a one-node replica set of a real mongod, unless TEST_MONGO_URI names one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MongoMemoryReplSet } from 'mongodb-memory-server';
// @ts-expect-error: plain JavaScript
import { ROOT, stale } from '../scripts/ensure.mjs';
import { findMongod } from '../src/platform/db/embedded/mongod-binary.ts';

let replicaSet: MongoMemoryReplSet | undefined;

export async function setup(): Promise<void> {
  // Built commands and workers start in a third of the time; if the build is out of date, the sources run.
  process.env.TEST_BUILT ??= stale(ROOT).some(({ name }: { name: string }) => name === 'service') ? '' : '1';
  const log = { info: (text: string) => console.error(text), warn: (text: string) => console.error(text) };
  const { MONGOD_BINARY, DATA_DIR } = process.env;
  // Tests of the embedded mongod need a binary even if the other tests use an external database.
  process.env.TEST_MONGOD_BINARY ??= await findMongod({
    binary: MONGOD_BINARY,
    dataDir: resolve(DATA_DIR ?? '.data'),
    log,
  });
  process.env.TEST_RUN_FOLDER = mkdtempSync(join(tmpdir(), 'test-run-'));
  if (process.env.TEST_MONGO_URI) return;

  // Otherwise it warns that the binary is not the version it would have downloaded.
  process.env.MONGOMS_SYSTEM_BINARY_VERSION_CHECK = 'false';
  replicaSet = await MongoMemoryReplSet.create({
    binary: { systemBinary: process.env.TEST_MONGOD_BINARY },
    // Otherwise it writes diagnostics each second.
    replSet: {
      count: 1,
      storageEngine: 'wiredTiger',
      args: [
        '--quiet',
        ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
        // As in the service's own: so long the transaction of a killed process goes on.
        ...['--setParameter', 'transactionLifetimeLimitSeconds=30'],
      ],
    },
  });
  process.env.TEST_MONGO_URI = replicaSet.getUri();
  process.env.TEST_MONGO_ENDS = '1';
}

export async function teardown(): Promise<void> {
  rmSync(process.env.TEST_RUN_FOLDER ?? '', { recursive: true, force: true });
  await replicaSet?.stop({ doCleanup: true, force: true });
}
