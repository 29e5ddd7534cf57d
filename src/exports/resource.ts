import type { ResourceDeclaration } from '../platform/rights/resource.ts';

export const exports: ResourceDeclaration = {
  tags: [{ name: 'Exports', description: 'The study as files, for statistics.' }],
  routes: async () => (await import('./routes.ts')).exportRoutes,
};
