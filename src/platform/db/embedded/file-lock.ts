/** A lock for one process at a time, in a file that names its holder. The file of a dead process is taken over. */

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parsedJson } from '../../lib/objects/parsed-json.ts';
import { identityOf, isAlive } from './process-identity.ts';

/** Files that a process which exits in the middle removes: a signal may end it at once. */
const mine = new Set<string>();
process.on('exit', () => {
  for (const file of mine) rmSync(file, { force: true });
});

export async function withFileLock<T>(file: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  await take(file, onWait);
  try {
    return await work();
  } finally {
    await remove(file);
  }
}

async function take(file: string, onWait: () => void): Promise<void> {
  // Written aside and linked, so that the lock never exists without its holder's name in it.
  const aside = `${file}.${randomUUID()}`;
  mine.add(aside);
  try {
    // On a full disk this fails, and leaves an empty file behind that must go too.
    await writeFile(aside, JSON.stringify(identityOf(process.pid)));
    for (let tries = 0; ; tries++) {
      if (await linked(aside, file)) break;
      const holder = await readFile(file, 'utf8').catch(() => null);
      if (holder !== null && !isAlive(parsedJson(holder) as { pid?: number; started?: string } | null))
        await takeAway(file, holder);
      else if (tries === 20) onWait();
      await sleep(100);
    }
    mine.add(file);
  } finally {
    await remove(aside);
  }
}

async function remove(file: string): Promise<void> {
  await rm(file, { force: true });
  mine.delete(file);
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
