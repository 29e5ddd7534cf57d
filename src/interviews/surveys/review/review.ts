/** A reviewer's decision on an interview, and undoing it. */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { parseIfMatch, requireExpectedVersion } from '../../../platform/http/if-match.ts';
import { fault } from '../../../platform/http/problems/error-codes.ts';
import { problem } from '../../../platform/http/problems/problem.ts';
import { processEach, type ReportInternalError } from '../../../platform/http/problems/process-each.ts';
import { type Actor, authorFromActor } from '../../../platform/rights/actor.ts';
import { loadPermittedRecord } from '../../../platform/rights/guard.ts';
import { loadStudy } from '../../../study/settings/model.ts';
import { type ReviewRecord, SurveyModel, type SurveyRecord } from '../model.ts';
import type { BulkReview, SurveyReviewRequest } from '../schema.ts';
import { updateOwedIncentives } from '../settle-incentives.ts';
import { isRejectedInReview, newReviewTime, withoutPreviousReview, writeReview } from './store-review.ts';

export async function applyReviewDecision(
  actor: Actor,
  id: string,
  review: SurveyReviewRequest,
  ifMatch?: string,
): Promise<SurveyRecord> {
  const expectedVersion = parseIfMatch(ifMatch);
  return await inTransaction(async (session) => {
    const before = await loadPermittedRecord(actor, 'review', SurveyModel, id, session);
    if (isRepeated(review, before, actor)) return before;
    requireExpectedVersion(expectedVersion, before);
    if (before.status !== 'COMPLETED')
      throw problem('INVALID_TRANSITION', { why: fault('REVIEW_UNFINISHED') });
    return await decide(session, actor, before, review);
  }, actor.deadline);
}

/** Undoes the caller's own decision and restores the previous review. */
export async function undoReview(actor: Actor, id: string, ifMatch?: string): Promise<SurveyRecord> {
  const expectedVersion = parseIfMatch(ifMatch);
  return await inTransaction(async (session) => {
    const before = await loadPermittedRecord(actor, 'review', SurveyModel, id, session);
    requireExpectedVersion(expectedVersion, before);
    const { review } = before;
    if (review?.previous === undefined || !review.by?.equals(actor.user._id))
      throw problem('INVALID_TRANSITION', { why: fault('REVIEW_NOT_YOURS') });
    return await storeReview(session, actor, before, review.previous ?? undefined);
  }, actor.deadline);
}

/** The same request again, perhaps because its reply was lost. */
const isRepeated = (
  { state, comment }: SurveyReviewRequest,
  { review }: SurveyRecord,
  { user }: Actor,
): boolean => comment === undefined && review?.state === state && Boolean(review.by?.equals(user._id));

async function decide(
  session: ClientSession,
  actor: Actor,
  before: SurveyRecord,
  { state, comment }: SurveyReviewRequest,
): Promise<SurveyRecord> {
  const review = {
    state,
    by: actor.user._id,
    at: newReviewTime(before, actor.now),
    previous: replaced(before.review),
  };
  return await storeReview(session, actor, before, review, comment);
}

/**
 * The previous review, for undo. Only one step is kept, except for an operator's review, whose command needs its own
 * previous one.
 */
function replaced(review: ReviewRecord | undefined): ReviewRecord | null {
  if (!review) return null;
  return review.by === null ? review : withoutPreviousReview(review);
}

async function storeReview(
  session: ClientSession,
  actor: Actor,
  before: SurveyRecord,
  review: ReviewRecord | undefined,
  comment?: string,
): Promise<SurveyRecord> {
  const author = authorFromActor(actor);
  const after = await writeReview(session, author, { before, review, comment });
  // Rejected interviews earn no incentives.
  if (isRejectedInReview(before) !== isRejectedInReview(after))
    await updateOwedIncentives(session, await loadStudy(session), [before._id, before.recruiter], author);
  return after;
}

/** Reviews each survey independently. */
export async function reviewSurveys(
  actor: Actor,
  { ids, ...review }: BulkReview,
  unexpected: ReportInternalError,
) {
  if (!actor.ability.can('review', 'Survey')) throw problem('FORBIDDEN');
  const items = ids.map((id) => ({ id }));
  return await processEach(items, ({ id }) => applyReviewDecision(actor, id, review), unexpected);
}
