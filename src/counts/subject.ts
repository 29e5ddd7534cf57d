import type { SubjectDeclaration } from '../rights/subject.ts';
import { Counts } from './model.ts';

export const counts: SubjectDeclaration = {
  // Its URLs are among those of src/sample.
  tags: [],
  collections: [{ model: Counts }],
  routes: async () => (await import('./routes.ts')).countRoutes,
};
