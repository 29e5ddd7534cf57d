/**
 * Locations as a file of YAML or CSV: written out, and read in again, line by line. Reading is idempotent by name: a
 * location that is there already gets what the file says, or stays as it is. One fault, and nothing is written.
 */
import { stringify } from 'csv-stringify/sync';
import { LineCounter, parseDocument, stringify as stringifyYaml } from 'yaml';
import { inTransaction } from '../db/transaction.ts';
import { NAME_COLLATION } from '../http/page.ts';
import { Problem, problem } from '../http/problem.ts';
import { parseCsv } from '../lib/csv.ts';
import { checked } from '../operate/checked.ts';
import { changeLocation, type Doer, insertLocation } from './change.ts';
import { type LocationRecord, Locations } from './model.ts';
import { LocationCreate, LocationPatch } from './schema.ts';

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

/** All lines or none; the reports tell each line's fate either way. */
export async function importLocations(
  text: string,
  kind: FileKind,
  doer: Doer,
): Promise<{ reports: LineReport[]; wrong: number }> {
  const entries = read(text, kind);
  const judged = entries.map((entry) => ({ entry, fault: faultOf(entry) }));
  const seen = new Map<string, number>();
  for (const one of judged) {
    const key = nameOf(one.entry).toLowerCase();
    const first = seen.get(key);
    if (first !== undefined) one.fault ??= `line ${first} has this name too`;
    else seen.set(key, one.entry.line);
  }
  const faults = judged.filter(({ fault }) => fault !== null);
  if (faults.length > 0) {
    const reports = faults.map(({ entry, fault }) => report(entry, 'wrong', fault ?? ''));
    return { reports, wrong: faults.length };
  }
  const reports = await inTransaction(async (session) => {
    const told: LineReport[] = [];
    for (const entry of entries) {
      const before = await Locations.findOne({ name: nameOf(entry), deletedAt: null })
        .collation(NAME_COLLATION)
        .session(session)
        .lean<LocationRecord>();
      if (!before) {
        await insertLocation(session, checked(LocationCreate, entry.fields), doer);
        told.push(report(entry, 'created', ''));
        continue;
      }
      const after = await changeLocation(session, before, checked(LocationPatch, entry.fields), doer);
      const changed = Object.keys(entry.fields).filter((key) => differ(before, after, key));
      told.push(report(entry, after === before ? 'unchanged' : 'updated', changed.join(', ')));
    }
    return told;
  });
  return { reports, wrong: 0 };
}

const nameOf = ({ fields }: Entry) => (typeof fields.name === 'string' ? fields.name.trim() : '');

function differ(before: object, after: object, key: string): boolean {
  const of = (record: object) => JSON.stringify((record as Record<string, unknown>)[key]);
  return of(before) !== of(after);
}

function report(entry: Entry, result: LineReport['result'], detail: string): LineReport {
  return { line: entry.line, name: nameOf(entry), result, detail };
}

function faultOf({ fields }: Entry): string | null {
  try {
    checked(LocationCreate, fields);
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return (error.errors ?? []).map(({ path, message }) => `${path}: ${message}`).join('; ');
  }
}

function read(text: string, kind: FileKind): Entry[] {
  const entries = kind === 'csv' ? readCsv(text) : readYaml(text);
  if (entries.length === 0) throw unreadable('there is no location in it');
  return entries;
}

const unreadable = (why: string) =>
  problem('MALFORMED_JSON', { message: `The file can not be read: ${why}.` });

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
  let rows: ReturnType<typeof parseCsv>;
  try {
    rows = parseCsv(text);
  } catch (error) {
    throw unreadable((error as Error).message);
  }
  const columns = rows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const unknown = columns.find((column) => !(COLUMNS as readonly string[]).includes(column));
  if (unknown !== undefined || !columns.includes('name')) {
    const said = unknown === undefined ? 'no column "name"' : `an unknown column "${unknown}"`;
    throw unreadable(`it has ${said}; the columns are ${COLUMNS.join(', ')}`);
  }
  return rows.slice(1).map(({ line, cells }) => {
    if (cells.length > columns.length) throw unreadable(`line ${line} has more cells than the heading`);
    return { line, fields: fieldsOf(new Map(columns.map((column, at) => [column, cells[at] ?? '']))) };
  });
}

/** An empty cell of a column that is there takes away what was there; a column that is not there changes nothing. */
function fieldsOf(cells: Map<string, string>): Record<string, unknown> {
  // As `escape_formulas` writes them.
  const get = (column: string) =>
    cells
      .get(column)
      ?.replace(/^'(?=[=+\-@\t\r])/, '')
      .trim();
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
