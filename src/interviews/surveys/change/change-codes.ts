/** The codes of a changed survey: its own coupon, if it was stored without one, and those that it hands out. */

import type { ClientSession, Types } from 'mongoose';
import { PROBLEM_BY_CODE_FAULT } from '../../../coupons/referral-codes/check.ts';
import { parseCode } from '../../../coupons/referral-codes/code.ts';
import { storeCodes } from '../../../coupons/referral-codes/issue.ts';
import { findCode } from '../../../coupons/referral-codes/model.ts';
import { lockInTransaction } from '../../../platform/db/transaction.ts';
import { invalidFieldProblem, problem } from '../../../platform/http/problems/problem.ts';
import { asSubject } from '../../../platform/rights/ability.ts';
import { type Actor, authorFromActor } from '../../../platform/rights/actor.ts';
import { loadRounds } from '../../../study/rounds/model.ts';
import { loadStudy } from '../../../study/settings/model.ts';
import { isCompletedParticipation } from '../counted-interviews.ts';
import { dateCouponsByArrival } from '../dates-by-coupon.ts';
import type { SurveyRecord } from '../model.ts';
import {
  findSelfAndAncestors,
  linkRecruits,
  RECRUITMENT_LOCK,
  setTreePlacesOfDescendants,
} from '../recruitment-tree.ts';
import { moveDescendantsToRound } from '../round-moves.ts';
import { createMissingCodes, handOutCoupons, refusedCodesProblem } from '../submit/hand-out.ts';
import { redeemCoupon } from '../submit/redeem-coupon.ts';

/** Issues the missing codes, up to the study's limit, when a survey is completed or its person becomes eligible. */
export async function issueMissingCodes(
  session: ClientSession,
  before: SurveyRecord,
  after: SurveyRecord,
  now: Date,
): Promise<void> {
  if (isCompletedParticipation(before) || !isCompletedParticipation(after)) return;
  const study = await loadStudy(session);
  const issued = createMissingCodes(after, { study, handedOut: after.issuedCodes.length, now });
  await storeCodes(session, issued);
  after.issuedCodes = [...after.issuedCodes, ...issued.map((one) => one.code)];
}

/** A reviewer who gives a reason may accept a coupon outside its dates. */
export const mayIgnoreCouponDates = (
  { ability }: Actor,
  survey: SurveyRecord,
  reason: string | undefined,
): boolean => reason !== undefined && ability.can('review', asSubject('Survey', survey));

/** Sets the code of a survey that was stored without one. Returns other people whose incentives may change. */
export async function setSurveyReferralCode(
  session: ClientSession,
  after: SurveyRecord,
  code: string,
  { actor, ignoreDates }: { actor: Actor; ignoreDates: boolean },
): Promise<Types.ObjectId[]> {
  const { now } = actor;
  await lockInTransaction(session, RECRUITMENT_LOCK);
  const coupon = await findCode(code, session);
  if ((await findSelfAndAncestors(session, coupon?.survey ?? null, [after._id])).length > 0) {
    throw invalidFieldProblem('referralCode', 'CODE_FROM_BELOW');
  }
  const rounds = await loadRounds(session);
  const redeemed = await redeemCoupon(session, coupon, after, { now, rounds, ignoreDates });
  if ('fault' in redeemed) throw problem(PROBLEM_BY_CODE_FAULT[redeemed.fault]);
  await storeCodes(session, [], redeemed.couponUpdate);
  const isHeldAtCorrected = redeemed.heldAt.getTime() !== after.heldAt.getTime();
  if (isHeldAtCorrected) await dateCouponsByArrival(session, after);
  const isMoved = !redeemed.round.equals(after.round);
  Object.assign(after, redeemed.place, { heldAt: redeemed.heldAt, round: redeemed.round });
  const otherFlags = after.flags.filter((one) => !/^(REFERRAL_CODE_|NO_ROUND$)/.test(one.code));
  after.flags = [...otherFlags, ...redeemed.flags];
  await setTreePlacesOfDescendants(session, [after._id], after.seed, after.wave, authorFromActor(actor));
  return isMoved ? await moveDescendantsToRound(session, after._id, after.round, authorFromActor(actor)) : [];
}

/** Adds printed codes that were handed out later; the survey's existing codes stay unchanged. */
export async function addLateCodes(
  session: ClientSession,
  after: SurveyRecord,
  texts: string[],
  { user, now }: Actor,
): Promise<Types.ObjectId[]> {
  const isNew = texts.map((text) => !after.issuedCodes.includes(parseCode(text) ?? ''));
  const newPlaces = texts.flatMap((_, index) => (isNew[index] ? [index] : []));
  const study = await loadStudy(session);
  const max = study.couponsPerSurvey - (after.lateCodes ?? 0);
  const recipient = { survey: after, user: user._id, study, at: now, max };
  const result = await handOutCoupons(
    session,
    newPlaces.map((index) => texts[index] ?? ''),
    recipient,
  );
  if (result.refused.length > 0)
    throw refusedCodesProblem(result.refused.map(({ index }) => newPlaces[index] ?? 0));
  if (result.accepted.length === 0) return [];
  after.issuedCodes = [...after.issuedCodes, ...result.accepted];
  after.lateCodes = (after.lateCodes ?? 0) + result.accepted.length;
  return await linkRecruits(session, after, result.recruits, { by: user._id, now });
}
