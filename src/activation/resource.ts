import type { ResourceDeclaration } from '../rights/resource.ts';

export const activation: ResourceDeclaration = {
  routes: async () => (await import('./routes.ts')).activationRoutes,
};
