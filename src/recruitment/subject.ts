import type { SubjectDeclaration } from '../rights/subject.ts';

export const recruitment: SubjectDeclaration = {
  tags: [{ name: 'Recruitment', description: 'The progress of recruitment: counts, chains, trees, alerts.' }],
  routes: async () => (await import('./routes.ts')).recruitmentRoutes,
};
