/** A file of XLSForm, outside of the process that answers requests: whoever made it may have made it to keep that busy. */
import { readXlsform } from '../validator.ts';
import { type Imported, nothingFrom } from './import.ts';
import { FILE, note } from './notes.ts';

export async function readFormFile(file: Uint8Array): Promise<Imported> {
  return (await readXlsform(file)) ?? nothingFrom([note(FILE, 'FILE_TOO_SLOW')]);
}
