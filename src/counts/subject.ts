import type { SubjectDeclaration } from '../rights/subject.ts';
import { type CountRecord, Counts } from './model.ts';

/** Its URLs are in the group of src/sample/subject.ts. */
export const counts: SubjectDeclaration = {
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
