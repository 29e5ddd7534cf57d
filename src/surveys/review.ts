/** A reviewer's decision on an interview, and taking it back. */
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
import { type ReviewRecord, type SurveyRecord, Surveys } from './model.ts';
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
    return await decide(session, actor, before, review);
  }, actor.deadline);
}

/** Takes back the caller's own decision: the review is again what it was before. */
export async function undoReview(actor: Actor, id: string, ifMatch?: string): Promise<SurveyRecord> {
  const wanted = parseIfMatch(ifMatch);
  return await inTransaction(async (session) => {
    const before = await load(actor, 'review', Surveys, id, session);
    requireVersion(wanted, before);
    const { review } = before;
    if (review?.previous === undefined || !review.by.equals(actor.user._id))
      throw problem('INVALID_TRANSITION', { why: fault('REVIEW_NOT_YOURS') });
    return await storeReview(session, actor, before, review.previous ?? undefined);
  }, actor.deadline);
}

/** The same request again, perhaps because its reply was lost. */
const isRepeated = ({ state, comment }: Review, { review }: SurveyRecord, { user }: Actor): boolean =>
  comment === undefined && review?.state === state && review.by.equals(user._id);

async function decide(
  session: ClientSession,
  actor: Actor,
  before: SurveyRecord,
  { state, comment }: Review,
): Promise<SurveyRecord> {
  const { state: lastState, by: lastBy, at: lastAt } = before.review ?? {};
  const previous = lastState && lastBy && lastAt ? { state: lastState, by: lastBy, at: lastAt } : null;
  const by = actor.user._id;
  const review = { state, by, at: timeOf(before, actor), previous };
  return await storeReview(session, actor, before, review, comment);
}

const timeOf = ({ updatedAt }: SurveyRecord, { now }: Actor) =>
  new Date(Math.max(updatedAt.getTime(), now.getTime()));

async function storeReview(
  session: ClientSession,
  actor: Actor,
  before: SurveyRecord,
  review: ReviewRecord | undefined,
  comment?: string,
): Promise<SurveyRecord> {
  const { _id, location, version } = before;
  const { _id: by } = actor.user;
  const at = timeOf(before, actor);
  const decided = { updatedAt: at, version: version + 1 };
  const counts = review?.state !== 'REJECTED';
  const changesCount = (before.review?.state === 'REJECTED') === counts;
  const after = { ...before, ...decided, review };
  const repeat = changesCount && counts ? await detectRepeatAgain(session, after, at) : before.repeat;
  const fields = { ...decided, ...(repeat && { repeat }) };
  const update = review ? { $set: { ...fields, review } } : { $set: fields, $unset: { review: '' as const } };
  await Surveys.collection.updateOne({ _id }, update, { session });
  if (comment !== undefined && review)
    await storeComment(session, { survey: _id, text: comment, by, state: review.state, createdAt: at });
  const event = { action: 'update', subject: 'Survey', record: _id, location } as const;
  const changes = [
    { path: 'review', before: before.review?.state ?? 'RECEIVED', after: review?.state ?? 'RECEIVED' },
    ...(repeat === before.repeat
      ? []
      : [{ path: REPEAT_FIELD.path, before: repeatForAudit(before.repeat), after: repeatForAudit(repeat) }]),
  ];
  await audit(session, { by, now: at }, { ...event, changes, reason: comment });
  // Nobody is owed anything for a rejected interview.
  if (changesCount)
    await settleIncentives(session, await loadStudy(session), [_id, before.recruiter], {
      by,
      now: actor.now,
    });
  return { ...after, ...fields };
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
