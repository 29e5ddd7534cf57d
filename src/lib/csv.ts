/**
 * Reading CSV as spreadsheets write it: a byte order mark, any end of line, semicolons or tabs between. In the browser
 * too.
 */
import { parse } from 'csv-parse/sync';

export interface CsvRow {
  /** Where it begins, counted from 1. */
  line: number;
  cells: string[];
}

/** Why a table can not be read: in words, and for a page that has words of its own. */
export class CsvFault extends SyntaxError {
  readonly fault:
    | { why: 'quote' | 'long'; line: number }
    | { why: 'column' | 'twice' | 'missing'; column: string };

  constructor(message: string, fault: CsvFault['fault']) {
    super(message);
    this.fault = fault;
  }
}

/** One row of a list of people or sites is far shorter. */
const LONGEST_ROW = 100_000;

/** Throws where a quoted cell has no end, or a row is endless. Lines without any text are left out. */
export function parseCsv(text: string): CsvRow[] {
  let line = 1;
  return read(text).flatMap(({ record: cells, raw }) => {
    const row = { line, cells };
    line += raw.match(/\r\n|\r|\n/g)?.length ?? 0;
    return cells.some((cell) => cell.trim() !== '') ? [row] : [];
  });
}

function read(text: string): { record: string[]; raw: string }[] {
  try {
    return parse(text, {
      bom: true,
      delimiter: separatorOf(text),
      max_record_size: LONGEST_ROW,
      raw: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // A quotation mark inside of a cell that does not begin with one is a letter like others.
      relax_quotes: true,
    }) as unknown as { record: string[]; raw: string }[];
  } catch (error) {
    const { code, lines: line = 0 } = error as { code?: string; lines?: number };
    if (code !== 'CSV_QUOTE_NOT_CLOSED' && code !== 'CSV_MAX_RECORD_SIZE') throw error;
    throw new CsvFault(`line ${line}: a quoted cell has no end`, { why: 'quote', line });
  }
}

/** The heading tells. */
function separatorOf(text: string): string {
  const heading = text.slice(0, text.search(/[\r\n]|$/));
  const count = (separator: string) => heading.split(separator).length;
  return [';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best), ',');
}

/** Columns by their names in any case; throws what is wrong with the heading, and with a row longer than it. */
export function columnsOf<C extends string>(
  rows: CsvRow[],
  { known, needed }: { known: readonly C[]; needed: readonly C[] },
): { line: number; cells: Map<C, string> }[] {
  const named = (text: string) => text.trim().toLowerCase();
  const heading = rows[0]?.cells.map(named) ?? [];
  const columns = heading.map((name) => known.find((one) => named(one) === name));
  const list = `the columns are ${known.join(', ')}`;
  for (const [at, name] of heading.entries()) {
    const column = columns[at] ?? name;
    if (!columns[at])
      throw new CsvFault(`it has an unknown column "${name}"; ${list}`, { why: 'column', column });
    if (heading.indexOf(name) < at)
      throw new CsvFault(`it has two columns "${column}"`, { why: 'twice', column });
  }
  const missing = needed.find((one) => !columns.includes(one));
  if (missing)
    throw new CsvFault(`it has no column "${missing}"; ${list}`, { why: 'missing', column: missing });
  return rows.slice(1).map(({ line, cells }) => {
    if (cells.length > columns.length) {
      throw new CsvFault(`line ${line} has more cells than the heading`, { why: 'long', line });
    }
    return { line, cells: new Map(columns.map((column, at) => [column as C, plain(cells[at] ?? '')])) };
  });
}

/** Spreadsheets are given a formula's first character behind an apostrophe. */
const plain = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r])/, '').trim();
