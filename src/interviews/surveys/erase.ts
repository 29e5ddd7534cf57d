/**
 * Erasure: permanently deletes what a person said in an interview. What other interviews depend on remains: the place
 * in the recruitment tree, dates, coupons and the network size.
 */
import type { ClientSession, Types } from 'mongoose';
import { parseCode } from '../../coupons/referral-codes/code.ts';
import { SeedModel } from '../../coupons/seeds/model.ts';
import { eraseAuditValues, eraseReasons } from '../../platform/audit/erase-values.ts';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { parseIfMatch, requireExpectedVersion } from '../../platform/http/if-match.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { parseId } from '../../platform/rights/guard.ts';
import { eraseCardNumbers } from '../cards/give.ts';
import { IncentiveModel } from '../incentives/model.ts';
import { eraseContacts } from '../messages/end.ts';
import { SurveyModel, type SurveyRecord } from './model.ts';
import { IdentityHashModel } from './repeats/identities.ts';
import { SurveyCommentModel } from './review/comments.ts';
import { DismissalModel } from './review/dismissals.ts';
import { SurveyResubmissionModel } from './submit/second-copies.ts';

interface Erasure {
  reason: string;
  ifMatch?: string | undefined;
  mayErase(survey: SurveyRecord): boolean;
}

/**
 * Also works on deleted interviews, since their answers are still stored. Erasing again removes what was added since,
 * such as comments.
 */
export async function eraseSurvey(
  id: string,
  { reason, ifMatch, mayErase }: Erasure,
  { by, now, deadline }: Author,
): Promise<SurveyRecord> {
  const expectedVersion = parseIfMatch(ifMatch);
  const _id = parseId(id);
  return await inTransaction(async (session) => {
    const survey = await SurveyModel.findById(_id).session(session).lean<SurveyRecord>();
    if (!survey) throw problem('NOT_FOUND');
    if (!mayErase(survey)) throw problem('FORBIDDEN');
    if (!survey.erasedAt) requireExpectedVersion(expectedVersion, survey);
    const counts = await eraseSurveyContents(session, [_id], now);
    if (Object.values(counts).every((count) => count === 0)) return survey;
    const { location } = survey;
    await audit(session, { by, now }, { action: 'erase', subject: 'Survey', record: _id, location, reason });
    const erased = await SurveyModel.findById(_id).session(session).lean<SurveyRecord>();
    return erased ?? survey;
  }, deadline);
}

/** The number of changed or deleted records by collection. */
export type ErasedCounts = Record<
  | 'surveys'
  | 'surveycopies'
  | 'surveycomments'
  | 'dismissals'
  | 'identities'
  | 'contacts'
  | 'incentives'
  | 'cards'
  | 'seeds'
  | 'auditevents',
  number
>;

export async function eraseSurveyContents(
  session: ClientSession,
  ids: Types.ObjectId[],
  at: Date,
): Promise<ErasedCounts> {
  const ofSurveys = { survey: { $in: ids } };
  const codes = await presentedCodes(session, ids);
  const { modifiedCount } = await SurveyModel.collection.updateMany(
    { _id: { $in: ids }, erasedAt: null },
    [
      {
        $set: {
          responses: { $literal: {} },
          coordinates: null,
          // The hash could confirm a guess at the answers.
          requestHash: '',
          flags: {
            $map: {
              input: { $filter: { input: '$flags', cond: { $ne: ['$$this.code', 'SECOND_COPY'] } } },
              in: {
                $mergeObjects: [
                  '$$this',
                  // The number of a gift card or transfer identifies its recipient.
                  { $cond: [{ $gt: ['$$this.reference', null] }, { reference: null }, {}] },
                  {
                    referralCode: {
                      $cond: [
                        { $in: ['$$this.referralCode', { $literal: codes }] },
                        '$$this.referralCode',
                        null,
                      ],
                    },
                  },
                ],
              },
            },
          },
          erasedAt: at,
          updatedAt: { $max: ['$updatedAt', at] },
          version: { $add: ['$version', 1] },
        },
      },
      { $unset: ['repeat', 'note', 'statusHash'] },
    ],
    { session },
  );
  const copies = await SurveyResubmissionModel.collection.deleteMany(ofSurveys, { session });
  const comments = await SurveyCommentModel.collection.deleteMany(ofSurveys, { session });
  const seeds = await eraseSeedNotes(session, ids);
  const withoutComment = { $set: { comment: '' } };
  const dismissals = await DismissalModel.collection.updateMany(ofSurveys, withoutComment, { session });
  const incentives = await eraseIncentiveTexts(session, ids);
  const identities = await IdentityHashModel.collection.deleteMany(ofSurveys, { session });
  return {
    surveys: modifiedCount,
    surveycopies: copies.deletedCount,
    surveycomments: comments.deletedCount,
    dismissals: dismissals.modifiedCount,
    identities: identities.deletedCount,
    contacts: await eraseContacts(session, ids),
    incentives: incentives.erased,
    cards: incentives.cards,
    seeds,
    auditevents: (await eraseAuditValues(session, ids)) + incentives.events,
  };
}

