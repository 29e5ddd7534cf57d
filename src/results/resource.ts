import type { ResourceDeclaration } from '../rights/resource.ts';

/** Its URLs are in the group of src/sample/resource.ts. */
export const results: ResourceDeclaration = {
  routes: async () => (await import('./routes.ts')).resultRoutes,
};
