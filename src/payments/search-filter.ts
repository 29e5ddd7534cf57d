/** Searching incentives: by a claim number, by the coupon of a recruit, or by the name of who paid. */
import { parseCode } from '../referral-codes/code.ts';
import { readableCodes } from '../referral-codes/readable.ts';
import type { Actor } from '../rights/actor.ts';
import { type SurveyRecord, Surveys } from '../surveys/model.ts';
import { readableSurveys } from '../surveys/read.ts';
import { findPeople } from '../surveys/search-filter.ts';

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
  if (code === null) return [];
  const found = await Surveys.findOne({ referralCode: code }, { _id: 1 }).lean<Pick<SurveyRecord, '_id'>>();
  if (!found) return [];
  const [codes, surveys] = await Promise.all([
    readableCodes(actor, [code]),
    readableSurveys(actor, [found._id]),
  ]);
  return codes.has(code) || surveys.has(String(found._id)) ? [found._id] : [];
}
