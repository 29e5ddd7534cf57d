import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes files under temporary names and renames them at the end, so that a file with its final name is complete. `write`
 * gets the temporary paths in the order of `paths`. If it fails, none of the files appears.
 */
export async function writeAtomically<T>(
  paths: string[],
  write: (tempPaths: string[]) => Promise<T>,
): Promise<T> {
  const pairs = paths.map((path) => ({ path, aside: `${path}.part` }));
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
