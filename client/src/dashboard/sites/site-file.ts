/** Converts a spreadsheet of sites into rows for the service's import. */
import { CsvError, parseCsv, toColumns } from '../../../../src/platform/lib/text/csv.ts';
import { COLUMNS, parseSiteRow, type SiteRow } from '../../../../src/study/locations/csv-row.ts';

export interface SiteFile {
  rows: SiteRow[];
  /** Line in the file of each row. */
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
