/** Converts a list of sites from a spreadsheet into the rows that the service imports. */
import { CsvError, parseCsv, toColumns } from '../../../../src/lib/csv.ts';

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

export type FileFault = CsvError['fault'] | { why: 'empty' } | { why: 'encoding'; line: number };

export function readSites(text: string): SiteFile | FileFault {
  try {
    const table = toColumns(parseCsv(text), { known: COLUMNS, needed: ['name'] });
    if (table.length === 0) return { why: 'empty' };
    return { rows: table.map(({ cells }) => rowOf(cells)), lines: table.map(({ line }) => line) };
  } catch (error) {
    if (error instanceof CsvError) return error.fault;
    throw error;
  }
}

/** An empty cell takes away what was there; a column that is not in the file changes nothing. */
function rowOf(cells: Map<(typeof COLUMNS)[number], string>): SiteRow {
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
