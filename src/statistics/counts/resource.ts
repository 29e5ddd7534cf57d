import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { type CountRecord, Counts } from './model.ts';

/** Its URLs are in the group of src/statistics/sample/resource.ts. */
export const counts: ResourceDeclaration = {
  collections: [
    {
      model: Counts,
      auditLabel: {
        fields: ['name'],
        toName: ({ name }: CountRecord) => ({ name }),
        rightsOf: 'Recruitment',
      },
    },
  ],
  routes: async () => (await import('./routes.ts')).countRoutes,
};
