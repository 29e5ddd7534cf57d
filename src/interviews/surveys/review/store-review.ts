/** Stores a decision on an interview with its comment and audit event. The caller settles the incentives. */
import type { ClientSession } from 'mongoose';
import { audit } from '../../../platform/audit/model.ts';
import type { Author } from '../../../platform/rights/actor.ts';
import { type ReviewRecord, SurveyModel, type SurveyRecord } from '../model.ts';
import {
  detectRepeatOnReinstatement,
  REPEAT_FIELD_RESTRICTION,
  repeatForAudit,
} from '../repeats/repeat-detection.ts';
import { storeComment } from './comments.ts';

export const isRejectedInReview = ({ review }: Pick<SurveyRecord, 'review'>): boolean =>
  review?.state === 'REJECTED';

export const newReviewTime = ({ updatedAt }: SurveyRecord, now: Date) =>
  new Date(Math.max(updatedAt.getTime(), now.getTime()));

export function withoutPreviousReview({ previous: _, ...review }: ReviewRecord): ReviewRecord {
  return review;
}

interface NewReview {
  before: SurveyRecord;
  /** Undefined resets it to not reviewed. */
  review: ReviewRecord | undefined;
  /** Without a review, this is only the reason in the history. */
  comment?: string | undefined;
}

export async function writeReview(
  session: ClientSession,
  { by, now }: Author,
  { before, review, comment }: NewReview,
): Promise<SurveyRecord> {
  const { _id, location, version } = before;
  const at = newReviewTime(before, now);
  const decided = { updatedAt: at, version: version + 1 };
  const after = { ...before, ...decided, review };
  const countsAgain = isRejectedInReview(before) && !isRejectedInReview(after);
  const repeat = countsAgain ? await detectRepeatOnReinstatement(session, after, at) : before.repeat;
  const fields = { ...decided, ...(repeat && { repeat }) };
  const update = review ? { $set: { ...fields, review } } : { $set: fields, $unset: { review: '' as const } };
  await SurveyModel.collection.updateOne({ _id }, update, { session });
  if (comment !== undefined && review)
    await storeComment(session, { survey: _id, text: comment, by, state: review.state, createdAt: at });
  const event = { action: 'update', subject: 'Survey', record: _id, location } as const;
  const changes = [
    { path: 'review', before: before.review?.state ?? 'RECEIVED', after: review?.state ?? 'RECEIVED' },
    ...(repeat === before.repeat
      ? []
      : [
          {
            path: REPEAT_FIELD_RESTRICTION.path,
            before: repeatForAudit(before.repeat),
            after: repeatForAudit(repeat),
          },
        ]),
  ];
  await audit(session, { by, now: at }, { ...event, changes, reason: comment });
  return { ...after, ...fields };
}
