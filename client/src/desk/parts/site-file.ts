/** A list of sites as a spreadsheet saves it, made into the rows that the service imports. */
import { parseCsv } from '../../../../src/lib/csv.ts';

export const COLUMNS = ['name', 'type', 'address', 'latitude', 'longitude'] as const;

export interface SiteRow {
  name: string;
  type?: string;
  address?: string | null;
  coordinates?: { latitude: number; longitude: number } | null;
}

export interface SiteFile {
  rows: SiteRow[];
  /** Line of the file for each row. */
  lines: number[];
}

export type FileFault =
  | { why: 'quote' | 'empty' | 'name' }
  | { why: 'column'; column: string }
  | { why: 'long'; line: number };

export function readSites(text: string): SiteFile | FileFault {
  let table: ReturnType<typeof parseCsv>;
  try {
    table = parseCsv(text);
  } catch {
    return { why: 'quote' };
  }
  const [head, ...body] = table;
  if (!head || body.length === 0) return { why: 'empty' };
  const columns = head.cells.map((cell) => cell.trim().toLowerCase());
  const unknown = columns.find((column) => !(COLUMNS as readonly string[]).includes(column));
  if (unknown !== undefined) return { why: 'column', column: unknown };
  if (!columns.includes('name')) return { why: 'name' };
  const long = body.find(({ cells }) => cells.length > columns.length);
  if (long) return { why: 'long', line: long.line };
  return {
    rows: body.map(({ cells }) =>
      rowOf(new Map(columns.map((column, at) => [column, plain(cells[at] ?? '')]))),
    ),
    lines: body.map(({ line }) => line),
  };
}

/** Spreadsheets are given a formula's first character behind an apostrophe. */
const plain = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r])/, '').trim();

/** An empty cell takes away what was there; a column that is not in the file changes nothing. */
function rowOf(cells: Map<string, string>): SiteRow {
  const row: SiteRow = { name: cells.get('name') ?? '' };
  const type = cells.get('type');
  if (type) row.type = type.toUpperCase().replace(/[\s-]+/g, '_');
  if (cells.has('address')) row.address = cells.get('address') || null;
  const [latitude, longitude] = [cells.get('latitude'), cells.get('longitude')];
  // What is no number reaches the service as null, which it refuses with its place.
  const number = (text: string | undefined) => (text ? Number(text.replace(',', '.')) : Number.NaN);
  if (latitude || longitude) row.coordinates = { latitude: number(latitude), longitude: number(longitude) };
  else if (cells.has('latitude')) row.coordinates = null;
  return row;
}
