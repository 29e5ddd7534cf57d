/**
 * What a list of interviews is searched by: a coupon's code, of those who came with it, gave it out or came with it too
 * late; an interviewer's name; an id. What is found is still cut down to what the caller may read.
 */
import mongoose, { type Types } from 'mongoose';
import { parseCode } from '../referral-codes/code.ts';
import { ReferralCodes } from '../referral-codes/model.ts';
import { type Able, visible } from '../rights/guard.ts';
import { Users } from '../users/model.ts';
import { searchFilter } from '../users/search.ts';

/** Of a name that so many share nobody looks for the interviews; of so few the database merges them in their order. */
const MOST_PEOPLE = 100;

export async function surveySearch(actor: Able, text: string | undefined): Promise<object> {
  if (text === undefined) return {};
  const [coupon, people] = await Promise.all([ofCoupon(parseCode(text)), heldBy(actor, text)]);
  const ids = /^[0-9a-f]{24}$/i.test(text) ? [{ _id: new mongoose.Types.ObjectId(text) }] : [];
  return { $or: [...ids, ...coupon, { createdBy: { $in: people } }] };
}

async function ofCoupon(code: string | null): Promise<object[]> {
  if (code === null) return [];
  const known = await ReferralCodes.findOne({ code }, { survey: 1 }).lean<{
    survey: Types.ObjectId | null;
  }>();
  const giver = known?.survey ? [{ _id: known.survey }] : [];
  return [{ referralCode: code }, { 'flags.referralCode': code }, ...giver];
}

/** Whoever may not list people learns nothing from their names. */
async function heldBy(actor: Able, text: string): Promise<Types.ObjectId[]> {
  if (!actor.ability.can('list', 'User')) return [];
  const filter = visible(actor, ['list', 'read'], Users, searchFilter(text));
  const found = await Users.find(filter, { _id: 1 })
    .setOptions({ strictQuery: false })
    .limit(MOST_PEOPLE)
    .lean<{ _id: Types.ObjectId }[]>();
  return found.map(({ _id }) => _id);
}
