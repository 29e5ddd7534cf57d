/** A reviewer's decision on an interview. */
import type { ClientSession } from 'mongoose';
import { audit } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { fault } from '../http/error-codes.ts';
import { asProblem } from '../http/errors.ts';
import { PROBLEMS, problem } from '../http/problem.ts';
import type { Actor } from '../rights/actor.ts';
import { load } from '../rights/guard.ts';
import { loadStudy } from '../study/model.ts';
import { parseIfMatch, requireVersion } from './change.ts';
import { storeComment } from './comments.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import { detectRepeatAgain, REPEAT_FIELD, repeatForAudit } from './repeat-detection.ts';
import type { BulkReview, Review, ReviewRefusal } from './schema.ts';
import { settleIncentives } from './settle-incentives.ts';

export async function reviewSurvey(
  actor: Actor,
  id: string,
  review: Review,
  ifMatch?: string,
): Promise<SurveyRecord> {
  const wanted = parseIfMatch(ifMatch);
  return await inTransaction(async (session) => {
    const before = await load(actor, 'review', Surveys, id, session);
    if (isRepeated(review, before, actor)) return before;
    requireVersion(wanted, before);
    if (before.status !== 'COMPLETED')
      throw problem('INVALID_TRANSITION', { why: fault('REVIEW_UNFINISHED') });
    return await storeReview(session, actor, before, review);
  }, actor.deadline);
}

/** The same request again, perhaps because its reply was lost. */
const isRepeated = ({ state, comment }: Review, { review }: SurveyRecord, { user }: Actor): boolean =>
  comment === undefined && review?.state === state && review.by.equals(user._id);

async function storeReview(
  session: ClientSession,
  { user: { _id: by }, now }: Actor,
  before: SurveyRecord,
  { state, comment }: Review,
): Promise<SurveyRecord> {
  const { _id, review, location, updatedAt, version } = before;
  const at = new Date(Math.max(updatedAt.getTime(), now.getTime()));
  const decided = { review: { state, by, at }, updatedAt: at, version: version + 1 };
  const counts = state !== 'REJECTED';
  const changesCount = (review?.state === 'REJECTED') === counts;
  const after = { ...before, ...decided };
  const repeat = changesCount && counts ? await detectRepeatAgain(session, after, at) : before.repeat;
  const fields = { ...decided, ...(repeat && { repeat }) };
  await Surveys.collection.updateOne({ _id }, { $set: fields }, { session });
  if (comment !== undefined)
    await storeComment(session, { survey: _id, text: comment, by, state, createdAt: at });
  const event = { action: 'update', subject: 'Survey', record: _id, location } as const;
  const changes = [
    { path: 'review', before: review?.state ?? 'RECEIVED', after: state },
    ...(repeat === before.repeat
      ? []
      : [{ path: REPEAT_FIELD.path, before: repeatForAudit(before.repeat), after: repeatForAudit(repeat) }]),
  ];
  await audit(session, { by, now: at }, { ...event, changes, reason: comment });
  // Nobody is owed anything for a rejected interview.
  if (changesCount)
    await settleIncentives(session, await loadStudy(session), [_id, before.recruiter], { by, now });
  return { ...before, ...fields };
}

/** Each by itself, as if it were the only one. */
export async function reviewSurveys(
  actor: Actor,
  { ids, ...review }: BulkReview,
  unexpected: (error: unknown) => void,
): Promise<{ done: number; refused: ReviewRefusal[] }> {
  if (!actor.ability.can('review', 'Survey')) throw problem('FORBIDDEN');
  const refused: ReviewRefusal[] = [];
  for (const id of ids) {
    try {
      await reviewSurvey(actor, id, review);
    } catch (error) {
      const refusal = asProblem(error);
      // The others would fail too. Sending all of them again does no harm.
      if (refusal.name === 'UNAVAILABLE') throw error;
      if (refusal.name === 'INTERNAL') unexpected(error);
      refused.push({
        id,
        message: refusal.message,
        code: PROBLEMS[refusal.name].wire ? refusal.name : null,
        ...(refusal.why && { reason: refusal.why.code }),
      });
    }
  }
  return { done: ids.length - refused.length, refused };
}
