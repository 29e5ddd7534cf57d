import type { SubjectDeclaration } from '../rights/subject.ts';

/** Its URLs stand among those of what is printed. */
export const print: SubjectDeclaration = {
  tags: [],
  collections: [],
  routes: async () => (await import('./routes.ts')).printRoutes,
};
