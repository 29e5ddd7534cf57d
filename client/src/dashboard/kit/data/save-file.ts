import { type CellRow, csvText } from '../../../../../src/exports/interviews/row-text.ts';

/** Saves a file created in the browser. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Leaves the browser time to start saving.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Starts with a byte order mark, so that spreadsheets read it as UTF-8. */
export const saveCsv = (rows: CellRow[], name: string): void =>
  saveFile(new Blob([`\uFEFF${csvText(rows)}`], { type: 'text/csv' }), name);
