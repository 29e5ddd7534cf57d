import type { Types } from 'mongoose';
import { audit, changesOf } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { fieldProblem } from '../http/problem.ts';
import { STUDY_ID, Studies, type StudyRecord, study } from './model.ts';
import type { StudyPatch } from './schema.ts';
import { forgetZone } from './zone.ts';

function refuseSizes(after: StudyRecord): void {
  const { populationSizeLow: low, populationSize: size, populationSizeHigh: high } = after;
  const isAbove = (one: number | null, other: number | null) => one !== null && other !== null && one > other;
  if (isAbove(low, size) || isAbove(low, high)) throw fieldProblem('populationSizeLow', 'SIZES_REVERSED');
  if (isAbove(size, high)) throw fieldProblem('populationSizeHigh', 'SIZES_REVERSED');
}

/** Asked of settings that speak of what stands on a higher floor; throws where they can not be so. */
type Question = (after: StudyRecord, before: StudyRecord, now: Date) => Promise<void>;
const questions: Question[] = [];
export const alsoAsk = (question: Question): number => questions.push(question);

/** Each change is kept with its date. Coupons that are out keep the dates they were given. */
export async function updateStudy(
  body: StudyPatch,
  { by, now }: { by: Types.ObjectId | null; now: Date },
  /** Throws where this may not be done. */
  allow: (before: StudyRecord) => void = () => {},
): Promise<StudyRecord> {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const record = await inTransaction(async (session) => {
    const before = await study(session);
    allow(before);
    const after: StudyRecord = { ...before, ...given };
    if (after.dueFrom && after.dueTo && after.dueFrom > after.dueTo) {
      throw fieldProblem('dueTo', 'DAYS_REVERSED');
    }
    refuseSizes(after);
    if (body.outcomes) for (const question of questions) await question(after, before, now);
    const changes = changesOf(before, after);
    if (changes.length === 0) return before;
    after.updatedAt = now;
    const { _id, createdAt, ...fields } = after;
    await Studies.collection.updateOne(
      { _id: STUDY_ID },
      { $set: fields, $setOnInsert: { createdAt: now } },
      { session, upsert: true },
    );
    await audit(session, {
      by,
      action: 'update',
      subject: 'Study',
      record: STUDY_ID,
      location: null,
      changes,
      at: now,
    });
    return { ...after, createdAt };
  });
  forgetZone();
  return record;
}
