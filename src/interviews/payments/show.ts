/**
 * Incentives with the interviews they belong to, as far as the caller may know them. A claim number is only shown to
 * people who may read that interview, or codes, because anyone who knows it can be paid.
 */
import type { Types } from 'mongoose';
import { permittedCodes } from '../../coupons/referral-codes/readable.ts';
import { ANY_FIELD_QUERY_OPTIONS } from '../../platform/http/lists/page.ts';
import { fullName } from '../../platform/lib/text/full-name.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { permittedFilter, readsAll } from '../../platform/rights/guard.ts';
import { UserModel, type UserRecord } from '../../study/users/model.ts';
import type { IncentiveRecord } from '../incentives/model.ts';
import { SurveyModel, type SurveyRecord } from '../surveys/model.ts';
import { readableSurveyIds } from '../surveys/read/read.ts';
import { readsAllIncentives } from './right.ts';

type Id = Types.ObjectId;

export interface ShownIncentive extends Omit<IncentiveRecord, 'survey' | 'recruit'> {
  survey: Id | null;
  recruit: Id | null;
  /** The code that the person came with. */
  claimNumber: string | null;
  /** The coupon that a recruit came with. */
  coupon: string | null;
  /** Who held the interview that made it due. */
  interviewer: Id | null;
}

export type ShownIncentiveInterview = Pick<SurveyRecord, '_id' | 'referralCode' | 'createdBy'>;

/** `reader` is null for an operator's command, which sees everything. */
export async function showIncentives(
  reader: Actor | null,
  incentives: readonly IncentiveRecord[],
): Promise<ShownIncentive[]> {
  const ids = incentives.flatMap(({ survey, recruit }) => (recruit ? [survey, recruit] : [survey]));
  const surveys = await SurveyModel.find({ _id: { $in: ids } }, { referralCode: 1, createdBy: 1 }).lean<
    ShownIncentiveInterview[]
  >();
  const interviews = new Map(surveys.map((one) => [String(one._id), one]));
  const may = await interviewVisibility(reader, ids, surveys);
  const interview = (id: Id | null) => (id && interviews.get(String(id))) ?? null;
  const code = (one: ShownIncentiveInterview | null) => (one && may.readCode(one) ? one.referralCode : null);
  const visibleId = (id: Id | null) => (id && may.know(id) ? id : null);
  return incentives.map((one) => ({
    ...one,
    survey: visibleId(one.survey),
    recruit: visibleId(one.recruit),
    claimNumber: code(interview(one.survey)),
    coupon: code(interview(one.recruit)),
    interviewer: interview(visibleId(one.recruit ?? one.survey))?.createdBy ?? null,
  }));
}

/** What the reader may know about the interviews behind incentives. */
export async function interviewVisibility(
  reader: Actor | null,
  ids: Id[],
  interviews: ShownIncentiveInterview[],
) {
  if (!reader || (readsAllIncentives(reader) && readsAll(reader, 'ReferralCode')))
    return { know: () => true, readCode: () => true };
  const [readable, codes] = await Promise.all([
    readableSurveyIds(reader, ids),
    permittedCodes(
      reader,
      interviews.flatMap(({ referralCode }) => referralCode ?? []),
    ),
  ]);
  return {
    know: (id: Id) => readsAllIncentives(reader) || readable.has(String(id)),
    readCode: ({ _id, referralCode }: ShownIncentiveInterview) =>
      readable.has(String(_id)) || codes.has(referralCode ?? ''),
  };
}

export async function incentiveReplyFor(reader: Actor, incentive: IncentiveRecord) {
  const [reply] = await showIncentives(reader, [incentive]);
  return reply;
}

/** The names of people who paid or interviewed, as far as the reader may know them. */
export async function staffNames(reader: Actor | null, ids: (Id | null)[]): Promise<Map<string, string>> {
  const byId = { _id: { $in: [...new Set(ids.flatMap((id) => (id ? [String(id)] : [])))] } };
  const filter = reader ? { $and: [byId, permittedFilter(reader, 'read', 'User')] } : byId;
  const users = await UserModel.find(filter, { firstName: 1, lastName: 1 })
    .setOptions(ANY_FIELD_QUERY_OPTIONS)
    .lean<Pick<UserRecord, '_id' | 'firstName' | 'lastName'>[]>();
  return new Map(users.map((one) => [String(one._id), fullName(one)]));
}
