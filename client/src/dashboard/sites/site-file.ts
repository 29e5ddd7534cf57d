/** Converts a spreadsheet of sites into rows for the service's import. */
import { CsvError, parseCsv, rowsByColumnName } from '../../../../src/platform/lib/text/csv.ts';
import { parseSiteRow, SITE_CSV_COLUMNS, type SiteCsvRow } from '../../../../src/study/locations/csv-row.ts';

export interface ParsedSitesFile {
  rows: SiteCsvRow[];
  /** Line in the file of each row. */
  lines: number[];
}

export type FileFault = CsvError['fault'] | { why: 'empty' } | { why: 'encoding'; line: number };

export function readSites(text: string): ParsedSitesFile | FileFault {
  try {
    const table = rowsByColumnName(parseCsv(text), { known: SITE_CSV_COLUMNS, needed: ['name'] });
    if (table.length === 0) return { why: 'empty' };
    return { rows: table.map(({ cells }) => parseSiteRow(cells)), lines: table.map(({ line }) => line) };
  } catch (error) {
    if (error instanceof CsvError) return error.fault;
    throw error;
  }
}
