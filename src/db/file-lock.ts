/** One process at a time, by a file that says who holds it; the file of a process that died is taken over. */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isAlive } from './process-identity.ts';

export async function withFileLock<T>(file: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  await take(file, onWait);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string, onWait: () => void): Promise<void> {
  // Written aside and linked, so that the lock never exists without its holder's name in it.
  const mine = `${file}.${randomUUID()}`;
  try {
    // On a full disk this fails, and leaves an empty file behind that must go too.
    await writeFile(mine, JSON.stringify(identityOf(process.pid)));
    for (let tries = 0; ; tries++) {
      if (await linked(mine, file)) return;
      const holder = await readFile(file, 'utf8').catch(() => null);
      if (holder !== null && !isAlive(parse(holder))) await takeAway(file, holder);
      else if (tries === 20) onWait();
      await sleep(100);
    }
  } finally {
    await rm(mine, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Moved aside first, and put back if meanwhile another process had replaced the dead one's file by its own. */
async function takeAway(file: string, dead: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== dead) await linked(aside, file);
  await rm(aside, { force: true });
}

function parse(text: string): { pid?: number; started?: string } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
