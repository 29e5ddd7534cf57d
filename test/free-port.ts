/** A free port for a process of a test, which listens a moment later or again after a restart. */
import { randomInt } from 'node:crypto';
import { freePort } from '../src/db/mongod-process.ts';

/** Below those that systems give to whoever asks for any, and to connections: nobody gets it by chance meanwhile. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const wanted = randomInt(15_000, 32_000);
    if ((await freePort(wanted)) === wanted) return wanted;
  }
}
