import type { ClientSession, Types } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { CodeBatchModel, ReferralCodeModel, type ReferralCodeRecord } from './model.ts';

async function batchLocation(
  batch: Types.ObjectId | null,
  session: ClientSession,
): Promise<Types.ObjectId | null> {
  const record = batch ? await CodeBatchModel.findById(batch, { location: 1 }).session(session).lean() : null;
  return record?.location ?? null;
}

/** Voids a live or reserved code. A voided code stays voided; a used code is refused. */
export async function voidCode(
  code: string,
  reason: string,
  author: Author,
  /** Throws if the caller isn't allowed to. */
  allow: (coupon: ReferralCodeRecord) => void = () => {},
): Promise<ReferralCodeRecord> {
  return await inTransaction(async (session) => {
    const coupon = await ReferralCodeModel.findOne({ code }).session(session).lean<ReferralCodeRecord>();
    if (!coupon) throw problem('NOT_FOUND');
    allow(coupon);
    if (coupon.state === 'VOID') return coupon;
    if (coupon.state === 'USED') throw problem('REFERRAL_CODE_USED');
    const changes = { state: 'VOID' as const, voidedAt: author.now, voidReason: reason };
    await ReferralCodeModel.collection.updateOne({ _id: coupon._id }, { $set: changes }, { session });
    await audit(session, author, {
      action: 'update',
      subject: 'ReferralCode',
      record: coupon._id,
      location: coupon.location ?? (await batchLocation(coupon.batch, session)),
      changes: [{ path: 'state', before: coupon.state, after: `VOID: ${reason}` }],
    });
    return { ...coupon, ...changes };
  }, author.deadline);
}
