/**
 * Reads CSV as spreadsheets write it: with a byte order mark, any line ending, and commas, semicolons or tabs.
 * Browser-safe.
 */
import { parse } from 'csv-parse/sync';

export interface CsvRow<Cell = string> {
  /** The line on which it begins, starting at 1. */
  line: number;
  cells: Cell[];
}

/** Why a table can't be read: an English message, and data for pages that have their own texts. */
export class CsvError extends SyntaxError {
  readonly fault:
    | { why: 'quote' | 'long'; line: number }
    | { why: 'column' | 'twice' | 'missing'; column: string };

  constructor(message: string, fault: CsvError['fault']) {
    super(message);
    this.fault = fault;
  }
}

const MAX_ROW_LENGTH = 100_000;

interface Reading<Cell> {
  /** By default the one that occurs most often in the heading. */
  delimiter?: string;
  /** False if quotation marks are ordinary characters. */
  quote?: false;
  cast?(cell: string, context: { quoting: boolean }): Cell;
}

/** Throws if a quoted cell is not closed or a row is too long. Skips empty lines. */
export function parseCsv<Cell = string>(text: string, reading: Reading<Cell> = {}): CsvRow<Cell>[] {
  let line = 1;
  return parseRecords(text, reading).flatMap(({ record: cells, raw }) => {
    const row = { line, cells };
    line += raw.match(/\r\n|\r|\n/g)?.length ?? 0;
    return cells.some((cell) => String(cell ?? '').trim() !== '') ? [row] : [];
  });
}

function parseRecords<Cell>(text: string, reading: Reading<Cell>): { record: Cell[]; raw: string }[] {
  try {
    return parse(text, {
      bom: true,
      delimiter: detectSeparator(text),
      max_record_size: MAX_ROW_LENGTH,
      raw: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // A quotation mark inside an unquoted cell is an ordinary character.
      relax_quotes: true,
      ...reading,
    }) as unknown as { record: Cell[]; raw: string }[];
  } catch (error) {
    const { code, lines: line = 0 } = error as { code?: string; lines?: number };
    if (code !== 'CSV_QUOTE_NOT_CLOSED' && code !== 'CSV_MAX_RECORD_SIZE') throw error;
    throw new CsvError(`line ${line}: a quoted cell isn't closed`, { why: 'quote', line });
  }
}

/** The separator that occurs most often in the heading. */
function detectSeparator(text: string): string {
  const heading = text.slice(0, text.search(/[\r\n]|$/));
  const count = (separator: string) => heading.split(separator).length;
  return [';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best), ',');
}

/** Maps cells to columns by their names, ignoring case. Throws if the heading is wrong or a row is longer than it. */
export function rowsByColumnName<C extends string>(
  rows: CsvRow[],
  { known: knownColumns, needed }: { known: readonly C[]; needed: readonly C[] },
): { line: number; cells: Map<C, string> }[] {
  const normalized = (text: string) => text.trim().toLowerCase();
  const heading = rows[0]?.cells.map(normalized) ?? [];
  const columns = heading.map((name) => knownColumns.find((one) => normalized(one) === name));
  const list = `the columns are ${knownColumns.join(', ')}`;
  for (const [at, name] of heading.entries()) {
    const column = columns[at] ?? name;
    if (!columns[at])
      throw new CsvError(`it has an unknown column "${name}"; ${list}`, { why: 'column', column });
    if (heading.indexOf(name) < at)
      throw new CsvError(`it has two columns "${column}"`, { why: 'twice', column });
  }
  const missing = needed.find((one) => !columns.includes(one));
  if (missing)
    throw new CsvError(`it has no column "${missing}"; ${list}`, { why: 'missing', column: missing });
  return rows.slice(1).map(({ line, cells }) => {
    if (cells.length > columns.length) {
      throw new CsvError(`line ${line} has more cells than the header row`, { why: 'long', line });
    }
    return {
      line,
      cells: new Map(columns.map((column, at) => [column as C, unescapeFormula(cells[at] ?? '')])),
    };
  });
}

/** Removes the apostrophe that our exports put before a formula character. */
const unescapeFormula = (cell: string) =>
  cell.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '').trim();
