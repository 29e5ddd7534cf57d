/** How a change of answers affects the review of a survey. */
import type { Types } from 'mongoose';
import { problem } from '../../../platform/http/problems/problem.ts';
import { asSubject } from '../../../platform/rights/ability.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import type { SurveyRecord } from '../model.ts';
import { withoutPreviousReview } from './store-review.ts';

/** Only reviewers may change the answers of a rejected interview. */
export function requireMayCorrectAnswers({ ability }: Pick<Actor, 'ability'>, survey: SurveyRecord): void {
  if (survey.review?.state !== 'REJECTED') return;
  if (!ability.can('review', asSubject('Survey', survey))) throw problem('REVIEW_CLOSED');
}

/**
 * The review after a change of answers: unless the reviewer made the change, the interview must be reviewed again.
 * Rejected interviews stay rejected.
 */
export function reviewAfterChange(
  review: SurveyRecord['review'],
  by: Types.ObjectId,
): SurveyRecord['review'] {
  if (!review || (review.state !== 'REJECTED' && !review.by?.equals(by))) return undefined;
  return withoutPreviousReview(review);
}
