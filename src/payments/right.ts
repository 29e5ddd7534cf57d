/** Who may pay an incentive, and who may see whose it is. */
import type { Types } from 'mongoose';
import { fault } from '../http/error-codes.ts';
import { problem } from '../http/problem.ts';
import type { IncentiveRecord } from '../incentives/model.ts';
import { parseCode } from '../referral-codes/code.ts';
import { asSubject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import { readsAll } from '../rights/guard.ts';
import type { SurveyRecord } from '../surveys/model.ts';
import { readableSurveys } from '../surveys/read.ts';

export const readsAllIncentives = (actor: Actor): boolean => readsAll(actor, 'Incentive');

/** The claim number proves that the person is there. */
export function requireClaim(actor: Actor, survey: SurveyRecord, code: string | undefined): void {
  if (code !== undefined) {
    const given = parseCode(code);
    if (given !== null && given === survey.referralCode) return;
    const isHandedOut = given !== null && survey.issuedCodes.includes(given);
    throw problem('FORBIDDEN', isHandedOut ? { why: fault('COUPON_NOT_CLAIM') } : {});
  }
  if (!readsAllIncentives(actor) && !mayUpdate(actor, survey)) throw problem('FORBIDDEN');
}

export const mayUpdate = ({ ability }: Actor, survey: SurveyRecord): boolean =>
  !survey.deletedAt && ability.can('update', asSubject('Survey', survey));

/** Whether the caller may know that an incentive is for this interview. */
export const mayReadInterview = (actor: Actor, survey: SurveyRecord): boolean =>
  readsAllIncentives(actor) || (!survey.deletedAt && actor.ability.can('read', asSubject('Survey', survey)));

/** The incentives without the interviews that the caller may not read. */
export async function hideInterviews(actor: Actor, incentives: IncentiveRecord[]) {
  if (readsAllIncentives(actor)) return incentives;
  const ids = incentives.flatMap(({ survey, recruit }) => (recruit ? [survey, recruit] : [survey]));
  const known = await readableSurveys(actor, ids);
  const shown = (id: Types.ObjectId | null) => (id && known.has(String(id)) ? id : null);
  return incentives.map((one) => ({ ...one, survey: shown(one.survey), recruit: shown(one.recruit) }));
}

export async function hideInterviewsOf(actor: Actor, incentive: IncentiveRecord) {
  const [shown] = await hideInterviews(actor, [incentive]);
  return shown;
}
