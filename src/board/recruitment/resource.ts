import type { ResourceDeclaration } from '../../platform/rights/resource.ts';

export const recruitment: ResourceDeclaration = {
  tags: [{ name: 'Recruitment', description: 'The progress of recruitment: counts, chains, trees, alerts.' }],
  routes: async () => (await import('./routes.ts')).recruitmentRoutes,
};
