import type { ResourceDeclaration } from '../../platform/rights/resource.ts';

/** Its URLs are in the group of src/statistics/sample/resource.ts. */
export const results: ResourceDeclaration = {
  routes: async () => (await import('./routes.ts')).resultRoutes,
};
