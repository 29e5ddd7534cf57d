/** Files that are written aside and get their names at the end: what bears its name is whole. */
import { open, rename, rm } from 'node:fs/promises';

/** `write` is given the places aside, in the order of `paths`. Where it fails, none of the files appears. */
export async function wholeFiles<T>(paths: string[], write: (asides: string[]) => Promise<T>): Promise<T> {
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
