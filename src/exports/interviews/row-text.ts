/** Rows as text: CSV for spreadsheets and statistics programs, or one JSON object per line. */
import { stringify } from 'csv-stringify/sync';

export type CellRow = (string | number | boolean | null | undefined)[];
export type CsvOrJson = 'csv' | 'json';

/** If a spreadsheet separates cells by semicolons or tabs, a formula may begin in the middle of one of our cells. */
const FORMULA = /(^|[;\t\r\n]"*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20][^;\t\r\n]*)/g;
const NUMBER = /^[+-]?\d+([.,]\d+)?([eE][+-]?\d+)?$/;

/** Keeps spreadsheets from reading text as a formula; numbers written as text are left alone. */
function harmless(cell: CellRow[number]): CellRow[number] {
  if (typeof cell !== 'string') return cell;
  const guarded = cell.replace(FORMULA, (all, before: string, piece: string) =>
    NUMBER.test(piece) ? all : `${before}'${piece}`,
  );
  return /^[\t\r]/.test(guarded) ? `'${guarded}` : guarded;
}

/** A cell as the reader of the CSV sees it. */
export const csvCellText = (cell: CellRow[number]): string => String(harmless(cell) ?? '');

/**
 * R and others read an unquoted `NA` as missing; R's own writers quote it too. An unquoted CR ends the line for many
 * readers, which the library doesn't consider.
 */
const quotedIfNeeded = (text: string) =>
  text.trim() === 'NA' || text.includes('\r') ? { value: text, quoted: true } : text;

export function csvText(rows: CellRow[]): string {
  const cast = { boolean: String, string: quotedIfNeeded };
  return stringify(
    rows.map((row) => row.map(harmless)),
    { cast, record_delimiter: '\n' },
  );
}

const jsonOf = (cell: CellRow[number]): string =>
  cell === '' || cell === null || cell === undefined ? 'null' : JSON.stringify(cell);

/** `members` are the column names as JSON, serialized once for all rows. */
const objectOf = (members: string[], row: CellRow): string =>
  `{${members.map((member, at) => `${member}:${jsonOf(row[at])}`).join(',')}}`;

const membersOf = (columns: string[]) => columns.map((name) => JSON.stringify(name));

export function jsonLines(columns: string[], rows: CellRow[]): string {
  const members = membersOf(columns);
  return rows.map((row) => `${objectOf(members, row)}\n`).join('');
}

/** One JSON document, written in batches of rows. */
export function createJsonArrayWriter(columns: string[]): { some(rows: CellRow[]): string; end(): string } {
  const members = membersOf(columns);
  let before = '[\n';
  return {
    some(rows) {
      const lines = rows.map((row) => {
        const line = before + objectOf(members, row);
        before = ',\n';
        return line;
      });
      return lines.join('');
    },
    end: () => (before === '[\n' ? '[]\n' : '\n]\n'),
  };
}
