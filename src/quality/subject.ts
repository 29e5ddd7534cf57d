import type { SubjectDeclaration } from '../rights/subject.ts';
import { Dismissals } from './model.ts';

export const quality: SubjectDeclaration = {
  tags: [{ name: 'Quality', description: 'Interviews that may be wrong or made up.' }],
  collections: [{ model: Dismissals }],
  routes: async () => (await import('./routes.ts')).qualityRoutes,
};
