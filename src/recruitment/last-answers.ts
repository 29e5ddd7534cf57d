/**
 * Answers that take long to count, as they were last counted, for whoever says that this is good enough (`maxAge`): in the
 * database, so that every process has them, and the first to look after a start too.
 */
import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import mongoose, { Schema } from 'mongoose';
import { schemaOptions } from '../db/schema-options.ts';
import { MOST_AGE_S } from '../http/most-age.ts';
import { codeVersion } from '../lib/code-version.ts';

interface LastAnswer {
  _id: string;
  /** When its counting began. */
  at: Date;
  answer: Uint8Array;
}

const schema = new Schema<LastAnswer>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true, expires: MOST_AGE_S },
    answer: { type: Schema.Types.Buffer, required: true },
  },
  { ...schemaOptions, collection: 'lastanswers' },
);
export const LastAnswers = mongoose.model<LastAnswer>('LastAnswer', schema);

const stored = () => mongoose.connection.collection<LastAnswer>(LastAnswers.collection.collectionName);

const MOST = 500;
const MOST_BYTES = 4_000_000;

/**
 * `name`: of the kind of answer. What `v8.serialize` takes can be kept: no functions, and ids as texts. `key`: all that
 * the answer depends on but the records and the code, of which another version has answers of its own.
 */
export function lastAnswers<T>(name: string) {
  const idOf = (key: unknown[]) =>
    createHash('sha256')
      .update(JSON.stringify([codeVersion(), name, key]))
      .digest('base64url');
  return {
    /** Null where there is none that is at most so many seconds old. */
    async find(key: unknown[], maxAge = 0): Promise<T | null> {
      if (maxAge === 0) return null;
      const now = Date.now();
      const found = await stored().findOne(
        { _id: idOf(key), at: { $gte: new Date(now - 1_000 * maxAge), $lte: new Date(now) } },
        { promoteBuffers: true },
      );
      return found && readable(found.answer);
    },

    /** Whatever keeps it from being kept (a full disk), it was counted: the next one counts it again. */
    async keep(key: unknown[], at: Date, answer: T): Promise<void> {
      const bytes = serialize(answer);
      if (bytes.length > MOST_BYTES) return;
      await store({ _id: idOf(key), at, answer: bytes }).catch(() => undefined);
    },
  };
}

/** What another version of Node wrote may not be: then it is counted, and kept anew. */
function readable<T>(answer: Uint8Array): T | null {
  try {
    return deserialize(answer) as T;
  } catch {
    return null;
  }
}

/** A later one that is there already stays: the insertion in its place fails. */
async function store({ _id, at, answer }: LastAnswer): Promise<void> {
  await stored().updateOne({ _id, at: { $lt: at } }, { $set: { at, answer } }, { upsert: true });
  await dropOldest();
}

async function dropOldest(): Promise<void> {
  const collection = stored();
  if ((await collection.estimatedDocumentCount()) <= MOST) return;
  const [oldest] = await collection
    .find({}, { projection: { at: 1 }, sort: { at: -1 }, skip: MOST, limit: 1 })
    .toArray();
  if (oldest) await collection.deleteMany({ at: { $lte: oldest.at } });
}
