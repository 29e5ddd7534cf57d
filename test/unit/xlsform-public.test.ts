/** Public XLSForm files: they are imported unchanged, and each row is kept or reported. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportForm } from '../../src/questionnaires/xlsform/export/export.ts';
import { importForm } from '../../src/questionnaires/xlsform/import/import.ts';
import { cellTextOf } from '../../src/questionnaires/xlsform/import/table.ts';
import { importXlsformFile } from '../../src/questionnaires/xlsform/read-form.ts';
import { readSheets } from '../../src/questionnaires/xlsform/read-sheets.ts';

const FOLDER = join(import.meta.dirname, '../public-forms');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.xlsx'));

/** The rows with questions, with their names. */
async function rowsOf(file: Buffer) {
  const opened = await readSheets(file);
  const rows =
    'sheets' in opened ? opened.sheets.find(({ name }) => name.trim() === 'survey')?.rows : undefined;
  const cells = (rows ?? []).map((row) => row.map(cellTextOf));
  const head = cells.findIndex((row) => row.some((text) => text !== ''));
  const [type, name] = ['type', 'name'].map((key) =>
    cells[head]?.findIndex((text) => text.toLowerCase() === key),
  );
  return cells.flatMap((row, at) => {
    const [what = '', called = ''] = [row[type ?? -1], row[name ?? -1]];
    return at <= head || what === '' || /^end[ _]/i.test(what) ? [] : [{ row: at + 1, called }];
  });
}

/** All names of a definition, including rows of its tables. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(namesIn);
}

test.each(files)(
  '%s: every row is imported or has a note, and export and import give the same definition',
  async (name) => {
    const file = readFileSync(join(FOLDER, name));
    const { definition, notes, faults, ...form } = await importXlsformFile(file);
    expect(faults).toEqual([]);
    const importedNames = new Set(namesIn(definition));
    const rowsWithNotes = new Set(notes.filter(({ sheet }) => sheet === 'survey').map(({ row }) => row));
    const rows = await rowsOf(file);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ row, called }) => !rowsWithNotes.has(row) && !importedNames.has(called))).toEqual(
      [],
    );

    const exportedForm = {
      ...form,
      definition: definition ?? {},
      networkSizeQuestion: form.networkSizeQuestion ?? '',
    };
    const { sheets } = exportForm(exportedForm);
    expect(importForm(sheets).definition).toEqual(definition);
  },
);
