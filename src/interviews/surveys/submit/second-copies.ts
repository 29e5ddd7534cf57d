/**
 * Second copies: interviews that arrived with an existing clientId, but different content. Each has its own record,
 * because ten would be too large for the survey's; the survey's flag has its hash. A copy is kept for the history when
 * the flag is cleared.
 */
import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import type { AuditedFieldChange } from '../../../platform/audit/schema.ts';
import { schemaOptions } from '../../../platform/db/schema-options.ts';
import { type FlagRecord, SurveyModel, type SurveyRecord } from '../model.ts';

const MAX_COPIES = 10;

interface SurveyCopyRecord {
  _id: Types.ObjectId;
  survey: Types.ObjectId;
  hash: string;
  copy: Record<string, unknown>;
  createdAt: Date;
}

const schema = new Schema<SurveyCopyRecord>(
  {
    survey: { type: Schema.Types.ObjectId, ref: 'Survey', required: true },
    hash: { type: String, required: true },
    copy: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
  },
  schemaOptions('surveycopies'),
);
schema.index({ survey: 1, hash: 1 }, { unique: true });
export const SurveyResubmissionModel = mongoose.model<SurveyCopyRecord>('SurveyCopy', schema);

interface Copy {
  hash: string;
  copy: Record<string, unknown>;
  flag: FlagRecord;
}

/** ERASED: the survey's contents were erased in the meantime, so nothing more is stored. */
export type SurveyCopyOutcome = 'KEPT' | 'KNOWN' | 'FULL' | 'ERASED';

/** Stores the copy, once, and flags the survey. At most ten per survey, including those whose flag was cleared. */
export async function storeDifferingCopy(
  session: ClientSession,
  survey: Types.ObjectId,
  { hash, copy, flag }: Copy,
): Promise<SurveyCopyOutcome> {
  if (await SurveyResubmissionModel.exists({ survey, hash }).session(session)) return 'KNOWN';
  if ((await SurveyResubmissionModel.countDocuments({ survey }).session(session)) >= MAX_COPIES)
    return 'FULL';
  // The second of two concurrent requests gets a write conflict here and counts again.
  const { matchedCount } = await SurveyModel.collection.updateOne(
    { _id: survey, erasedAt: null },
    {
      $push: { flags: { ...flag, copyHash: hash } as never },
      $set: { updatedAt: flag.at },
      $inc: { version: 1 },
    },
    { session },
  );
  if (matchedCount === 0) return 'ERASED';
  const record = { _id: new mongoose.Types.ObjectId(), survey, hash, copy, createdAt: flag.at };
  await SurveyResubmissionModel.collection.insertOne(record, { session });
  return 'KEPT';
}

/** The survey with the copies in its flags. */
export async function withDuplicateSubmissions(survey: SurveyRecord): Promise<SurveyRecord> {
  const flags = await addCopies(survey._id, survey.flags);
  return flags === survey.flags ? survey : { ...survey, flags };
}

/** A change for the history, with the copies in the flags that it cleared. */
export async function withCopiesOfClearedFlags(
  survey: Types.ObjectId,
  change: AuditedFieldChange,
): Promise<AuditedFieldChange> {
  if (change.path !== 'flags' || !Array.isArray(change.before)) return change;
  const remaining = new Set(copyHashes(Array.isArray(change.after) ? change.after : []));
  const cleared = copyHashes(change.before).filter((hash) => !remaining.has(hash));
  return { ...change, before: await addCopies(survey, change.before as FlagRecord[], cleared) };
}

const copyHashes = (flags: FlagRecord[]) => flags.flatMap(({ copyHash }) => copyHash ?? []);

async function addCopies(survey: Types.ObjectId, flags: FlagRecord[], hashes = copyHashes(flags)) {
  if (hashes.length === 0) return flags;
  const byHash = new Map<string, SurveyCopyRecord['copy']>();
  // One at a time, because each may have a megabyte.
  for await (const one of SurveyResubmissionModel.collection
    .find({ survey, hash: { $in: hashes } })
    .batchSize(1))
    byHash.set(one.hash, one.copy);
  return flags.map((one) => {
    const copy = byHash.get(one.copyHash ?? '');
    return copy ? { ...one, copy } : one;
  });
}
