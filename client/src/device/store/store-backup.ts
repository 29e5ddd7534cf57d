/**
 * A copy of the whole store in memory. If the disk is full, a browser may delete the store of a page without
 * persistent storage and start an empty one while the app is open. The data of everyone who uses this phone is then
 * restored from here; as in the store, nobody sees other people's data.
 */
import { liveQuery, type Table } from 'dexie';
import { randomId } from '../random-id.ts';
import { deviceDb, type OutboxRow, ownersAllowedToWrite, type StoredInterviewDraft } from './store.ts';

/** Distinguishes this store from an empty one that the browser created anew. */
const MARKER_KEY = 'store';

const tables = (): Table<Row>[] =>
  [deviceDb.drafts, deviceDb.outbox, deviceDb.codes, deviceDb.questionnaires, deviceDb.kept] as never;

type Row = { owner?: string };
const memoryCopy = new Map<string, Row[]>();
/** Null until a store was opened. */
let name: string | null = null;
let watching: { unsubscribe(): void }[] = [];

const rowsOf = <T>(table: string) => (memoryCopy.get(table) ?? []) as T[];

/** This person's rows when the store was last read; null if it never was. */
export function rowsFromMemoryCopy(
  owner: string,
): { drafts: StoredInterviewDraft[]; rows: OutboxRow[] } | null {
  if (name === null || !memoryCopy.has('drafts') || !memoryCopy.has('outbox')) return null;
  const own = (row: Row) => row.owner === owner;
  return {
    drafts: rowsOf<StoredInterviewDraft>('drafts').filter(own),
    rows: rowsOf<OutboxRow>('outbox').filter(own),
  };
}

/** From now on, mirrors the store in memory. */
export function mirrorStoreInMemory(): void {
  for (const one of watching) one.unsubscribe();
  watching = tables().map((table) =>
    liveQuery(() => table.toArray()).subscribe({
      next: (rows) => void memoryCopy.set(table.name, rows),
      // The store closed, so the copy is the latest state.
      error: () => undefined,
    }),
  );
}

/** Runs before anyone reads the newly opened store. */
export function restoreLostRows(): PromiseLike<void> {
  return deviceDb.transaction('rw', tables(), async () => {
    const storedName = (await deviceDb.kept.get(MARKER_KEY))?.value as string | undefined;
    if (name !== null && storedName !== name) await restoreRows();
    name = storedName ?? name ?? randomId();
    if (!storedName) await deviceDb.kept.put({ key: MARKER_KEY, value: name });
  });
}

/** Another window may have restored the rows first and continued working: existing rows stay as they are. */
async function restoreRows(): Promise<void> {
  const owners = [...memoryCopy.values()].flat().flatMap(({ owner }) => (owner ? [{ owner }] : []));
  for (const one of owners) ownersAllowedToWrite.add(one);
  try {
    const here = new Set([
      ...(await deviceDb.outbox.orderBy('clientId').keys()),
      ...(await deviceDb.drafts.toCollection().primaryKeys()),
    ] as string[]);
    await deviceDb.drafts.bulkAdd(rowsOf<StoredInterviewDraft>('drafts').filter(({ id }) => !here.has(id)));
    await restoreTable(rowsOf<OutboxRow>('outbox').filter(({ clientId }) => !here.has(clientId)));
    for (const table of [deviceDb.codes, deviceDb.questionnaires, deviceDb.kept] as never as Table<Row>[]) {
      const presentKeys = new Set(await table.toCollection().primaryKeys());
      const keyOf = (row: Row) => Reflect.get(row, String(table.schema.primKey.keyPath)) as string;
      await table.bulkAdd(rowsOf<Row>(table.name).filter((row) => !presentKeys.has(keyOf(row))));
    }
  } finally {
    for (const one of owners) ownersAllowedToWrite.delete(one);
  }
}

/** If another window has used a row's number for a different interview, the row gets a new number. */
async function restoreTable(rows: OutboxRow[]): Promise<void> {
  const usedIds = new Set(await deviceDb.outbox.toCollection().primaryKeys());
  await deviceDb.outbox.bulkAdd(rows.filter(({ seq }) => !usedIds.has(seq)));
  for (const { seq, ...row } of rows) if (usedIds.has(seq)) await deviceDb.outbox.add(row);
}
