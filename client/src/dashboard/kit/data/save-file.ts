import { type CellRow, csv } from '../../../../../src/exports/interviews/row-text.ts';

/** Hands a file that was made here to the browser, to be saved. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has to have begun with it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** With the byte order mark by which spreadsheets recognize UTF-8. */
export const saveCsv = (rows: CellRow[], name: string): void =>
  saveFile(new Blob([`\uFEFF${csv(rows)}`], { type: 'text/csv' }), name);
