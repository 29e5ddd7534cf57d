import type { SubjectDeclaration } from '../rights/subject.ts';
import { Seeds } from './model.ts';

export const seeds: SubjectDeclaration = {
  tags: [{ name: 'Seeds', description: 'The first people of a chain, each with a coupon.' }],
  collections: [{ model: Seeds }],
  routes: async () => (await import('./routes.ts')).seedRoutes,
};
