import { namesFrom } from '../audit/names.ts';
import { formatCode, parseCode } from '../referral-codes/code.ts';
import type { SubjectDeclaration } from '../rights/subject.ts';
import { SurveyCopies } from './copies.ts';
import { Identities } from './identities.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import { REPEAT } from './repeat.ts';

/** More than anyone presents one coupon. */
const MOST_FLAGGED = 50;

/** Interviews that came with this coupon too, after another one had. */
async function flaggedWith(typed: string): Promise<SurveyRecord['_id'][]> {
  const code = parseCode(typed);
  if (!code) return [];
  const flag = { code: 'REFERRAL_CODE_USED', referralCode: { $in: [code, formatCode(code), typed] } };
  const found = Surveys.collection.find(
    { 'flags.code': 'REFERRAL_CODE_USED', flags: { $elemMatch: flag }, deletedAt: null },
    { projection: { _id: 1 } },
  );
  return (await found.limit(MOST_FLAGGED).toArray()).map(({ _id }) => _id);
}

export const surveys: SubjectDeclaration = {
  tags: [{ name: 'Surveys', description: 'Interviews: each redeems a coupon and hands out new ones.' }],
  collections: [
    {
      model: Surveys,
      // The second interview of one clientId is answered with the first (submit.ts).
      unique: { referral_code_once: 'REFERRAL_CODE_USED', client_id_once: null },
      changesAreGuarded: true,
      changesApart: REPEAT,
      told: {
        fields: ['referralCode', 'location', 'createdBy', 'createdAt', 'questionnaire'],
        as: ({ referralCode, location, questionnaire }: SurveyRecord) => {
          return { code: referralCode, location, questionnaire };
        },
        // Where a coupon went is known to who looks coupons up.
        alsoWith: 'ReferralCode',
        withCode: flaggedWith,
      },
    },
    { model: SurveyCopies, unique: { survey_1_hash_1: null } },
    { model: Identities, unique: { identity_once: null } },
  ],
  routes: async (all) => (await import('./routes.ts')).surveyRoutes(namesFrom(all)),
};
