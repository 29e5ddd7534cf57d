/** Reads an XLSForm file, converts it to a questionnaire and validates it. Runs in the validator's process. */
import { checkDefinition } from '../definition/definition.ts';
import { failedImport, type ImportedForm, type ImportedWithPlaces, importForm } from './import/import.ts';
import {
  mebibytesText,
  newXlsformNote,
  type SheetRowPlace,
  WHOLE_FILE,
  XLSFORM_NOTE_SEVERITIES,
  type XlsformNote,
  xlsformNoteSeverityOf,
} from './notes.ts';
import { readSheets } from './read-sheets.ts';

const MAX_FAULTS = 200;
/** The size limit of a questionnaire in a request. */
const MAX_BYTES = 1024 * 1024;

export async function importXlsformFile(file: Uint8Array): Promise<ImportedForm> {
  const opened = await readSheets(file);
  if ('fault' in opened) return failedImport([opened.fault]);
  const { places, ...read } = importForm(opened.sheets);
  const bytes = Buffer.byteLength(JSON.stringify(read.definition));
  if (bytes > MAX_BYTES)
    return failedImport([
      newXlsformNote(WHOLE_FILE, 'FILE_TOO_LARGE', {
        what: mebibytesText(bytes),
        most: mebibytesText(MAX_BYTES),
      }),
    ]);
  const faults = [...read.faults, ...validateImport({ ...read, places })].slice(0, MAX_FAULTS);
  const notes = read.notes.toSorted((a, b) => weightAt(a) - weightAt(b));
  return { ...read, notes, faults, definition: faults.length > 0 ? null : read.definition };
}

const weightAt = (note: XlsformNote) => XLSFORM_NOTE_SEVERITIES.indexOf(xlsformNoteSeverityOf(note));

/** The service's own validation, with each fault at the row that it is about. */
function validateImport({
  definition,
  networkSizeQuestion,
  takesPartIf,
  identityQuestions,
  places,
}: ImportedWithPlaces): XlsformNote[] {
  if (!definition) return [];
  const faults = checkDefinition(definition, networkSizeQuestion ?? '', takesPartIf, identityQuestions);
  return faults
    .filter(({ path }) => path !== 'networkSizeQuestion')
    .map(({ path, code, message, params }) => ({
      ...(placeOf(definition, path, places) ?? { sheet: '', row: 0 }),
      code,
      message,
      ...(params && { params }),
    }));
}

/** The row of the innermost piece on this path. */
function placeOf(
  definition: object,
  path: string,
  places: ImportedWithPlaces['places'],
): SheetRowPlace | undefined {
  let place: SheetRowPlace | undefined;
  let at: unknown = definition;
  for (const key of path.split('.').slice(1)) {
    at = (at as Record<string, unknown> | null | undefined)?.[key];
    if (typeof at !== 'object' || at === null) break;
    place = places.get(at) ?? place;
  }
  return place;
}
