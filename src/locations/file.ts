/**
 * Locations as a file of YAML or CSV: written out, and read in again, line by line. Reading is idempotent by name: a
 * location that is there already gets what the file says, or stays as it is. One fault, and nothing is written.
 */
import { stringify } from 'csv-stringify/sync';
import { LineCounter, parseDocument, stringify as stringifyYaml } from 'yaml';
import { readable, unreadable } from '../http/list-file.ts';
import { columnsOf, parseCsv } from '../lib/csv.ts';
import { textOf } from '../lib/text-file.ts';
import type { Doer } from './change.ts';
import { importLocations } from './import.ts';
import type { LocationRecord } from './model.ts';

export type FileKind = 'yaml' | 'csv';
const COLUMNS = ['name', 'type', 'address', 'latitude', 'longitude'] as const;

interface Entry {
  line: number;
  fields: Record<string, unknown>;
}

export interface LineReport {
  line: number;
  name: string;
  result: 'created' | 'updated' | 'unchanged' | 'wrong';
  /** What changed, or what is wrong. */
  detail: string;
}

export function kindOfFile(path: string): FileKind | null {
  if (/\.ya?ml$/i.test(path)) return 'yaml';
  return /\.csv$/i.test(path) ? 'csv' : null;
}

export function writeLocations(locations: LocationRecord[], kind: FileKind): string {
  if (kind === 'csv') {
    const rows = locations.map(({ name, type, address, coordinates }) => ({
      name,
      type,
      address: address ?? '',
      latitude: coordinates?.latitude ?? '',
      longitude: coordinates?.longitude ?? '',
    }));
    return stringify(rows, { header: true, columns: [...COLUMNS], bom: true, escape_formulas: true });
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

/** All lines or none; where some are wrong, the reports are of those alone. */
export async function importFile(
  bytes: Uint8Array,
  kind: FileKind,
  doer: Doer,
): Promise<{ reports: LineReport[]; wrong: number }> {
  const entries = read(bytes, kind);
  const lineOf = (index: number) => entries[index]?.line ?? 0;
  const rows = entries.map((entry) => entry.fields);
  const { results } = await importLocations(rows, doer, undefined, (index) => `line ${lineOf(index)}`);
  const reports = results.map(({ index, name, outcome, message }) => ({
    line: lineOf(index),
    name,
    result: outcome === 'refused' ? ('wrong' as const) : outcome,
    detail: message ?? '',
  }));
  const wrong = reports.filter((one) => one.result === 'wrong');
  return { reports: wrong.length > 0 ? wrong : reports, wrong: wrong.length };
}

function read(bytes: Uint8Array, kind: FileKind): Entry[] {
  const entries = readable(() => {
    const text = textOf(bytes);
    return kind === 'csv' ? readCsv(text) : readYaml(text);
  });
  if (entries.length === 0) throw unreadable('there is no location in it');
  return entries;
}

function readYaml(text: string): Entry[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) throw unreadable(error.message.split('\n')[0]?.replace(/:$/, '') ?? error.code);
  const list: unknown = document.toJS();
  if (!Array.isArray(list)) throw unreadable('it must be a list, each entry beginning with "- name:"');
  return list.map((fields: unknown, at) => {
    const node = document.getIn([at], true) as { range?: [number, number, number] } | undefined;
    const line = lines.linePos(node?.range?.[0] ?? 0).line;
    if (typeof fields !== 'object' || fields === null) throw unreadable(`line ${line} names no fields`);
    return { line, fields: fields as Record<string, unknown> };
  });
}

function readCsv(text: string): Entry[] {
  const rows = columnsOf(parseCsv(text), { known: COLUMNS, needed: ['name'] });
  return rows.map(({ line, cells }) => ({ line, fields: fieldsOf(cells) }));
}

/** An empty cell of a column that is there takes away what was there; a column that is not there changes nothing. */
function fieldsOf(cells: Map<(typeof COLUMNS)[number], string>): Record<string, unknown> {
  const get = (column: (typeof COLUMNS)[number]) => cells.get(column);
  const fields: Record<string, unknown> = { name: get('name') };
  if (get('type')) fields.type = get('type')?.toUpperCase();
  if (cells.has('address')) fields.address = get('address') || null;
  const [latitude, longitude] = [get('latitude'), get('longitude')];
  if (latitude || longitude) {
    const number = (text: string | undefined) => (text ? Number(text.replace(',', '.')) : undefined);
    fields.coordinates = { latitude: number(latitude), longitude: number(longitude) };
  } else if (cells.has('latitude')) fields.coordinates = null;
  return fields;
}
