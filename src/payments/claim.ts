/** What is due to the person who came with this code. */
import type { Deps } from '../http/deps.ts';
import { fault } from '../http/error-codes.ts';
import { problem } from '../http/problem.ts';
import { consume, type Limit } from '../http/rate-limits.ts';
import { type IncentiveRecord, Incentives } from '../incentives/model.ts';
import { toAmount } from '../incentives/totals.ts';
import { parseCode } from '../referral-codes/code.ts';
import { findCode } from '../referral-codes/model.ts';
import type { Actor } from '../rights/actor.ts';
import { incentiveCurrency } from '../study/incentives.ts';
import { loadStudy } from '../study/model.ts';
import { type SurveyRecord, Surveys } from '../surveys/model.ts';
import { recordClaim } from '../surveys/read.ts';

/** Codes that don't exist count too, so that nobody can try many. */
const CLAIM_LIMIT: Limit = { name: 'incentive-claim', points: 60, duration: 3_600 };

export async function findClaim(actor: Actor, text: string, { config: { rateLimits }, log }: Deps) {
  if (!actor.ability.can('pay', 'Incentive')) throw problem('FORBIDDEN');
  if (rateLimits) await consume(CLAIM_LIMIT, actor.user._id.toHexString());
  const code = parseCode(text);
  // Deleted or not: the person is owed for recruits all the same.
  const survey =
    code && (await Surveys.findOne({ referralCode: code }, { location: 1 }).lean<SurveyRecord>());
  if (!survey) throw await unknownClaim(code);
  await recordClaim(actor, survey, log);
  const [study, all] = await Promise.all([
    loadStudy(),
    Incentives.find({ survey: survey._id }).sort({ createdAt: 1, _id: 1 }).lean<IncentiveRecord[]>(),
  ]);
  const paid = all.filter(({ state }) => state === 'PAID');
  const sum = paid.reduce((before, { amount }) => before + Number(amount), 0);
  return {
    code,
    due: all.filter(({ state }) => state === 'DUE'),
    paidCount: paid.length,
    paidTotal: toAmount(sum, incentiveCurrency(study)),
  };
}

/** People often show a coupon that they were to hand out, in place of their own number. */
async function unknownClaim(code: string | null) {
  const isHandedOut = code !== null && ((await findCode(code))?.survey ?? null) !== null;
  return problem('NOT_FOUND', isHandedOut ? { why: fault('COUPON_NOT_CLAIM') } : {});
}
