/**
 * Reads that are asked for in one turn of the event loop go to the database together, those of several collections
 * too. A busy service then pays for one round trip where it would pay for many, and a quiet one for nothing. A read
 * never starts before it was asked for, so an answer is as fresh as one that was fetched alone; nothing is kept.
 */
import type { Model, Types } from 'mongoose';

type Fields = Record<string, unknown>;

interface Waiting<K, V> {
  key: K;
  done: (value: V | undefined) => void;
  failed: (error: unknown) => void;
}

/** More than this many keys go in several queries. */
const MOST = 200;

const keysOf = <K>(waiting: Waiting<K, never>[]): K[] => [
  ...new Map(waiting.map((one) => [String(one.key), one.key])).values(),
];

/** `read` answers what it found, by the text of its key. Who asked for the same share the answer: no one changes it. */
export function batchedReader<K, V>(
  read: (keys: K[]) => Promise<Map<string, V>>,
): (key: K) => Promise<V | undefined> {
  let waiting: Waiting<K, V>[] = [];

  const send = async (batch: Waiting<K, V>[]) => {
    try {
      const found = await read(keysOf(batch));
      for (const one of batch) one.done(found.get(String(one.key)));
    } catch (error) {
      for (const one of batch) one.failed(error);
    }
  };
  const flush = () => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += MOST) void send(all.slice(from, from + MOST));
  };
  return (key) =>
    new Promise((done, failed) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ key, done, failed });
    });
}

interface Source<K> {
  collection: () => Model<never>['collection'];
  filter(keys: K[]): Fields;
  projection?: Fields;
  /** The keys under which a record answers. */
  namesOf(found: Fields): string[];
}

interface Part {
  source: Source<never>;
  waiting: Waiting<never, never>[];
}

/** Who has something to read in this turn. */
let turn: Part[] = [];

function flushTurn(): void {
  const parts = turn.map(({ source, waiting }) => ({ source, waiting: waiting.splice(0) }));
  turn = [];
  for (;;) {
    const next = parts
      .map(({ source, waiting }) => ({ source, waiting: waiting.splice(0, MOST) }))
      .filter(({ waiting }) => waiting.length > 0);
    if (next.length === 0) return;
    void sendTogether(next);
  }
}

async function sendTogether(parts: Part[]): Promise<void> {
  try {
    const found = parts.length === 1 ? [await readOne(parts[0] as Part)] : await readSeveral(parts);
    for (const [i, { source, waiting }] of parts.entries()) {
      const byName = new Map(
        (found[i] ?? []).flatMap((one) => source.namesOf(one).map((name) => [name, one])),
      );
      for (const { key, done } of waiting) done(byName.get(String(key)) as never);
    }
  } catch (error) {
    for (const { failed } of parts.flatMap(({ waiting }) => waiting)) failed(error);
  }
}

/** All in the first reply. */
const sized = (parts: Part[]) => ({ batchSize: (MOST + 1) * parts.length });

async function readOne(part: Part): Promise<Fields[]> {
  const { source, waiting } = part;
  const { projection } = source;
  const options = { ...sized([part]), ...(projection ? { projection } : {}) };
  return await source
    .collection()
    .find<Fields>(source.filter(keysOf(waiting)), options)
    .toArray();
}

/** One command for all; each record comes with the number of its part, since ids alone don't tell whose it is. */
async function readSeveral(parts: Part[]): Promise<Fields[][]> {
  const pipelines = parts.map(({ source, waiting }, part) => [
    { $match: source.filter(keysOf(waiting)) },
    ...(source.projection ? [{ $project: source.projection }] : []),
    { $replaceWith: { part, record: '$$ROOT' } },
  ]);
  const [first, ...others] = parts.map(({ source }) => source.collection());
  const unions = others.map((one, i) => ({
    $unionWith: { coll: one.collectionName, pipeline: pipelines[i + 1] },
  }));
  const read = first?.aggregate<{ part: number; record: Fields }>(
    [...(pipelines[0] ?? []), ...unions] as Fields[],
    sized(parts),
  );
  const found = parts.map((): Fields[] => []);
  for (const { part, record } of (await read?.toArray()) ?? []) found[part]?.push(record);
  return found;
}

/** Reads from one collection that share their round trip with those from others. */
export function together<K, V>(source: Source<K>): (key: K) => Promise<V | undefined> {
  const part: { source: Source<K>; waiting: Waiting<K, V>[] } = { source, waiting: [] };
  return (key) =>
    new Promise((done, failed) => {
      if (turn.length === 0) setImmediate(flushTurn);
      if (part.waiting.length === 0) turn.push(part as unknown as Part);
      part.waiting.push({ key, done, failed });
    });
}

type ById = (id: Types.ObjectId) => Promise<Fields | undefined>;
const byId = new Map<string, ById>();

/** The record with this id, deleted or not. */
export async function recordById<T>(model: Model<T>, id: Types.ObjectId): Promise<T | undefined> {
  let read = byId.get(model.modelName);
  if (!read) {
    read = together<Types.ObjectId, Fields>({
      collection: () => model.collection,
      filter: (ids) => ({ _id: { $in: ids } }),
      namesOf: (found) => [String(found._id)],
    });
    byId.set(model.modelName, read);
  }
  const found = await read(id);
  return found === undefined ? undefined : ({ ...found } as T);
}
