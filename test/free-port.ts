/** A free port for a process of a test, which may listen later, or again after a restart. */
import { randomInt } from 'node:crypto';
import { freePort } from '../src/platform/db/embedded/mongod-process.ts';

/** Below the ports that systems assign, so that nothing else gets it by chance meanwhile. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const candidate = randomInt(15_000, 32_000);
    if ((await freePort(candidate)) === candidate) return candidate;
  }
}
