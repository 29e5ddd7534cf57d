import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { parseCode } from './code.ts';
import { type BatchRecord, CodeBatches, findCode, type ReferralCodeRecord, ReferralCodes } from './model.ts';

export const referralCodes: ResourceDeclaration = {
  tags: [
    { name: 'Referral codes', description: 'The codes on coupons: checking, reserving, printing, voiding.' },
  ],
  collections: [
    // issue.ts retries with another code.
    {
      model: ReferralCodes,
      unique: { code_once: null },
      auditLabel: {
        fields: ['code', 'location'],
        toName: ({ code, location }: ReferralCodeRecord) => ({ code, location }),
        findByCode: async (typed) => {
          const code = parseCode(typed);
          const found = code ? await findCode(code) : null;
          return found
            ? [found._id, found.seed, found.survey, found.redeemedBy].filter((id) => id !== null)
            : [];
        },
      },
    },
    {
      model: CodeBatches,
      auditLabel: {
        fields: ['location', 'note', 'createdBy', 'createdAt'],
        toName: ({ note, location }: BatchRecord) => ({ name: note, location }),
        rightsOf: 'ReferralCode',
      },
    },
  ],
  routes: async () => (await import('./routes.ts')).referralCodeRoutes,
};
