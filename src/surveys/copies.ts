/**
 * Second copies: what came later under a clientId with other content. Each is a record of its own, since ten of them
 * are more than one record can hold; the survey's flag names it by its hash.
 */
import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
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

/** Kept beside the survey, with a flag: once, and no more than ten. */
export async function keepCopy(
  session: ClientSession,
  survey: Types.ObjectId,
  { hash, copy, flag }: Copy,
): Promise<'KEPT' | 'KNOWN' | 'FULL'> {
  const copies = { $filter: { input: '$flags', cond: { $eq: ['$$this.code', flag.code] } } };
  const { modifiedCount } = await Surveys.collection.updateOne(
    { _id: survey, 'flags.copyHash': { $ne: hash }, $expr: { $lt: [{ $size: copies }, MOST_COPIES] } },
    { $push: { flags: { ...flag, copyHash: hash } as never }, $set: { updatedAt: flag.at } },
    { session },
  );
  if (modifiedCount === 0) {
    const known = { _id: survey, 'flags.copyHash': hash };
    return (await Surveys.exists(known).session(session)) ? 'KNOWN' : 'FULL';
  }
  const record = { _id: new mongoose.Types.ObjectId(), survey, hash, copy, createdAt: flag.at };
  await SurveyCopies.collection.insertOne(record, { session });
  return 'KEPT';
}

export async function dropCopies(session: ClientSession, survey: Types.ObjectId): Promise<void> {
  await SurveyCopies.collection.deleteMany({ survey }, { session });
}

/** The survey as it is shown by itself: its flags hold their copies. */
export async function withCopies(survey: SurveyRecord): Promise<SurveyRecord> {
  if (!survey.flags.some((one) => one.copyHash)) return survey;
  const byHash = new Map<string, SurveyCopyRecord['copy']>();
  // One by one: each may have a megabyte.
  for await (const one of SurveyCopies.collection.find({ survey: survey._id }).batchSize(1))
    byHash.set(one.hash, one.copy);
  const flags = survey.flags.map((one) => {
    const copy = byHash.get(one.copyHash ?? '');
    return copy ? { ...one, copy } : one;
  });
  return { ...survey, flags };
}
