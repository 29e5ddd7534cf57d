import type { SubjectDeclaration } from '../rights/subject.ts';

export const sample: SubjectDeclaration = {
  tags: [
    {
      name: 'Analysis',
      description: 'Estimates of the population behind the sample, and what they are made of.',
    },
  ],
  routes: async () => (await import('./routes.ts')).sampleRoutes,
};
