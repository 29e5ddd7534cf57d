/** Reads an XLSForm file outside the process that serves requests, because a file may be made to keep it busy. */
import { readXlsform } from './validator/validator.ts';
import { failedImport, type ImportedForm } from './xlsform/import/import.ts';
import { importNote, WHOLE_FILE } from './xlsform/notes.ts';

export async function readFormFile(file: Uint8Array, by?: string): Promise<ImportedForm> {
  return (await readXlsform(file, by)) ?? failedImport([importNote(WHOLE_FILE, 'FILE_TOO_SLOW')]);
}
