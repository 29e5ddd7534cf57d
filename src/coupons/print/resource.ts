import type { ResourceDeclaration } from '../../platform/rights/resource.ts';

/** Its routes are documented with the resources that they print. */
export const print: ResourceDeclaration = {
  routes: async () => (await import('./routes.ts')).printRoutes,
};
