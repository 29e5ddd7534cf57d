/** Rows as text: CSV that spreadsheets and statistics read alike, or a JSON object a line. */
import { stringify } from 'csv-stringify/sync';

export type Row = (string | number | boolean | null | undefined)[];
export type Format = 'csv' | 'json';

const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const NUMBER = /^[+-]?\d+([.,]\d+)?([eE][+-]?\d+)?$/;

/** A spreadsheet must not take words for a formula; a number that was written as text is none. */
const harmless = (cell: Row[number]) =>
  typeof cell === 'string' && FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;

export function csv(rows: Row[]): string {
  const cast = { boolean: String };
  return stringify(
    rows.map((row) => row.map(harmless)),
    { cast, record_delimiter: '\n' },
  );
}

const objectOf = (columns: string[], row: Row): string =>
  JSON.stringify(
    Object.fromEntries(columns.map((name, at) => [name, row[at] === '' ? null : (row[at] ?? null)])),
  );

export const jsonLines = (columns: string[], rows: Row[]): string =>
  rows.map((row) => `${objectOf(columns, row)}\n`).join('');

/** One document, some rows at a time. */
export function jsonArray(columns: string[]): { some(rows: Row[]): string; end(): string } {
  let before = '[\n';
  return {
    some(rows) {
      const lines = rows.map((row) => {
        const line = before + objectOf(columns, row);
        before = ',\n';
        return line;
      });
      return lines.join('');
    },
    end: () => (before === '[\n' ? '[]\n' : '\n]\n'),
  };
}
