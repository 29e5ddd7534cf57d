/** Converts a list of sites from a spreadsheet into the rows that the service imports. */
import { CsvError, parseCsv, toColumns } from '../../../../src/platform/lib/text/csv.ts';
import { COLUMNS, parseSiteRow, type SiteRow } from '../../../../src/study/locations/csv-row.ts';

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
    return { rows: table.map(({ cells }) => parseSiteRow(cells)), lines: table.map(({ line }) => line) };
  } catch (error) {
    if (error instanceof CsvError) return error.fault;
    throw error;
  }
}
