import type { SubjectDeclaration } from '../rights/subject.ts';
import { SurveyCopies } from './copies.ts';
import { Surveys } from './model.ts';

export const surveys: SubjectDeclaration = {
  tags: [{ name: 'Surveys', description: 'Interviews: each redeems a coupon and hands out new ones.' }],
  collections: [
    {
      model: Surveys,
      // The second interview of one clientId is answered with the first (submit.ts).
      unique: { referral_code_once: 'REFERRAL_CODE_USED', client_id_once: null },
      changesAreGuarded: true,
    },
    { model: SurveyCopies, unique: { survey_1_hash_1: null } },
  ],
  routes: async () => (await import('./routes.ts')).surveyRoutes,
};
