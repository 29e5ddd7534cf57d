/** What is still outstanding in a round: coupons, interviews on devices, payments and reviews. */
import { ReferralCodeModel } from '../../coupons/referral-codes/model.ts';
import type { DeviceRecord } from '../../study/devices/model.ts';
import { DeviceModel, NOTHING_PENDING_DATE } from '../../study/devices/model.ts';
import type { RoundRecord } from '../../study/rounds/model.ts';
import type { OutstandingInRound } from '../../study/rounds/routes.ts';
import { incentiveCurrency } from '../../study/settings/incentives.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { IncentiveModel } from '../incentives/model.ts';
import { amountTotalsPipeline, decimalAmount, type TotalsGroup } from '../incentives/totals.ts';
import { IN_THE_SAMPLE, NOT_DELETED } from './counted-interviews.ts';
import { SurveyModel } from './model.ts';

const MAX_DEVICES = 200;

export async function loadOutstandingInRound(
  { _id: round }: RoundRecord,
  now: Date,
): Promise<OutstandingInRound> {
  const live = { round, state: 'LIVE', $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  const [study, couponsOut, devices, [due], unreviewed] = await Promise.all([
    loadStudy(),
    ReferralCodeModel.collection.countDocuments(live),
    DeviceModel.find({ pendingSince: { $lt: NOTHING_PENDING_DATE } })
      .sort({ pendingSince: 1, _id: 1 })
      .limit(MAX_DEVICES)
      .lean<DeviceRecord[]>(),
    IncentiveModel.collection
      .aggregate<TotalsGroup>([{ $match: { round, state: 'DUE' } }, ...amountTotalsPipeline(null)])
      .toArray(),
    SurveyModel.collection.countDocuments({ round, ...NOT_DELETED, ...IN_THE_SAMPLE, review: null }),
  ]);
  const total = decimalAmount(due?.sum ?? 0, incentiveCurrency(study));
  return { couponsOut, devices, due: { count: due?.count ?? 0, total }, unreviewed };
}
