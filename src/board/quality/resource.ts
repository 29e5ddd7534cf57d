import type { ResourceDeclaration } from '../../platform/rights/resource.ts';

export const quality: ResourceDeclaration = {
  tags: [{ name: 'Quality', description: 'Interviews that may be wrong or made up.' }],
  findSuspects: async (actor, check) => await (await import('./list.ts')).findSuspects(actor, check),
  routes: async () => (await import('./routes.ts')).qualityRoutes,
};