/** Erases notes about the people who came with a seed's coupon. */
async function eraseSeedNotes(session: ClientSession, ids: Types.ObjectId[]): Promise<number> {
  const came = SurveyModel.find({ _id: { $in: ids }, recruiter: null, seed: { $ne: null } }, { seed: 1 });
  const seeds = (await came.session(session).lean()).flatMap(({ seed }) => seed ?? []);
  const { modifiedCount } = await SeedModel.collection.updateMany(
    { _id: { $in: seeds }, survey: { $in: ids }, note: { $ne: null } },
    { $set: { note: null } },
    { session },
  );
  return modifiedCount;
}

/**
 * Erases notes about these people's payments, and about payments for recruiting them. Amounts, times and payers remain,
 * because the money was spent.
 */
async function eraseIncentiveTexts(session: ClientSession, ids: Types.ObjectId[]) {
  const recruited = SurveyModel.find({ _id: { $in: ids }, recruiter: { $ne: null } }, { recruiter: 1 });
  const recruiters = (await recruited.session(session).lean()).flatMap(({ recruiter }) => recruiter ?? []);
  const own = { survey: { $in: ids } };
  const forBringing = { survey: { $in: recruiters }, kind: 'RECRUIT' as const, recruit: { $in: ids } };
  const incentives = await IncentiveModel.find({ $or: [own, forBringing] }, { _id: 1 })
    .session(session)
    .lean();
  const written = { $or: [{ reason: { $ne: null } }, { reference: { $ne: null } }] };
  const { modifiedCount: ofOwn } = await IncentiveModel.collection.updateMany(
    { ...own, ...written },
    { $set: { reference: null, reason: null } },
    { session },
  );
  const { modifiedCount: ofOthers } = await IncentiveModel.collection.updateMany(
    { ...forBringing, reason: { $ne: null } },
    { $set: { reason: null } },
    { session },
  );
  const events = await eraseReasons(
    session,
    incentives.map(({ _id }) => _id),
  );
  const cards = await eraseCardNumbers(
    session,
    incentives.map(({ _id }) => _id),
  );
  return { erased: ofOwn + ofOthers, cards, events };
}

/**
 * The valid codes in these surveys' flags. Any other text there was typed instead of a code, and may be a name or a
 * phone number.
 */
async function presentedCodes(session: ClientSession, ids: Types.ObjectId[]): Promise<string[]> {
  const texts = SurveyModel.collection.aggregate<{ _id: string | null }>(
    [{ $match: { _id: { $in: ids } } }, { $unwind: '$flags' }, { $group: { _id: '$flags.referralCode' } }],
    { session },
  );
  const codes: string[] = [];
  for await (const { _id: text } of texts) if (text !== null && parseCode(text) !== null) codes.push(text);
  return codes;
}
