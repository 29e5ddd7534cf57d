/** After all tests: the mongod that globalSetup started stops, and its files go. */
import './globalSetup.ts';

export default async function globalTeardown(): Promise<void> {
  await globalThis.testReplicaSet?.stop({ doCleanup: true, force: true });
}
