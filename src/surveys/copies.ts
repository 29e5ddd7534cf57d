/**
 * Second copies: what came later under a clientId with other content. Each is a record of its own, since ten of them
 * are more than one record can hold; the survey's flag names it by its hash. It stays when a person has looked at it and
 * cleared the flag: the history shows it then.
 */
import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import type { Change } from '../audit/model.ts';
import { schemaOptions } from '../db/schema-options.ts';
import { type FlagRecord, type SurveyRecord, Surveys } from './model.ts';

/** More than a person can compare, and few enough to be read at once. */
const MOST_COPIES = 10;

interface SurveyCopyRecord {
  _id: Types.ObjectId;
  survey: Types.ObjectId;
  hash: string;
  copy: Record<string, unknown>;
  createdAt: Date;
}

const schema = new Schema<SurveyCopyRecord>(
  { survey: Schema.Types.ObjectId, hash: String, copy: Schema.Types.Mixed, createdAt: Date },
  { ...schemaOptions, collection: 'surveycopies' },
);
schema.index({ survey: 1, hash: 1 }, { unique: true });
export const SurveyCopies = mongoose.model<SurveyCopyRecord>('SurveyCopy', schema);

interface Copy {
  hash: string;
  copy: Record<string, unknown>;
  flag: FlagRecord;
}

/** Kept beside the survey, with a flag: once, and no more than ten, those that were looked at among them. */
export async function keepCopy(
  session: ClientSession,
  survey: Types.ObjectId,
  { hash, copy, flag }: Copy,
): Promise<'KEPT' | 'KNOWN' | 'FULL'> {
  if (await SurveyCopies.exists({ survey, hash }).session(session)) return 'KNOWN';
  if ((await SurveyCopies.countDocuments({ survey }).session(session)) >= MOST_COPIES) return 'FULL';
  // Of two at once the second conflicts here, and counts again.
  await Surveys.collection.updateOne(
    { _id: survey },
    { $push: { flags: { ...flag, copyHash: hash } as never }, $set: { updatedAt: flag.at } },
    { session },
  );
  const record = { _id: new mongoose.Types.ObjectId(), survey, hash, copy, createdAt: flag.at };
  await SurveyCopies.collection.insertOne(record, { session });
  return 'KEPT';
}

/** The survey as it is shown by itself: its flags hold their copies. */
export async function withCopies(survey: SurveyRecord): Promise<SurveyRecord> {
  const flags = await filled(survey._id, survey.flags);
  return flags === survey.flags ? survey : { ...survey, flags };
}

/** A change as the history tells it: the flags that it cleared hold their copies. */
export async function withClearedCopies(survey: Types.ObjectId, change: Change): Promise<Change> {
  if (change.path !== 'flags' || !Array.isArray(change.before)) return change;
  const left = new Set(hashesOf(Array.isArray(change.after) ? change.after : []));
  const cleared = hashesOf(change.before).filter((hash) => !left.has(hash));
  return { ...change, before: await filled(survey, change.before as FlagRecord[], cleared) };
}

const hashesOf = (flags: FlagRecord[]) => flags.flatMap(({ copyHash }) => copyHash ?? []);

async function filled(survey: Types.ObjectId, flags: FlagRecord[], hashes = hashesOf(flags)) {
  if (hashes.length === 0) return flags;
  const byHash = new Map<string, SurveyCopyRecord['copy']>();
  // One by one: each may have a megabyte.
  for await (const one of SurveyCopies.collection.find({ survey, hash: { $in: hashes } }).batchSize(1))
    byHash.set(one.hash, one.copy);
  return flags.map((one) => {
    const copy = byHash.get(one.copyHash ?? '');
    return copy ? { ...one, copy } : one;
  });
}
