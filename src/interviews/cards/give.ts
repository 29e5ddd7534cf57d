/** Assigns cards to payments in the payment's transaction, and voids them. */
import type { ClientSession, Types } from 'mongoose';
import { createTransientError } from '../../platform/db/transaction.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import { openSealedText } from '../../platform/lib/sealed-text.ts';
import { CardModel, type CardRecord } from './model.ts';
import type { CardDelivery, CardDetails } from './schema.ts';

/** The payment that gets the card. */
interface CardPayment {
  _id: Types.ObjectId;
  amount: string;
  currency: string;
}

interface CardAssignment {
  by: Types.ObjectId;
  now: Date;
  zone: string;
  delivery: CardDelivery;
}

/** Concurrent payers choose among this many cards, so that they rarely wait for each other. */
const CANDIDATE_CARDS = 20;

/** Assigns exactly one free card of this amount, preferring those that expire first; 409 NO_CARD_LEFT. */
export async function assignCard(
  session: ClientSession,
  { _id, amount, currency }: CardPayment,
  { by, now, zone, delivery }: CardAssignment,
): Promise<CardRecord> {
  const today = isoDateAt(now, zone);
  const find = async (expiresOn: object | null) =>
    await CardModel.collection
      .find<CardRecord>({ state: 'FREE', currency, amount, expiresOn }, { session })
      .sort({ expiresOn: 1, _id: 1 })
      .limit(CANDIDATE_CARDS)
      .toArray();
  const dated = await find({ $gte: today });
  const choice = dated.length > 0 ? dated : await find(null);
  const chosen = choice[Math.floor(Math.random() * choice.length)];
  if (!chosen) throw problem('NO_CARD_LEFT');
  const changes = { state: 'GIVEN', incentive: _id, givenBy: by, givenAt: now, delivery } as const;
  const { modifiedCount } = await CardModel.collection.updateOne(
    { _id: chosen._id, state: 'FREE' },
    { $set: changes },
    { session },
  );
  if (modifiedCount === 0) throw createTransientError();
  return { ...chosen, ...changes };
}

/** Voids the card of a payment made by mistake. It isn't given out again, because its number may have been read. */
export async function voidCardOfIncentive(
  session: ClientSession,
  incentive: Types.ObjectId,
  reason: string,
): Promise<boolean> {
  const { modifiedCount } = await CardModel.collection.updateOne(
    { incentive, state: 'GIVEN' },
    { $set: { state: 'VOID', reason } },
    { session },
  );
  return modifiedCount > 0;
}

export const findGivenGiftCard = async (
  incentive: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<CardRecord | null> =>
  await CardModel.collection.findOne<CardRecord>({ incentive, state: 'GIVEN' }, session ? { session } : {});

/** Null if its numbers were erased, or encrypted with another key. */
export function decryptCard({ _id, sealed, expiresOn }: CardRecord, contactKey: string): CardDetails | null {
  const text = sealed === '' ? null : openSealedText(contactKey, _id.toHexString(), sealed);
  return text === null ? null : { ...(JSON.parse(text) as Omit<CardDetails, 'expiresOn'>), expiresOn };
}

/**
 * Erases the numbers of the cards that these payments used. Their count and amounts remain, because the money was
 * spent.
 */
export async function eraseCardNumbers(
  session: ClientSession,
  incentives: Types.ObjectId[],
): Promise<number> {
  const { modifiedCount } = await CardModel.collection.updateMany(
    { incentive: { $in: incentives }, sealed: { $ne: '' } },
    { $set: { sealed: '' } },
    { session },
  );
  return modifiedCount;
}
