/**
 * Searches interviews by coupon code (redeemed, handed out or refused), interviewer's name, or id. The caller's
 * permissions are applied in addition.
 */

import mongoose, { type Types } from 'mongoose';
import { formatCode, parseCode } from '../../../coupons/referral-codes/code.ts';
import { ReferralCodeModel } from '../../../coupons/referral-codes/model.ts';
import { isRecordId } from '../../../platform/lib/record-id.ts';
import { findVisible, type HasAbility } from '../../../platform/rights/guard.ts';
import { UserModel } from '../../../study/users/model.ts';
import { userSearchFilter } from '../../../study/users/search-filter.ts';
import { SurveyModel } from '../model.ts';

/** Few enough for the database to merge the interviewers' lists in order. */
const MAX_PEOPLE = 100;

export async function surveySearchFilter(actor: HasAbility, text: string | undefined): Promise<object> {
  if (text === undefined) return {};
  const [coupon, people] = await Promise.all([couponFilter(parseCode(text)), findUserIdsByName(actor, text)]);
  const ids = isRecordId(text) ? [{ _id: new mongoose.Types.ObjectId(text) }] : [];
  return { $or: [...ids, ...coupon, { createdBy: { $in: people } }] };
}

async function couponFilter(code: string | null): Promise<object[]> {
  if (code === null) return [];
  const coupon = await ReferralCodeModel.findOne({ code }, { survey: 1 }).lean<{
    survey: Types.ObjectId | null;
  }>();
  const giver = coupon?.survey ? [{ _id: coupon.survey }] : [];
  return [{ referralCode: code }, { 'flags.referralCode': code }, ...giver];
}

/** People by name. Finds nothing for callers who may not list people. */
export async function findUserIdsByName(actor: HasAbility, text: string): Promise<Types.ObjectId[]> {
  if (!actor.ability.can('list', 'User')) return [];
  const people = await findVisible(actor, ['list', 'read'], UserModel, userSearchFilter(text))
    .select({ _id: 1 })
    .limit(MAX_PEOPLE)
    .lean<{ _id: Types.ObjectId }[]>();
  return people.map(({ _id }) => _id);
}

const MAX_FLAGGED = 50;

/** Interviews that presented this coupon (as typed by the user) after it had been used. */
export async function findSurveysByFlaggedCode(typed: string): Promise<Types.ObjectId[]> {
  const code = parseCode(typed);
  if (!code) return [];
  const flag = { code: 'REFERRAL_CODE_USED', referralCode: { $in: [code, formatCode(code), typed] } };
  const cursor = SurveyModel.collection.find(
    { 'flags.code': 'REFERRAL_CODE_USED', flags: { $elemMatch: flag }, deletedAt: null },
    { projection: { _id: 1 } },
  );
  return (await cursor.limit(MAX_FLAGGED).toArray()).map(({ _id }) => _id);
}
