/**
 * Batches the reads of one turn of the event loop into one query, also across collections, so that a busy service needs
 * fewer round trips. Nothing is cached, so results are as fresh as those of single reads.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Model, Types } from 'mongoose';

type Fields = Record<string, unknown>;

interface Waiting<K, V> {
  key: K;
  done: (value: V | undefined) => void;
  failed: (error: unknown) => void;
}

/** Per query. */
const MAX_KEYS = 200;

const keysOf = <K>(pending: Waiting<K, never>[]): K[] => [
  ...new Map(pending.map((one) => [String(one.key), one.key])).values(),
];

/**
 * Requests with the same query in one turn of the event loop share one read, which starts after that turn. They must not
 * change its result.
 */
export function shareReads<Q extends object, V>(read: (query: Q) => Promise<V>): (query: Q) => Promise<V> {
  const pending = new Map<string, Promise<V>>();
  return (query) => {
    const key = JSON.stringify(query);
    let shared = pending.get(key);
    if (!shared) {
      shared = turn().then(() => {
        pending.delete(key);
        return read(query);
      });
      pending.set(key, shared);
    }
    return shared;
  };
}

interface Source<K> {
  collection: () => Model<never>['collection'];
  filter(keys: K[]): Fields;
  projection?: Fields;
  /** Stages of an aggregation, after the filter. */
  stages?: Fields[];
  /** The keys by which a record can be found. */
  keysOfRecord(record: Fields): string[];
  /** Each key reads a list of records. */
  isList?: true;
}

interface PendingRead {
  source: Source<never>;
  waiting: Waiting<never, never>[];
}

/** Reads requested in this turn of the event loop. */
let pendingReads: PendingRead[] = [];

function flushPending(): void {
  const parts = pendingReads.map(({ source, waiting }) => ({ source, waiting: waiting.splice(0) }));
  pendingReads = [];
  for (;;) {
    const next = parts
      .map(({ source, waiting }) => ({ source, waiting: waiting.splice(0, MAX_KEYS) }))
      .filter(({ waiting }) => waiting.length > 0);
    if (next.length === 0) return;
    void sendTogether(next);
  }
}

async function sendTogether(parts: PendingRead[]): Promise<void> {
  try {
    const rows = parts.length === 1 ? [await readOne(parts[0] as PendingRead)] : await readSeveral(parts);
    for (const [i, { source, waiting }] of parts.entries()) {
      const byName = new Map(
        (rows[i] ?? []).flatMap((one) => source.keysOfRecord(one).map((name) => [name, one])),
      );
      for (const { key, done: resolve } of waiting)
        resolve((source.isList ? (rows[i] ?? []) : byName.get(String(key))) as never);
    }
  } catch (error) {
    for (const { failed } of parts.flatMap(({ waiting }) => waiting)) failed(error);
  }
}

/** Large enough for all records to fit into the first batch. */
const batchSizeFor = (parts: PendingRead[]) => ({ batchSize: (MAX_KEYS + 1) * parts.length });

async function readOne(part: PendingRead): Promise<Fields[]> {
  const { source, waiting } = part;
  const { projection, stages } = source;
  const filter = source.filter(keysOf(waiting));
  const options = batchSizeFor([part]);
  const cursor = stages
    ? source.collection().aggregate<Fields>([{ $match: filter }, ...stages], options)
    : source.collection().find<Fields>(filter, { ...options, ...(projection ? { projection } : {}) });
  return await cursor.toArray();
}

/** One command for all collections. Each record comes with the number of its part, because ids alone are ambiguous. */
async function readSeveral(parts: PendingRead[]): Promise<Fields[][]> {
  const pipelines = parts.map(({ source, waiting }, part) => [
    { $match: source.filter(keysOf(waiting)) },
    ...(source.projection ? [{ $project: source.projection }] : []),
    ...(source.stages ?? []),
    { $replaceWith: { part, record: '$$ROOT' } },
  ]);
  const [first, ...others] = parts.map(({ source }) => source.collection());
  const unions = others.map((one, i) => ({
    $unionWith: { coll: one.collectionName, pipeline: pipelines[i + 1] },
  }));
  const read = first?.aggregate<{ part: number; record: Fields }>(
    [...(pipelines[0] ?? []), ...unions] as Fields[],
    batchSizeFor(parts),
  );
  const recordsByPart = parts.map((): Fields[] => []);
  for (const { part, record } of (await read?.toArray()) ?? []) recordsByPart[part]?.push(record);
  return recordsByPart;
}

/** A reader of one collection that shares its round trips with the readers of others. */
export function createBatchedReader<K, V>(source: Source<K>): (key: K) => Promise<V | undefined> {
  const part: { source: Source<K>; waiting: Waiting<K, V>[] } = { source, waiting: [] };
  return (key) =>
    new Promise((resolve, reject) => {
      if (pendingReads.length === 0) setImmediate(flushPending);
      if (part.waiting.length === 0) pendingReads.push(part as unknown as PendingRead);
      part.waiting.push({ key, done: resolve, failed: reject });
    });
}

type ById = (id: Types.ObjectId) => Promise<Fields | undefined>;
const byId = new Map<string, ById>();

/** The record with this id, deleted or not. */
export async function findByIdBatched<T>(model: Model<T>, id: Types.ObjectId): Promise<T | undefined> {
  let read = byId.get(model.modelName);
  if (!read) {
    read = createBatchedReader<Types.ObjectId, Fields>({
      collection: () => model.collection,
      filter: (ids) => ({ _id: { $in: ids } }),
      keysOfRecord: (record) => [String(record._id)],
    });
    byId.set(model.modelName, read);
  }
  const record = await read(id);
  return record === undefined ? undefined : ({ ...record } as T);
}
