import { isDeepStrictEqual } from 'node:util';
import type { ClientSession, Types } from 'mongoose';
import { audit, changesOf } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { fieldProblem, problem } from '../http/problem.ts';
import { STUDY_ID, Studies, type StudyRecord, study } from './model.ts';
import type { StudyPatch } from './schema.ts';
import { forgetZone } from './zone.ts';

/** What contradicts itself. */
function refuseContradictions(after: StudyRecord): void {
  if (after.dueFrom && after.dueTo && after.dueFrom > after.dueTo)
    throw fieldProblem('dueTo', 'DAYS_REVERSED');
  const { populationSizeLow: low, populationSize: size, populationSizeHigh: high } = after;
  const isAbove = (one: number | null, other: number | null) => one !== null && other !== null && one > other;
  if (isAbove(low, size) || isAbove(low, high)) throw fieldProblem('populationSizeLow', 'SIZES_REVERSED');
  if (isAbove(size, high)) throw fieldProblem('populationSizeHigh', 'SIZES_REVERSED');
}

/** Asked of settings that speak of what stands on a higher floor; throws where they can not be so. */
type Question = (after: StudyRecord, before: StudyRecord, now: Date) => Promise<void>;
const questions: Question[] = [];
export const alsoAsk = (question: Question): number => questions.push(question);

interface Doer {
  by: Types.ObjectId | null;
  now: Date;
}

/** Of changes that follow each other that quickly. */
const MOST_TRIES = 10;

/** Each change is kept with its date. Coupons that are out keep the dates they were given. */
export async function updateStudy(
  body: StudyPatch,
  { by, now }: Doer,
  /** Throws where this may not be done. */
  allow: (before: StudyRecord) => void = () => {},
): Promise<StudyRecord> {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const asked = await study();
    allow(asked);
    refuseContradictions({ ...asked, ...given });
    // They read questionnaires and interviews, for which no transaction may wait.
    if (body.outcomes) for (const question of questions) await question({ ...asked, ...given }, asked, now);
    const record = await inTransaction(async (session) => {
      const before = await study(session);
      // What was asked was of outcomes that another change has replaced meanwhile.
      if (body.outcomes && !isDeepStrictEqual(before.outcomes, asked.outcomes)) return null;
      allow(before);
      return await store(session, before, given, { by, now });
    });
    if (!record) continue;
    forgetZone();
    return record;
  }
  throw problem('EDIT_CONFLICT');
}

async function store(
  session: ClientSession,
  before: StudyRecord,
  given: Partial<StudyRecord>,
  { by, now }: Doer,
): Promise<StudyRecord> {
  const after: StudyRecord = { ...before, ...given };
  refuseContradictions(after);
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
}
