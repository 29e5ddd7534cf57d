/**
 * Blocks of codes reserved for a person's device, so that offline interviews can hand them out: reserving a block,
 * listing unused codes, and giving up the codes of a device that was lost or cleared.
 */

import type { Types } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { DAY_MS } from '../../platform/lib/day.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { UserModel } from '../../study/users/model.ts';
import { inTransactionUntilUnique, newCodes, storeCodes } from './issue.ts';
import { ReferralCodeModel } from './model.ts';

export const MAX_RESERVED_CODES = 100;

/** Codes that count against the limit. A code that was given up stays valid but no longer counts. */
const reservedFilter = (user: Types.ObjectId) => ({
  reservedBy: user,
  state: 'RESERVED' as const,
  givenUpAt: null,
});

/**
 * Codes given up during the last day. They are limited too, so that giving up codes isn't a way to get any number of
 * them.
 */
const givenUpFilter = (user: Types.ObjectId, now: Date) => ({
  reservedBy: user,
  state: 'RESERVED' as const,
  givenUpAt: { $gt: new Date(now.getTime() - DAY_MS) },
});

export interface ReservedBlock {
  codes: string[];
  /** Whether the request was answered before, with the same codes. */
  again: boolean;
}

/** Idempotent by `requestId`: a device that lost the reply asks again and gets the same codes. */
export async function reserveCodeBlock(
  user: Types.ObjectId,
  { count, requestId }: { count: number; requestId?: string | undefined },
  { now, deadline }: Omit<Author, 'by'>,
): Promise<ReservedBlock> {
  return await inTransactionUntilUnique(async (session) => {
    // Writing to the user serializes parallel requests of the same user, which could otherwise exceed the limit or be
    // duplicates.
    await UserModel.collection.updateOne({ _id: user }, { $inc: { blocksReserved: 1 } }, { session });
    if (requestId) {
      const request = { requestId, reservedBy: user };
      const before = await ReferralCodeModel.find(request, { code: 1 }).session(session).lean();
      if (before.length > 0) return { codes: sortById(before), again: true };
    }
    const reservedCount = await ReferralCodeModel.countDocuments(reservedFilter(user)).session(session);
    const givenUpCount = await ReferralCodeModel.countDocuments(givenUpFilter(user, now)).session(session);
    if (
      reservedCount + count > MAX_RESERVED_CODES ||
      reservedCount + givenUpCount + count > 2 * MAX_RESERVED_CODES
    )
      throw problem('TOO_MANY_RESERVED');
    const origin = { state: 'RESERVED' as const, reservedBy: user, ...(requestId ? { requestId } : {}) };
    const codes = newCodes(count, origin, now);
    await storeCodes(session, codes);
    return { codes: codes.map((one) => one.code), again: false };
  }, deadline);
}

/** The unused codes that count against the user's limit, oldest first. */
export async function listReservedCodes(user: Types.ObjectId): Promise<string[]> {
  return sortById(await ReferralCodeModel.find(reservedFilter(user), { code: 1 }).lean());
}

/** In order of creation. Sorted here, because for at most a hundred codes an index isn't worth its writes. */
function sortById(codes: { _id: Types.ObjectId; code: string }[]): string[] {
  return codes.sort((a, b) => (String(a._id) < String(b._id) ? -1 : 1)).map((one) => one.code);
}

/**
 * Makes room for other codes. The codes are not voided, because some may have been handed out, or be on a phone that is
 * offline. Codes that belong to someone else or have been used in the meantime are ignored.
 */
export async function giveUpCodes(
  user: Types.ObjectId,
  codes: string[],
  { now, deadline }: Omit<Author, 'by'>,
): Promise<number> {
  return await inTransaction(async (session) => {
    const filter = { code: { $in: codes }, ...reservedFilter(user) };
    const ownCodes = await ReferralCodeModel.find(filter, { _id: 1 }).session(session).lean();
    if (ownCodes.length === 0) return 0;
    const ids = ownCodes.map((one) => one._id);
    await ReferralCodeModel.collection.updateMany(
      { _id: { $in: ids } },
      { $set: { givenUpAt: now } },
      { session },
    );
    const changes = [{ path: 'givenUpAt', before: null, after: now.toISOString() }];
    const event = { action: 'update', subject: 'ReferralCode', changes } as const;
    await audit(session, { by: user, now }, ...ids.map((record) => ({ ...event, record })));
    return ids.length;
  }, deadline);
}
