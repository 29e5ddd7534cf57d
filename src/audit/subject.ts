import type { SubjectDeclaration } from '../rights/subject.ts';
import { AuditEvents } from './model.ts';

export const audit: SubjectDeclaration = {
  tags: [{ name: 'Audit', description: 'Who did what when.' }],
  collections: [{ model: AuditEvents }],
  routes: async (all) => {
    const guarded = all.flatMap((one) =>
      one.collections.filter(({ changesAreGuarded }) => changesAreGuarded),
    );
    return (await import('./routes.ts')).auditRoutes(guarded.map(({ model }) => model));
  },
};
