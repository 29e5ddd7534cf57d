/** Searching incentives: by a claim number, by the coupon of a recruit, or by the name of who paid. */
import { parseCode } from '../../coupons/referral-codes/code.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { Surveys } from '../surveys/model.ts';
import { findPeople } from '../surveys/read/search-filter.ts';
import { type Interview, incentivePermissions } from './show.ts';

export async function incentiveSearchFilter(actor: Actor, text: string | undefined): Promise<object> {
  if (text === undefined) return {};
  const [interviews, people] = await Promise.all([
    findInterview(actor, parseCode(text)),
    findPeople(actor, text),
  ]);
  const ofInterviews = { $in: interviews };
  return { $or: [{ survey: ofInterviews }, { recruit: ofInterviews }, { paidBy: { $in: people } }] };
}

/** Nobody learns by a code whose incentive it is unless they may read the code. */
async function findInterview(actor: Actor, code: string | null) {
  const fields = { referralCode: 1, createdBy: 1 } as const;
  const found = code && (await Surveys.findOne({ referralCode: code }, fields).lean<Interview>());
  if (!found) return [];
  const may = await incentivePermissions(actor, [found._id], [found]);
  return may.readCode(found) ? [found._id] : [];
}
