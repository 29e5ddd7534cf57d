/** What is due to the person who came with this code. */
import { parseCode } from '../../coupons/referral-codes/code.ts';
import { findCode } from '../../coupons/referral-codes/model.ts';
import type { Deps } from '../../platform/http/deps.ts';
import { countAgainstLimit, type RateLimit } from '../../platform/http/limits/rate-limits.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { incentiveCurrency } from '../../study/settings/incentives.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { IncentiveModel, type IncentiveRecord } from '../incentives/model.ts';
import { decimalAmount } from '../incentives/totals.ts';
import { SurveyModel, type SurveyRecord } from '../surveys/model.ts';
import { recordClaimRead } from '../surveys/read/read.ts';

/** Unknown codes count too, so that nobody can try many. */
const CLAIM_LIMIT: RateLimit = { name: 'incentive-claim', points: 60, duration: 3_600 };

export async function findClaim(actor: Actor, text: string, { config: { rateLimits }, log }: Deps) {
  if (!actor.ability.can('pay', 'Incentive')) throw problem('FORBIDDEN');
  if (rateLimits) await countAgainstLimit(CLAIM_LIMIT, actor.user._id.toHexString());
  const code = parseCode(text);
  // Even if the survey was deleted, because recruits are still paid for.
  const survey =
    code && (await SurveyModel.findOne({ referralCode: code }, { location: 1 }).lean<SurveyRecord>());
  if (!survey) throw await unknownClaim(code);
  await recordClaimRead(actor, survey, log);
  const [study, all] = await Promise.all([
    loadStudy(),
    IncentiveModel.find({ survey: survey._id }).sort({ createdAt: 1, _id: 1 }).lean<IncentiveRecord[]>(),
  ]);
  const paid = all.filter(({ state }) => state === 'PAID');
  const sum = paid.reduce((before, { amount }) => before + Number(amount), 0);
  return {
    code,
    due: all.filter(({ state }) => state === 'DUE'),
    paidCount: paid.length,
    paidTotal: decimalAmount(sum, incentiveCurrency(study)),
  };
}

/** People often show a coupon that they should hand out instead of their own number. */
async function unknownClaim(code: string | null) {
  const isHandedOut = code !== null && ((await findCode(code))?.survey ?? null) !== null;
  return problem('NOT_FOUND', isHandedOut ? { why: fault('COUPON_NOT_CLAIM') } : {});
}
