/**
 * Erasure: permanently deletes what a person said in an interview. What other interviews need stays: the place in the
 * recruitment tree, dates, coupons and the network size.
 */
import type { ClientSession, Types } from 'mongoose';
import { eraseValues } from '../audit/erase-values.ts';
import { audit } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { problem } from '../http/problem.ts';
import { parseCode } from '../referral-codes/code.ts';
import type { Author } from '../rights/actor.ts';
import { parseId } from '../rights/guard.ts';
import { parseIfMatch, requireVersion } from './change.ts';
import { SurveyComments } from './comments.ts';
import { Dismissals } from './dismissals.ts';
import { Identities } from './identities.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import { SurveyCopies } from './second-copies.ts';

interface Erasure {
  reason: string;
  ifMatch?: string | undefined;
  mayErase(survey: SurveyRecord): boolean;
}

/**
 * Of deleted interviews too, since their answers are still stored. Erasing again erases what was written since, such as
 * comments.
 */
export async function eraseSurvey(
  id: string,
  { reason, ifMatch, mayErase }: Erasure,
  { by, now, deadline }: Author,
): Promise<SurveyRecord> {
  const wanted = parseIfMatch(ifMatch);
  const _id = parseId(id);
  return await inTransaction(async (session) => {
    const survey = await Surveys.findById(_id).session(session).lean<SurveyRecord>();
    if (!survey) throw problem('NOT_FOUND');
    if (!mayErase(survey)) throw problem('FORBIDDEN');
    if (!survey.erasedAt) requireVersion(wanted, survey);
    const counts = await eraseContents(session, [_id], now);
    if (Object.values(counts).every((count) => count === 0)) return survey;
    const { location } = survey;
    await audit(session, { by, now }, { action: 'erase', subject: 'Survey', record: _id, location, reason });
    const erased = await Surveys.findById(_id).session(session).lean<SurveyRecord>();
    return erased ?? survey;
  }, deadline);
}

/** How many records of each collection were changed or deleted. */
export type ErasedCounts = Record<
  'surveys' | 'surveycopies' | 'surveycomments' | 'dismissals' | 'identities' | 'auditevents',
  number
>;

export async function eraseContents(
  session: ClientSession,
  ids: Types.ObjectId[],
  at: Date,
): Promise<ErasedCounts> {
  const ofSurveys = { survey: { $in: ids } };
  const codes = await presentedCodes(session, ids);
  const { modifiedCount } = await Surveys.collection.updateMany(
    { _id: { $in: ids }, erasedAt: null },
    [
      {
        $set: {
          responses: { $literal: {} },
          coordinates: null,
          // It could confirm a guess at the answers.
          requestHash: '',
          flags: {
            $map: {
              input: { $filter: { input: '$flags', cond: { $ne: ['$$this.code', 'SECOND_COPY'] } } },
              in: {
                $mergeObjects: [
                  '$$this',
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
      { $unset: 'repeat' },
    ],
    { session },
  );
  const copies = await SurveyCopies.collection.deleteMany(ofSurveys, { session });
  const comments = await SurveyComments.collection.deleteMany(ofSurveys, { session });
  const withoutComment = { $set: { comment: '' } };
  const dismissals = await Dismissals.collection.updateMany(ofSurveys, withoutComment, { session });
  const identities = await Identities.collection.deleteMany(ofSurveys, { session });
  return {
    surveys: modifiedCount,
    surveycopies: copies.deletedCount,
    surveycomments: comments.deletedCount,
    dismissals: dismissals.modifiedCount,
    identities: identities.deletedCount,
    auditevents: await eraseValues(session, ids),
  };
}

/** The codes in these surveys' flags. Other text there was typed in place of a code, and may be a name or a phone number. */
async function presentedCodes(session: ClientSession, ids: Types.ObjectId[]): Promise<string[]> {
  const texts = Surveys.collection.aggregate<{ _id: string | null }>(
    [{ $match: { _id: { $in: ids } } }, { $unwind: '$flags' }, { $group: { _id: '$flags.referralCode' } }],
    { session },
  );
  const codes: string[] = [];
  for await (const { _id: text } of texts) if (text !== null && parseCode(text) !== null) codes.push(text);
  return codes;
}
