import { formatCode, parseCode } from '../../coupons/referral-codes/code.ts';
import { recordNameFinder } from '../../platform/audit/record-names.ts';
import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import { recordHistoryRead } from './read/read.ts';
import { Identities } from './repeats/identities.ts';
import { REPEAT_FIELD } from './repeats/repeat-detection.ts';
import { SurveyComments } from './review/comments.ts';
import { Dismissals } from './review/dismissals.ts';
import { SurveyCopies } from './submit/second-copies.ts';

const MAX_FLAGGED = 50;

/** Interviews that presented this coupon after it was used. */
async function findByFlaggedCode(typed: string): Promise<SurveyRecord['_id'][]> {
  const code = parseCode(typed);
  if (!code) return [];
  const flag = { code: 'REFERRAL_CODE_USED', referralCode: { $in: [code, formatCode(code), typed] } };
  const found = Surveys.collection.find(
    { 'flags.code': 'REFERRAL_CODE_USED', flags: { $elemMatch: flag }, deletedAt: null },
    { projection: { _id: 1 } },
  );
  return (await found.limit(MAX_FLAGGED).toArray()).map(({ _id }) => _id);
}

export const surveys: ResourceDeclaration = {
  tags: [{ name: 'Surveys', description: 'Interviews: each redeems a coupon and hands out new ones.' }],
  collections: [
    {
      model: Surveys,
      // submit.ts returns the first interview with the same clientId.
      unique: { referral_code_once: 'REFERRAL_CODE_USED', client_id_once: null },
      guardsChanges: true,
      restrictedField: REPEAT_FIELD,
      recordHistoryRead,
      auditLabel: {
        fields: ['referralCode', 'location', 'createdBy', 'createdAt', 'questionnaire'],
        toName: ({ referralCode, location, questionnaire }: SurveyRecord) => {
          return { code: referralCode, location, questionnaire };
        },
        // Callers who may look up coupons know where a coupon went.
        orReadsAll: 'ReferralCode',
        findByCode: findByFlaggedCode,
      },
    },
    { model: SurveyCopies, unique: { survey_1_hash_1: null } },
    { model: SurveyComments },
    { model: Dismissals },
    { model: Identities, unique: { identity_once: null } },
  ],
  routes: async (all) =>
    (await import('./routes.ts')).surveyRoutes(
      recordNameFinder(all),
      all.find(({ findSuspects }) => findSuspects)?.findSuspects,
    ),
};
