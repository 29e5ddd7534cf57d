import type { SubjectDeclaration } from '../rights/subject.ts';

export const results: SubjectDeclaration = {
  // Under the group of the sample, in the documentation.
  tags: [],
  collections: [],
  routes: async () => (await import('./routes.ts')).resultRoutes,
};
