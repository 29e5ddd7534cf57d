import type { ResourceDeclaration } from '../rights/resource.ts';

export const health: ResourceDeclaration = {
  tags: [{ name: 'Health', description: 'For monitoring.' }],
  routes: async () => (await import('./routes.ts')).healthRoutes,
};
