/** Corrects the site of an interview, and everything that is counted by site. The place of payment stays. */
import type { ClientSession, Types } from 'mongoose';
import { ReferralCodeModel } from '../../../coupons/referral-codes/model.ts';
import { SeedModel } from '../../../coupons/seeds/model.ts';
import { requireExistingLocation } from '../../../study/locations/model.ts';
import { IncentiveModel } from '../../incentives/model.ts';
import type { SurveyRecord } from '../model.ts';

export async function moveInterviewToSite(
  session: ClientSession,
  after: SurveyRecord,
  location: Types.ObjectId,
): Promise<void> {
  if (after.location.equals(location)) return;
  const { _id: survey } = after;
  after.sentFrom ??= after.location;
  after.location = location;
  await IncentiveModel.collection.updateMany({ survey }, { $set: { site: location } }, { session });
  await ReferralCodeModel.collection.updateMany({ survey }, { $set: { location } }, { session });
  const { seed, wave } = after;
  if (seed && wave === 0)
    await SeedModel.collection.updateOne({ _id: seed, kind: 'WALK_IN' }, { $set: { location } }, { session });
  await requireExistingLocation(location.toHexString(), session);
}
