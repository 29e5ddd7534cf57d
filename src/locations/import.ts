/**
 * Many locations at once, for the dashboard and the command alike: all of them or none. Idempotent by name: a
 * location that is there already gets what its row says, or stays as it is.
 */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../db/transaction.ts';
import { checked } from '../http/checked.ts';
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
  const faults = faultsOf(rows, placeOf);
  let results: Outcome[] = [];
  try {
    await inTransaction(async (session) => {
      results = [];
      for (const [index, row] of rows.entries()) {
        const fault = faults[index];
        const fate = fault
          ? { outcome: 'refused' as const, message: fault }
          : await storeRow(session, row, doer, allow);
        results.push({ index, name: nameOf(row), ...fate });
      }
      if (dryRun || faults.some(Boolean)) throw new TakenBack();
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

/** What is wrong with each row by itself and beside the others; undefined where nothing is. */
function faultsOf(rows: Row[], placeOf: (index: number) => string): (string | undefined)[] {
  const seen = new Map<string, number>();
  return rows.map((row, index) => {
    const key = nameOf(row).toLowerCase();
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return faultOf(row) ?? (first === undefined ? undefined : `${placeOf(first)} has this name too`);
  });
}

function faultOf(row: Row): string | undefined {
  try {
    checked(LocationCreate, row);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return (error.errors ?? []).map(({ path, message }) => `${path}: ${message}`).join('; ');
  }
}
