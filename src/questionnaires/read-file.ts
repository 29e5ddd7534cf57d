/**
 * Reads an XLSForm file in a separate process, because a file can be crafted to block the process that serves requests.
 */
import { readXlsform } from './validator/validator.ts';
import { failedImport, type ImportedForm } from './xlsform/import/import.ts';
import { newXlsformNote, WHOLE_FILE } from './xlsform/notes.ts';

export async function readFormFile(file: Uint8Array, by?: string): Promise<ImportedForm> {
  return (await readXlsform(file, by)) ?? failedImport([newXlsformNote(WHOLE_FILE, 'FILE_TOO_SLOW')]);
}
