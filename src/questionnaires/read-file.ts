/**
 * Reads an XLSForm file in a separate process, because a file can be crafted to block the process that serves requests.
 */
import { readXlsform } from './validator/validator.ts';
import { failedImport, type ImportedForm } from './xlsform/import/import.ts';
import { importNote, WHOLE_FILE } from './xlsform/notes.ts';

export async function readFormFile(file: Uint8Array, by?: string): Promise<ImportedForm> {
  return (await readXlsform(file, by)) ?? failedImport([importNote(WHOLE_FILE, 'FILE_TOO_SLOW')]);
}
