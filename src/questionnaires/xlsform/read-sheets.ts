/**
 * Reads the sheets of an .xlsx file. A small file could unpack to gigabytes, so the unpacked size is checked in its
 * table of contents first. Runs in a process that can be killed (validator.ts).
 */
import { unzipSync } from 'fflate';
import readXlsx from 'read-excel-file/node';
import type { Sheet, SheetCell } from './import/table.ts';
import { mebibytesText, newXlsformNote, WHOLE_FILE, type XlsformNote } from './notes.ts';

const LIMITS = {
  entries: 200,
  /** Total size of all entries. */
  bytes: 16 * 1024 * 1024,
  rows: 5_000,
  columns: 300,
  sheets: 20,
};

type OpenResult = { sheets: Sheet[] } | { fault: XlsformNote };

/** The first bytes of old .xls files, and of files locked with a password. */
const XLS_SIGNATURE = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const ENCRYPTED_MARK = Buffer.from('EncryptedPackage', 'utf16le');

export async function readSheets(file: Uint8Array): Promise<OpenResult> {
  if (XLS_SIGNATURE.every((byte, at) => file[at] === byte))
    return {
      fault: newXlsformNote(
        WHOLE_FILE,
        Buffer.from(file).includes(ENCRYPTED_MARK) ? 'HAS_PASSWORD' : 'XLS_OLD',
      ),
    };
  const large = tooLarge(file);
  if (large) return { fault: large };
  try {
    const read = (await readXlsx(Buffer.from(file), { trim: false })) as unknown as {
      sheet: string;
      data: SheetCell[][];
    }[];
    const sheets = read.map(({ sheet, data }) => ({ name: sheet, rows: data }));
    const many = tooMany(sheets);
    return many ? { fault: many } : { sheets };
  } catch {
    // Files from elsewhere make the reader throw in many ways, all of which mean that it isn't a valid file.
    return { fault: newXlsformNote(WHOLE_FILE, 'NOT_XLSX') };
  }
}

function tooLarge(file: Uint8Array): XlsformNote | null {
  let [entries, bytes] = [0, 0];
  try {
    unzipSync(file, {
      filter: ({ originalSize }) => {
        entries += 1;
        bytes += originalSize;
        return false;
      },
    });
  } catch {
    return newXlsformNote(WHOLE_FILE, 'NOT_XLSX');
  }
  if (entries > LIMITS.entries)
    return newXlsformNote(WHOLE_FILE, 'FILE_TOO_LARGE', {
      what: `${entries} zip entries`,
      most: LIMITS.entries,
    });
  if (bytes <= LIMITS.bytes) return null;
  return newXlsformNote(WHOLE_FILE, 'FILE_TOO_LARGE', {
    what: mebibytesText(bytes),
    most: mebibytesText(LIMITS.bytes),
  });
}

function tooMany(sheets: Sheet[]): XlsformNote | null {
  if (sheets.length > LIMITS.sheets)
    return newXlsformNote(WHOLE_FILE, 'FILE_TOO_LARGE', {
      what: `${sheets.length} sheets`,
      most: LIMITS.sheets,
    });
  for (const { name, rows } of sheets) {
    const columns = rows.reduce((max, row) => Math.max(max, row.length), 0);
    if (rows.length > LIMITS.rows)
      return newXlsformNote({ sheet: name, row: 0 }, 'FILE_TOO_LARGE', {
        what: `${rows.length} rows`,
        most: LIMITS.rows,
      });
    if (columns > LIMITS.columns)
      return newXlsformNote({ sheet: name, row: 0 }, 'FILE_TOO_LARGE', {
        what: `${columns} columns`,
        most: LIMITS.columns,
      });
  }
  return null;
}
