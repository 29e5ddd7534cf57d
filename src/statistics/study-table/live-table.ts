/**
 * A table that follows the collections, whichever process writes to them: a change stream reports which records
 * changed, and those are read again.
 */
import mongoose, { type Types } from 'mongoose';
import { isDatabaseUnavailable } from '../../platform/http/problems/errors.ts';
import { type ChangedIds, readChangedRecords, readStudyTable, STUDY_TABLE_SOURCES } from './read.ts';
import type { StudyTable } from './table.ts';

type ChangeStream = mongoose.mongo.ChangeStream;
type Change = mongoose.mongo.ChangeStreamDocument;

/** How many changed records are read at once. */
const AT_ONCE = 1_000;
/** The maximum time spent catching up. Under heavy writes, the table may lag slightly behind. */
const MAX_MS = 1_000;

/** A collection was dropped or replaced, so the table must be rebuilt. */
class Replaced extends Error {}

export class LiveStudyTable {
  #table: StudyTable | null = null;
  #stream: ChangeStream | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<StudyTable> | null = null;

  /** The current table, with everything stored before the call. */
  async upToDate(): Promise<StudyTable> {
    // Calls during an update all wait for the next one together.
    this.#next ??= this.#last.then(async () => {
      this.#next = null;
      return await this.#update();
    });
    this.#last = this.#next.catch(() => undefined);
    return await this.#next;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#forget();
  }

  async #update(): Promise<StudyTable> {
    try {
      return await this.#pulled();
    } catch (error) {
      await this.#forget();
      if (isDatabaseUnavailable(error)) throw error;
    }
    // The stream's position is no longer in the database's log, or collections were replaced: start over.
    return await this.#pulled();
  }

  async #pulled(): Promise<StudyTable> {
    if (this.#table && this.#stream) {
      await pull(this.#stream, this.#table);
      return this.#table;
    }
    // Start before the first record is read, so that no change is missed.
    const stream = openStream();
    this.#stream = stream;
    const first = await stream.tryNext();
    const table = await readStudyTable();
    await pull(stream, table, first);
    this.#table = table;
    return table;
  }

  async #forget(): Promise<void> {
    await this.#stream?.close().catch(() => undefined);
    this.#stream = null;
    this.#table = null;
  }
}

function openStream(): ChangeStream {
  const { db } = mongoose.connection;
  if (!db) throw new Error('the connection to the database does not stand');
  return db.watch(
    [
      {
        $match: { $or: [{ 'ns.coll': { $in: STUDY_TABLE_SOURCES } }, { operationType: 'dropDatabase' }] },
      },
      // `to` is set if a collection is renamed.
      { $project: { operationType: 1, ns: 1, 'documentKey._id': 1 } },
    ],
    // Returns right away, with or without changes.
    { maxAwaitTimeMS: 1, batchSize: AT_ONCE },
  );
}

/** Applies all pending changes. */
async function pull(stream: ChangeStream, table: StudyTable, first: Change | null = null): Promise<void> {
  const begin = performance.now();
  let changed: ChangedIds = new Map();
  let waiting = 0;
  const flush = async () => {
    await readChangedRecords(table, changed);
    changed = new Map();
    waiting = 0;
  };
  for (let change = first ?? (await stream.tryNext()); change; change = await stream.tryNext()) {
    const { collection, id } = recordOf(change);
    const ids = changed.get(collection) ?? new Map<string, Types.ObjectId>();
    changed.set(collection, ids.set(id.toHexString(), id));
    if (++waiting < AT_ONCE) continue;
    await flush();
    if (performance.now() - begin > MAX_MS) return;
  }
  await flush();
}

function recordOf(change: Change): { collection: string; id: Types.ObjectId } {
  const { operationType } = change;
  if (['insert', 'update', 'replace', 'delete'].includes(operationType)) {
    const { ns, documentKey } = change as mongoose.mongo.ChangeStreamInsertDocument;
    return { collection: ns.coll, id: documentKey._id as Types.ObjectId };
  }
  throw new Replaced(operationType);
}
