import type { SubjectDeclaration } from '../rights/subject.ts';

export const sample: SubjectDeclaration = {
  tags: [
    {
      name: 'Analysis',
      description: 'Estimates for the population, and what they are based on.',
    },
  ],
  routes: async () => (await import('./routes.ts')).sampleRoutes,
};
