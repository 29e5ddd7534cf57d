import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { type LocationRecord, Locations } from './model.ts';

export const locations: ResourceDeclaration = {
  tags: [{ name: 'Locations', description: 'The sites where interviews take place.' }],
  collections: [
    {
      model: Locations,
      unique: { name_live: 'NAME_TAKEN' },
      auditLabel: { fields: ['name'], toName: ({ name }: LocationRecord) => ({ name }) },
    },
  ],
  routes: async () => (await import('./routes.ts')).locationRoutes,
};
