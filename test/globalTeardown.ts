/** After all tests: stops the mongod that globalSetup started and deletes its files. */
import { rmSync } from 'node:fs';
import './globalSetup.ts';

export default async function globalTeardown(): Promise<void> {
  rmSync(process.env.TEST_RUN_FOLDER ?? '', { recursive: true, force: true });
  if (!globalThis.testReplicaSet) return;
  await globalThis.testReplicaSet.stop({ doCleanup: true, force: true });
  // Otherwise a later run in this process (--watch) would look for it.
  globalThis.testReplicaSet = undefined;
  delete process.env.TEST_MONGO_URI;
  delete process.env.TEST_MONGO_ENDS;
}
