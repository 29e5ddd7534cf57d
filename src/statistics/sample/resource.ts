import type { ResourceDeclaration } from '../../platform/rights/resource.ts';

export const sample: ResourceDeclaration = {
  tags: [
    {
      name: 'Analysis',
      description: 'Estimates for the population, and what they are based on.',
    },
  ],
  routes: async () => (await import('./routes.ts')).sampleRoutes,
};
