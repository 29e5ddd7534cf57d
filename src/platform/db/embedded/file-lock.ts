/**
 * A lock that one process at a time can hold: a file that names its holder. If the holder is dead, the file is taken
 * over.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJsonOrNull } from '../../lib/objects/parse-json.ts';
import { isProcessAlive, processIdentityOf } from './process-identity.ts';

const RETRY_MS = 100;
const TRIES_BEFORE_NOTICE = 20;

/** Files to remove on exit, because a signal may end the process at any time. */
const ownFiles = new Set<string>();
process.on('exit', () => {
  for (const file of ownFiles) rmSync(file, { force: true });
});

export async function withFileLock<T>(file: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  await acquire(file, onWait);
  try {
    return await work();
  } finally {
    await remove(file);
  }
}

async function acquire(file: string, onWait: () => void): Promise<void> {
  // Written completely and then linked to its name, so that the lock file always names its holder.
  const temporary = `${file}.${randomUUID()}`;
  ownFiles.add(temporary);
  try {
    // Fails on a full disk, leaving an empty file that must be removed too.
    await writeFile(temporary, JSON.stringify(processIdentityOf(process.pid)));
    for (let tries = 0; !(await linked(temporary, file)); tries++) {
      const holder = await readFile(file, 'utf8').catch(() => null);
      if (holder !== null && !isProcessAlive(parseJsonOrNull(holder) as Parameters<typeof isProcessAlive>[0]))
        await removeStale(file, holder);
      else if (tries === TRIES_BEFORE_NOTICE) onWait();
      await sleep(RETRY_MS);
    }
    ownFiles.add(file);
  } finally {
    await remove(temporary);
  }
}

async function remove(file: string): Promise<void> {
  await rm(file, { force: true });
  ownFiles.delete(file);
}

/** Links the file to this name; false if a file with this name exists. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Renames the file first, and puts it back if another process has replaced the dead process's file with its own in the
 * meantime.
 */
async function removeStale(file: string, dead: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    await rename(file, temporary);
  } catch {
    return;
  }
  if ((await readFile(temporary, 'utf8')) !== dead) await linked(temporary, file);
  await rm(temporary, { force: true });
}
