/** Searches incentives by claim number, by a recruit's coupon, or by the name of the payer or interviewer. */
import type { Types } from 'mongoose';
import { parseCode } from '../../coupons/referral-codes/code.ts';
import { ANY_FIELD_QUERY_OPTIONS } from '../../platform/http/lists/page.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { permittedFilter } from '../../platform/rights/guard.ts';
import { NOT_DELETED } from '../surveys/counted-interviews.ts';
import { SurveyModel } from '../surveys/model.ts';
import { findUserIdsByName } from '../surveys/read/search-filter.ts';
import { readsAllIncentives } from './right.ts';
import { interviewVisibility, type ShownIncentiveInterview } from './show.ts';

type Id = Types.ObjectId;

/** More than one interviewer does in a usual study; beyond that, only the newest. */
const MAX_INTERVIEWS = 2_000;

export async function incentiveSearchFilter(actor: Actor, text: string | undefined): Promise<object> {
  if (text === undefined) return {};
  const [interviews, people] = await Promise.all([
    findInterview(actor, parseCode(text)),
    findUserIdsByName(actor, text),
  ]);
  const ofInterviews = { $in: interviews };
  const byInterviewer = { $in: await interviewsOf(actor, people) };
  return {
    $or: [
      { survey: ofInterviews },
      { recruit: ofInterviews },
      { paidBy: { $in: people } },
      { survey: byInterviewer, recruit: null },
      { recruit: byInterviewer },
    ],
  };
}

/** Interviews by these people, as far as the caller may know whose incentive it is. */
async function interviewsOf(actor: Actor, people: Id[]): Promise<Id[]> {
  if (people.length === 0) return [];
  const readFilter = readsAllIncentives(actor)
    ? {}
    : { $and: [NOT_DELETED, permittedFilter(actor, 'read', 'Survey')] };
  const surveys = await SurveyModel.find({ createdBy: { $in: people }, ...readFilter }, { _id: 1 })
    .sort({ createdAt: -1, _id: -1 })
    .limit(MAX_INTERVIEWS)
    .setOptions(ANY_FIELD_QUERY_OPTIONS)
    .lean<{ _id: Id }[]>();
  return surveys.map(({ _id }) => _id);
}

/** Finds nothing by code unless the caller may read the code, so that a code doesn't reveal whose incentive it is. */
async function findInterview(actor: Actor, code: string | null) {
  const fields = { referralCode: 1, createdBy: 1 } as const;
  const interview =
    code && (await SurveyModel.findOne({ referralCode: code }, fields).lean<ShownIncentiveInterview>());
  if (!interview) return [];
  const may = await interviewVisibility(actor, [interview._id], [interview]);
  return may.readCode(interview) ? [interview._id] : [];
}
