import type { ResourceDeclaration } from '../../platform/rights/resource.ts';

export const activation: ResourceDeclaration = {
  routes: async () => (await import('./routes.ts')).activationRoutes,
};
