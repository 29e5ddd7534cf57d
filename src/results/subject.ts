import type { SubjectDeclaration } from '../rights/subject.ts';

/** Its URLs are in the group of src/sample/subject.ts. */
export const results: SubjectDeclaration = {
  routes: async () => (await import('./routes.ts')).resultRoutes,
};
