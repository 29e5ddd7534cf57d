/** Reads an XLSForm file outside the process that serves requests, because a file may be made to keep it busy. */
import { readXlsform } from './validator/validator.ts';
import { failedImport, type Imported } from './xlsform/import/import.ts';
import { note, WHOLE_FILE } from './xlsform/notes.ts';

export async function readFormFile(file: Uint8Array, by?: string): Promise<Imported> {
  return (await readXlsform(file, by)) ?? failedImport([note(WHOLE_FILE, 'FILE_TOO_SLOW')]);
}
