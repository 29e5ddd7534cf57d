/**
 * Many locations at once, for the dashboard and the command alike: all of them or none. Idempotent by name: a
 * location that is there already gets what its row says, or stays as it is.
 */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../db/transaction.ts';
import { checked } from '../http/checked.ts';
import { type FieldError, fieldError } from '../http/faults.ts';
import { NAME_COLLATION } from '../http/page.ts';
import { Problem } from '../http/problem.ts';
import { changeLocation, type Doer, insertLocation } from './change.ts';
import { type LocationRecord, Locations } from './model.ts';
import { LocationCreate, LocationPatch } from './schema.ts';

export type Row = Record<string, unknown>;

export interface Outcome {
  index: number;
  name: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'refused';
  /** What changed, or what is wrong. */
  message: string | null;
  /** What is wrong, each by its code. */
  errors?: FieldError[];
}

/** Throws where this may not be done; `before` is null for a new one. */
export type Allow = (before: LocationRecord | null, fields: Row) => void;

export interface Import {
  stored: boolean;
  results: Outcome[];
}

/** Thrown to take the transaction back once each row's fate is known. */
class TakenBack extends Error {}

export async function importLocations(
  rows: Row[],
  { dryRun = false, ...doer }: Doer & { dryRun?: boolean },
  allow: Allow = () => {},
  /** What the caller calls a row. */
  placeOf: (index: number) => string = (index) => `row ${index + 1}`,
): Promise<Import> {
  const faults = faultsOf(rows);
  let results: Outcome[] = [];
  try {
    await inTransaction(async (session) => {
      results = [];
      for (const [index, row] of rows.entries()) {
        const errors = faults[index] ?? [];
        const fate =
          errors.length > 0
            ? { outcome: 'refused' as const, message: inWords(errors, placeOf) }
            : await storeRow(session, row, doer, allow);
        results.push({ index, name: nameOf(row), ...fate, ...(errors.length > 0 && { errors }) });
      }
      if (dryRun || faults.some(({ length }) => length > 0)) throw new TakenBack();
    });
    return { stored: true, results };
  } catch (error) {
    if (error instanceof TakenBack) return { stored: false, results };
    throw error;
  }
}

async function storeRow(
  session: ClientSession,
  row: Row,
  doer: Doer,
  allow: Allow,
): Promise<Pick<Outcome, 'outcome' | 'message'>> {
  const before = await Locations.findOne({ name: nameOf(row), deletedAt: null })
    .collation(NAME_COLLATION)
    .session(session)
    .lean<LocationRecord>();
  if (!before) {
    const body = checked(LocationCreate, row);
    allow(null, body);
    await insertLocation(session, body, doer);
    return { outcome: 'created', message: null };
  }
  const patch = checked(LocationPatch, row);
  allow(before, patch);
  const after = await changeLocation(session, before, patch, doer);
  if (after === before) return { outcome: 'unchanged', message: null };
  const changed = Object.keys(row).filter((key) => differ(before, after, key));
  return { outcome: 'updated', message: changed.join(', ') };
}

const nameOf = ({ name }: Row) => (typeof name === 'string' ? name.trim() : '');

function differ(before: object, after: object, key: string): boolean {
  const of = (record: object) => JSON.stringify((record as Row)[key]);
  return of(before) !== of(after);
}

/** What is wrong with each row by itself and beside the others. */
function faultsOf(rows: Row[]): FieldError[][] {
  const seen = new Map<string, number>();
  return rows.map((row, index) => {
    const key = nameOf(row).toLowerCase();
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    const errors = faultsIn(row);
    if (errors.length > 0 || first === undefined) return errors;
    return [fieldError('name', 'NAME_TWICE_IN_LIST', { row: first + 1 })];
  });
}

function faultsIn(row: Row): FieldError[] {
  try {
    checked(LocationCreate, row);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.errors ?? [];
  }
}

function inWords(errors: FieldError[], placeOf: (index: number) => string): string {
  return errors
    .map(({ path, code, message, params }) =>
      code === 'NAME_TWICE_IN_LIST'
        ? `${placeOf(Number(params?.row) - 1)} has this name too`
        : `${path}: ${message}`,
    )
    .join('; ');
}
