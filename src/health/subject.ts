import type { SubjectDeclaration } from '../rights/subject.ts';

export const health: SubjectDeclaration = {
  tags: [{ name: 'Health', description: 'For whoever watches the process.' }],
  routes: async () => (await import('./routes.ts')).healthRoutes,
};
