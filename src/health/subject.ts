import type { SubjectDeclaration } from '../rights/subject.ts';

export const health: SubjectDeclaration = {
  tags: [{ name: 'Health', description: 'For monitoring.' }],
  routes: async () => (await import('./routes.ts')).healthRoutes,
};
