import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const DAY = 24 * 3_600_000;

/**
 * Writes files under temporary names and renames them at the end, so that a file with its final name is always
 * complete, even if two processes write it at once. `write` gets the temporary paths in the order of `paths`. If it
 * fails, none of the files appears.
 */
export async function writeAtomically<T>(
  paths: string[],
  write: (tempPaths: string[]) => Promise<T>,
): Promise<T> {
  for (const path of paths) await removeLeftovers(path);
  const pairs = paths.map((path) => ({ path, aside: `${path}.${randomUUID()}.part` }));
  try {
    const result = await write(pairs.map(({ aside }) => aside));
    for (const { aside } of pairs) {
      const file = await open(aside, 'r+');
      await file.sync();
      await file.close();
    }
    for (const { path, aside } of pairs) await rename(aside, path);
    return result;
  } finally {
    for (const { aside } of pairs) await rm(aside, { force: true });
  }
}

/** Removes temporary files of processes that were killed. A file that is still being written is newer. */
async function removeLeftovers(path: string): Promise<void> {
  const start = `${basename(path)}.`;
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(start) || !/^[0-9a-f-]{36}\.part$/.test(name.slice(start.length))) continue;
    const file = join(dirname(path), name);
    const stats = await stat(file).catch(() => null);
    if (stats && Date.now() - stats.mtimeMs > DAY) await rm(file, { force: true });
  }
}
