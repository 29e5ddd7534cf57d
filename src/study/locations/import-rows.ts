/**
 * Imports many locations, for the dashboard and the command: all of them or none. Idempotent by name: an existing
 * location is updated or stays unchanged.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { inTransaction } from '../../platform/db/transaction.ts';
import { NAME_COLLATION } from '../../platform/http/lists/page.ts';
import { parseInput } from '../../platform/http/parse-input.ts';
import { type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';
import { Problem } from '../../platform/http/problems/problem.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { type LocationRecordChange, newLocation, patchedLocation, storeLocationChanges } from './change.ts';
import { LocationModel, type LocationRecord } from './model.ts';
import { LocationCreate, type LocationImported, LocationPatch } from './schema.ts';

export type LocationImportRow = Record<string, unknown>;

/** Throws if the caller lacks permission; `before` is null for a new location. */
export type CheckRights = (before: LocationRecord | null, fields: LocationImportRow) => void;

type ImportResult = z.infer<typeof LocationImported>;
type RowResult = ImportResult['results'][number];

/** Thrown to roll back the transaction once the result of each row is known. */
class RolledBack extends Error {}

export async function importLocations(
  rows: LocationImportRow[],
  { dryRun = false, ...author }: Author & { dryRun?: boolean },
  allow: CheckRights = () => {},
  /** How messages refer to a row. */
  placeOf: (index: number) => string = (index) => `row ${index + 1}`,
): Promise<ImportResult> {
  const faults = validateRows(rows);
  let results: RowResult[] = [];
  try {
    await inTransaction(async (session) => {
      const existing = await findByNames(session, rows.map(nameOf));
      const changes: LocationRecordChange[] = [];
      results = [];
      for (const [index, row] of rows.entries()) {
        const errors = faults[index] ?? [];
        const change = errors.length > 0 ? null : changeOfRow(row, existing(nameOf(row)), author, allow);
        if (change) changes.push(change);
        const fate = change
          ? outcomeOfRow(row, change)
          : { outcome: 'refused' as const, message: formatErrors(errors, placeOf) };
        results.push({ index, name: nameOf(row), ...fate, ...(errors.length > 0 && { errors }) });
        if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await turn();
      }
      if (faults.some(({ length }) => length > 0)) throw new RolledBack();
      await storeLocationChanges(session, changes, author);
      if (dryRun) throw new RolledBack();
    });
    return { stored: true, results };
  } catch (error) {
    if (error instanceof RolledBack) return { stored: false, results };
    throw error;
  }
}

/** Rows per turn of the event loop, so that other requests get a turn. */
const ROWS_PER_TURN = 50;

/** Compares names like the database's index. */
const { compare } = new Intl.Collator(NAME_COLLATION.locale, { sensitivity: 'accent' });

type FindByName = (name: string) => LocationRecord | null;

/** Reads all of them in one query. */
async function findByNames(session: ClientSession, names: string[]): Promise<FindByName> {
  const locations = await LocationModel.find({ name: { $in: names }, deletedAt: null })
    .collation(NAME_COLLATION)
    .session(session)
    .lean<LocationRecord[]>();
  const byName = new Map(locations.map((one) => [one.name.toLowerCase(), one]));
  return (name) =>
    byName.get(name.toLowerCase()) ?? locations.find((one) => compare(one.name, name) === 0) ?? null;
}

function changeOfRow(
  row: LocationImportRow,
  before: LocationRecord | null,
  author: Author,
  allow: CheckRights,
): LocationRecordChange {
  if (!before) {
    const body = parseInput(LocationCreate, row);
    allow(null, body);
    return { before, after: newLocation(body, author) };
  }
  const patch = parseInput(LocationPatch, row);
  allow(before, patch);
  return { before, after: patchedLocation(before, patch, author) };
}

function outcomeOfRow(
  row: LocationImportRow,
  { before, after }: LocationRecordChange,
): Pick<RowResult, 'outcome' | 'message'> {
  if (!before) return { outcome: 'created', message: null };
  if (after === before) return { outcome: 'unchanged', message: null };
  const changed = Object.keys(row).filter((key) => differ(before, after, key));
  return { outcome: 'updated', message: changed.join(', ') };
}

const nameOf = ({ name }: LocationImportRow) => (typeof name === 'string' ? name.trim() : '');

function differ(before: object, after: object, key: string): boolean {
  const of = (record: object) => JSON.stringify((record as LocationImportRow)[key]);
  return of(before) !== of(after);
}

/** The errors of each row, including duplicate names. */
function validateRows(rows: LocationImportRow[]): FieldError[][] {
  const firstIndexes = new Map<string, number>();
  return rows.map((row, index) => {
    const key = nameOf(row).toLowerCase();
    const first = firstIndexes.get(key);
    if (first === undefined) firstIndexes.set(key, index);
    const errors = validateRow(row);
    if (errors.length > 0 || first === undefined) return errors;
    return [fieldError('name', 'NAME_TWICE_IN_LIST', { row: first + 1 })];
  });
}

function validateRow(row: LocationImportRow): FieldError[] {
  try {
    parseInput(LocationCreate, row);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.errors ?? [];
  }
}

function formatErrors(errors: FieldError[], placeOf: (index: number) => string): string {
  return errors
    .map(({ path, code, message, params }) =>
      code === 'NAME_TWICE_IN_LIST'
        ? `${placeOf(Number(params?.row) - 1)} has the same name`
        : `${path}: ${message}`,
    )
    .join('; ');
}
