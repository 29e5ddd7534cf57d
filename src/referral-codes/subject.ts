import type { SubjectDeclaration } from '../rights/subject.ts';
import { CodeBatches, ReferralCodes } from './model.ts';

export const referralCodes: SubjectDeclaration = {
  tags: [
    { name: 'Referral codes', description: 'The codes on coupons: checking, reserving, printing, voiding.' },
  ],
  collections: [
    // Another code is taken then (issue.ts).
    { model: ReferralCodes, unique: { code_once: null } },
    { model: CodeBatches },
  ],
  routes: async () => (await import('./routes.ts')).referralCodeRoutes,
};
