/** Who may pay an incentive, and who may see whose it is. */
import { parseCode } from '../../coupons/referral-codes/code.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { asSubject } from '../../platform/rights/ability.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { readsAll } from '../../platform/rights/guard.ts';
import type { SurveyRecord } from '../surveys/model.ts';

export const readsAllIncentives = (actor: Actor): boolean => readsAll(actor, 'Incentive');

/** The claim number proves that the person is present. */
export function requireClaimNumberOrRight(
  actor: Actor,
  survey: SurveyRecord,
  code: string | undefined,
): void {
  if (code !== undefined) {
    const claimNumber = parseCode(code);
    if (claimNumber !== null && claimNumber === survey.referralCode) return;
    const isHandedOut = claimNumber !== null && survey.issuedCodes.includes(claimNumber);
    throw problem('FORBIDDEN', isHandedOut ? { why: fault('COUPON_NOT_CLAIM') } : {});
  }
  if (!readsAllIncentives(actor) && !mayUpdateSurvey(actor, survey)) throw problem('FORBIDDEN');
}

export const mayUpdateSurvey = ({ ability }: Actor, survey: SurveyRecord): boolean =>
  !survey.deletedAt && ability.can('update', asSubject('Survey', survey));

/** Whether the caller may know that an incentive belongs to this interview. */
export const mayKnowInterviewOfIncentive = (actor: Actor, survey: SurveyRecord): boolean =>
  readsAllIncentives(actor) || (!survey.deletedAt && actor.ability.can('read', asSubject('Survey', survey)));
