/**
 * Exports and imports locations as a YAML or CSV file. Importing is idempotent by name: an existing location is updated
 * or stays unchanged. If one line is wrong, nothing is stored.
 */
import { stringify } from 'csv-stringify/sync';
import { LineCounter, parseDocument, stringify as stringifyYaml } from 'yaml';
import { parseOrProblem, unreadableFileProblem } from '../../platform/http/bodies/input-file.ts';
import { parseCsv, rowsByColumnName } from '../../platform/lib/text/csv.ts';
import { decodeText } from '../../platform/lib/text/decode-text.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { parseSiteRow, SITE_CSV_COLUMNS } from './csv-row.ts';
import { importLocations } from './import-rows.ts';
import type { LocationRecord } from './model.ts';

export type LocationFileKind = 'yaml' | 'csv';

interface Entry {
  line: number;
  fields: Record<string, unknown>;
}

export interface ImportLineReport {
  line: number;
  name: string;
  result: 'created' | 'updated' | 'unchanged' | 'wrong';
  /** The changes or errors. */
  detail: string;
}

export function fileKind(path: string): LocationFileKind | null {
  if (/\.ya?ml$/i.test(path)) return 'yaml';
  return /\.csv$/i.test(path) ? 'csv' : null;
}

export function serializeLocations(locations: LocationRecord[], kind: LocationFileKind): string {
  if (kind === 'csv') {
    const rows = locations.map(({ name, type, address, coordinates }) => ({
      name,
      type,
      address: address ?? '',
      latitude: coordinates?.latitude ?? '',
      longitude: coordinates?.longitude ?? '',
    }));
    return stringify(rows, {
      header: true,
      columns: [...SITE_CSV_COLUMNS],
      bom: true,
      escape_formulas: true,
    });
  }
  return stringifyYaml(
    locations.map(({ name, type, address, coordinates }) => ({
      name,
      type,
      ...(address && { address }),
      ...(coordinates && { coordinates }),
    })),
  );
}

/** Imports all lines or none; if some are wrong, only those are reported. */
export async function importLocationsFile(
  bytes: Uint8Array,
  kind: LocationFileKind,
  author: Author,
): Promise<{ reports: ImportLineReport[]; wrong: number }> {
  const entries = parseFile(bytes, kind);
  const lineOf = (index: number) => entries[index]?.line ?? 0;
  const rows = entries.map((entry) => entry.fields);
  const { results } = await importLocations(rows, author, undefined, (index) => `line ${lineOf(index)}`);
  const reports = results.map(({ index, name, outcome, message }) => ({
    line: lineOf(index),
    name,
    result: outcome === 'refused' ? ('wrong' as const) : outcome,
    detail: message ?? '',
  }));
  const wrong = reports.filter((one) => one.result === 'wrong');
  return { reports: wrong.length > 0 ? wrong : reports, wrong: wrong.length };
}

function parseFile(bytes: Uint8Array, kind: LocationFileKind): Entry[] {
  const entries = parseOrProblem(() => {
    const text = decodeText(bytes);
    return kind === 'csv' ? parseCsvLocations(text) : parseYaml(text);
  });
  if (entries.length === 0) throw unreadableFileProblem('it has no locations');
  return entries;
}

function parseYaml(text: string): Entry[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) throw unreadableFileProblem(error.message.split('\n')[0]?.replace(/:$/, '') ?? error.code);
  const list: unknown = document.toJS();
  if (!Array.isArray(list))
    throw unreadableFileProblem('it must be a list, each entry beginning with "- name:"');
  return list.map((fields: unknown, at) => {
    const node = document.getIn([at], true) as { range?: [number, number, number] } | undefined;
    const line = lines.linePos(node?.range?.[0] ?? 0).line;
    if (typeof fields !== 'object' || fields === null)
      throw unreadableFileProblem(`line ${line} names no fields`);
    return { line, fields: fields as Record<string, unknown> };
  });
}

function parseCsvLocations(text: string): Entry[] {
  const rows = rowsByColumnName(parseCsv(text), { known: SITE_CSV_COLUMNS, needed: ['name'] });
  return rows.map(({ line, cells }) => ({ line, fields: { ...parseSiteRow(cells) } }));
}
