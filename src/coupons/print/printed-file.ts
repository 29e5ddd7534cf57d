/**
 * Printed codes and their records belong together: a printed code that doesn't exist is as bad as a stored code that
 * was never printed. So the complete PDF is first written to a temporary file; then one transaction stores the codes;
 * then the file is renamed. If it fails before the transaction, only the temporary file is left, which is removed. If
 * it fails afterwards, only the renaming is missing; `finishEarlierPrints` does it at the latest when the command runs
 * again, because the temporary file's name contains the id of a record of that transaction.
 */
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Types } from 'mongoose';
import { withFileLock } from '../../platform/db/embedded/file-lock.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { writeAtomically } from '../../platform/lib/atomic-files.ts';
import type { CouponSheet } from './coupon-sheet.ts';
import { writeCouponPdf } from './print.ts';

export interface PrintTarget {
  path: string;
  /** Whether the transaction has stored this record. */
  isStored(id: string): Promise<boolean>;
}

/**
 * Call before printing: locks the file, finishes an interrupted run, and refuses to replace an earlier print, which may
 * be the only copy, unless forced.
 */
export async function withPrintedFileLock<T>(
  file: PrintTarget,
  { force, say }: { force: boolean; say(text: string): void },
  work: () => Promise<T>,
): Promise<T> {
  const firstFolder = await mkdir(dirname(file.path), { recursive: true });
  if (firstFolder) say(`Created the folder ${firstFolder}.`);
  const sayWaiting = () => say('Waiting for another command that prints to this file.');
  return await withFileLock(
    join(dirname(file.path), `.${basename(file.path)}.lock`),
    sayWaiting,
    async () => {
      if (await finishEarlierPrints(file))
        say(`Recovered ${file.path} from an earlier run that was interrupted.`);
      if (!force && existsSync(file.path)) {
        throw problem('NAME_TAKEN', {
          message: `${file.path} already exists. Use another name, or --force to replace it.`,
        });
      }
      return await work();
    },
  );
}

/** Runs `store`, which must call `print` (into the temporary file) before it stores the codes, and renames the file. */
export async function printSheetAndStoreCodes<T>(
  file: PrintTarget,
  store: (print: (id: Types.ObjectId, sheet: CouponSheet) => Promise<void>) => Promise<T>,
): Promise<T> {
  try {
    return await store(async (id, sheet) => {
      await finishEarlierPrints(file); // From an earlier try, whose codes already existed.
      await writeFile(tempPath(file.path, id.toHexString()), sheet);
    });
  } finally {
    await finishEarlierPrints(file);
  }
}

/** Prints existing codes again. */
export async function printAgain(path: string, sheet: CouponSheet): Promise<void> {
  await writeAtomically([path], async ([aside = '']) =>
    writeCouponPdf(createWriteStream(aside, { mode: 0o600 }), sheet),
  );
}

/** Renames temporary files whose codes are stored, and removes the others. Returns the number of renamed files. */
async function finishEarlierPrints(file: PrintTarget): Promise<number> {
  const folder = dirname(file.path);
  const names = await readdir(folder).catch(() => []);
  let renamedFiles = 0;
  for (const name of names) {
    const id = name.startsWith(`.${basename(file.path)}.`)
      ? /\.([0-9a-f]{24})\.part$/.exec(name)?.[1]
      : undefined;
    if (!id) continue;
    const aside = join(folder, name);
    if (await file.isStored(id)) {
      await rename(aside, file.path);
      renamedFiles += 1;
    } else await rm(aside, { force: true });
  }
  return renamedFiles;
}

const tempPath = (path: string, id: string) => join(dirname(path), `.${basename(path)}.${id}.part`);

/** Flushed to disk before the codes are stored. */
async function writeFile(path: string, sheet: CouponSheet): Promise<void> {
  try {
    await writeCouponPdf(createWriteStream(path, { mode: 0o600 }), sheet);
    const handle = await open(path, 'r+');
    await handle.sync();
    await handle.close();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
