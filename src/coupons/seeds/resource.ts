import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { type SeedRecord, Seeds } from './model.ts';

export const seeds: ResourceDeclaration = {
  tags: [{ name: 'Seeds', description: 'The first person of each chain, with a coupon.' }],
  collections: [
    {
      model: Seeds,
      auditLabel: {
        fields: ['referralCode', 'location', 'survey'],
        toName: ({ referralCode, location }: SeedRecord) => ({ code: referralCode, location }),
        // See claims.ts.
        hidesCode: () => true,
      },
    },
  ],
  routes: async () => (await import('./routes.ts')).seedRoutes,
};
