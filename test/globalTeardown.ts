/** After all tests: the mongod that globalSetup started stops, and its files go. */
import './globalSetup.ts';

export default async function globalTeardown(): Promise<void> {
  if (!globalThis.testReplicaSet) return;
  await globalThis.testReplicaSet.stop({ doCleanup: true, force: true });
  // Else a later run in this process (--watch) would look for it.
  globalThis.testReplicaSet = undefined;
  delete process.env.TEST_MONGO_URI;
  delete process.env.TEST_MONGO_ENDS;
}
