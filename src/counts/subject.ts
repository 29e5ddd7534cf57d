import type { SubjectDeclaration } from '../rights/subject.ts';
import { type CountRecord, Counts } from './model.ts';

export const counts: SubjectDeclaration = {
  // Its URLs are among those of src/sample.
  tags: [],
  collections: [
    {
      model: Counts,
      auditLabel: {
        fields: ['name'],
        toName: ({ name }: CountRecord) => ({ name }),
        rightsOf: 'Recruitment',
      },
    },
  ],
  routes: async () => (await import('./routes.ts')).countRoutes,
};
