/**
 * Codes in advance for a person's device, so that an interview held offline can hand them out: reserving a block, what
 * of them is unused, and giving up those whose device is lost or was cleared.
 */
import type { Types } from 'mongoose';
import { audit } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { problem } from '../http/problem.ts';
import { Users } from '../users/model.ts';
import { newCodes, storeCodes, withNewCodes } from './issue.ts';
import { ReferralCodes } from './model.ts';

export const MOST_RESERVED = 100;
const DAY = 86_400_000;

/** What counts against the limit. A code that was given up stays good, but takes no place any more. */
const heldBy = (user: Types.ObjectId) => ({ reservedBy: user, state: 'RESERVED' as const, givenUpAt: null });

/** Of the last day: giving up makes room once, for a phone that was lost; it is no way to any number of codes. */
const givenUpBy = (user: Types.ObjectId, now: Date) => ({
  reservedBy: user,
  state: 'RESERVED' as const,
  givenUpAt: { $gt: new Date(now.getTime() - DAY) },
});

export interface Reserved {
  codes: string[];
  /** The request had been answered before: these are the codes of then. */
  again: boolean;
}

/** `requestId` makes it repeatable: whoever lost the answer asks again and gets the same codes. */
export async function reserveBlock(
  user: Types.ObjectId,
  { count, requestId }: { count: number; requestId?: string | undefined },
  now: Date,
): Promise<Reserved> {
  return await withNewCodes(async (session) => {
    // Touching the user makes two requests of the same user take turns, so that neither passes the limit unseen nor
    // misses that the other is the same one.
    await Users.collection.updateOne({ _id: user }, { $inc: { blocksReserved: 1 } }, { session });
    if (requestId) {
      const asked = { requestId, reservedBy: user };
      const before = await ReferralCodes.find(asked, { code: 1 }).session(session).lean();
      if (before.length > 0) return { codes: inOrder(before), again: true };
    }
    const held = await ReferralCodes.countDocuments(heldBy(user)).session(session);
    const given = await ReferralCodes.countDocuments(givenUpBy(user, now)).session(session);
    if (held + count > MOST_RESERVED || held + given + count > 2 * MOST_RESERVED)
      throw problem('TOO_MANY_RESERVED');
    const origin = { state: 'RESERVED' as const, reservedBy: user, ...(requestId ? { requestId } : {}) };
    const codes = newCodes(count, origin, now);
    await storeCodes(session, codes);
    return { codes: codes.map((one) => one.code), again: false };
  });
}

/** The unused ones that take up the user's places, oldest first. */
export async function heldCodes(user: Types.ObjectId): Promise<string[]> {
  return inOrder(await ReferralCodes.find(heldBy(user), { code: 1 }).lean());
}

/** As they were made; a hundred at most, for which no index is worth its writes. */
function inOrder(codes: { _id: Types.ObjectId; code: string }[]): string[] {
  return codes.sort((a, b) => (String(a._id) < String(b._id) ? -1 : 1)).map((one) => one.code);
}

/**
 * Makes room for others. The codes are not voided: some may be in people's hands already, or on a phone that works
 * without a signal, and nobody is turned away for a lost phone. What is not the user's, or used by now, is left out.
 */
export async function giveUpCodes(user: Types.ObjectId, codes: string[], now: Date): Promise<number> {
  return await inTransaction(async (session) => {
    const filter = { code: { $in: codes }, ...heldBy(user) };
    const found = await ReferralCodes.find(filter, { _id: 1 }).session(session).lean();
    if (found.length === 0) return 0;
    const ids = found.map((one) => one._id);
    await ReferralCodes.collection.updateMany(
      { _id: { $in: ids } },
      { $set: { givenUpAt: now } },
      { session },
    );
    const changes = [{ path: 'givenUpAt', before: null, after: now.toISOString() }];
    const event = {
      by: user,
      action: 'update' as const,
      subject: 'ReferralCode' as const,
      location: null,
      changes,
      at: now,
    };
    await audit(session, ...ids.map((record) => ({ ...event, record })));
    return ids.length;
  });
}
