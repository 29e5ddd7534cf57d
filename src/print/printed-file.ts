/**
 * Printed codes and their records belong together: a page with a code that doesn't exist, and a code that nobody has
 * on paper, are equally bad. So the PDF is written aside first, in full; then one transaction stores the codes; then
 * the file gets its name. Before the transaction a failure leaves nothing but the file aside, which is removed. After
 * it only a change of name is missing, which `settle` makes up for, at the latest when the command runs again: the
 * name of the file aside holds the id of a record of that transaction.
 */
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Types } from 'mongoose';
import { withFileLock } from '../db/file-lock.ts';
import { problem } from '../http/problem.ts';
import type { CouponSheet } from './coupon-sheet.ts';
import { print } from './press.ts';

export interface PrintedFile {
  path: string;
  /** Whether the transaction that was to store this record has. */
  stored(id: string): Promise<boolean>;
}

/**
 * What comes before any print: nobody else writes this file at the same time, a run that was cut off is settled, and
 * an earlier print, which may be the only one that there is, is replaced only where that was asked for.
 */
export async function preparePrint<T>(
  file: PrintedFile,
  { force, say }: { force: boolean; say(text: string): void },
  work: () => Promise<T>,
): Promise<T> {
  const made = await mkdir(dirname(file.path), { recursive: true });
  if (made) say(`Made the folder ${made}.`);
  const waiting = () => say('Waiting for another command that prints to this file.');
  return await withFileLock(join(dirname(file.path), `.${basename(file.path)}.lock`), waiting, async () => {
    if (await settle(file)) say(`Mended: ${file.path} is from an earlier run, which was cut off at its end.`);
    if (!force && existsSync(file.path)) {
      throw problem('NAME_TAKEN', {
        message: `${file.path} is there already. Name another file, or say --force to replace it.`,
      });
    }
    return await work();
  });
}

/** Prints aside, runs `store`, which must call `print` before it stores, and names the file. */
export async function printedTogether<T>(
  file: PrintedFile,
  store: (print: (id: Types.ObjectId, sheet: CouponSheet) => Promise<void>) => Promise<T>,
): Promise<T> {
  try {
    return await store(async (id, sheet) => {
      await settle(file); // An earlier try, whose codes were taken already.
      await writeWhole(asideOf(file.path, id.toHexString()), sheet);
    });
  } finally {
    await settle(file);
  }
}

/** A file that has no codes of its own to wait for. */
export async function printAgain(path: string, sheet: CouponSheet): Promise<void> {
  const aside = asideOf(path, 'again');
  try {
    await writeWhole(aside, sheet);
    await rename(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
}

/** Files aside whose codes are stored get their name, the others go. Answers how many were named. */
async function settle(file: PrintedFile): Promise<number> {
  const folder = dirname(file.path);
  const names = await readdir(folder).catch(() => []);
  let named = 0;
  for (const name of names) {
    const id = name.startsWith(`.${basename(file.path)}.`)
      ? /\.([0-9a-f]{24})\.part$/.exec(name)?.[1]
      : undefined;
    if (!id) continue;
    const aside = join(folder, name);
    if (await file.stored(id)) {
      await rename(aside, file.path);
      named += 1;
    } else await rm(aside, { force: true });
  }
  return named;
}

const asideOf = (path: string, id: string) => join(dirname(path), `.${basename(path)}.${id}.part`);

/** On the disk, not only on its way to it, before its codes are stored. */
async function writeWhole(path: string, sheet: CouponSheet): Promise<void> {
  try {
    await print(createWriteStream(path), sheet);
    const written = await open(path, 'r+');
    await written.sync();
    await written.close();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
