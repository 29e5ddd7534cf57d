import type { SubjectDeclaration } from '../rights/subject.ts';

export const exports: SubjectDeclaration = {
  tags: [{ name: 'Exports', description: 'The study as files, for statistics.' }],
  routes: async () => (await import('./routes.ts')).exportRoutes,
};
