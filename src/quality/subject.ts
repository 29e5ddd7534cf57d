import type { SubjectDeclaration } from '../rights/subject.ts';

export const quality: SubjectDeclaration = {
  tags: [{ name: 'Quality', description: 'Interviews that may be wrong or made up.' }],
  routes: async () => (await import('./routes.ts')).qualityRoutes,
};
