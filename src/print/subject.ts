import type { SubjectDeclaration } from '../rights/subject.ts';

/** Its routes are documented with the resources that they print. */
export const print: SubjectDeclaration = {
  routes: async () => (await import('./routes.ts')).printRoutes,
};
