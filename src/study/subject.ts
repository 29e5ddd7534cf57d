import type { SubjectDeclaration } from '../rights/subject.ts';
import { Studies } from './model.ts';
import { prepareStudy } from './prepare.ts';

export const study: SubjectDeclaration = {
  tags: [{ name: 'Study', description: "The study's settings: name, languages, how many coupons." }],
  // Changes can be seen in the audit trail.
  collections: [{ model: Studies, isCreatedByService: true }],
  routes: async () => (await import('./routes.ts')).studyRoutes,
  prepare: prepareStudy,
};
