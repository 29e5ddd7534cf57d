import type { SubjectDeclaration } from '../rights/subject.ts';
import { AuditEvents } from './model.ts';
import { namesFrom, recordsWithCode } from './names.ts';

export const audit: SubjectDeclaration = {
  tags: [{ name: 'Audit', description: 'Who did what when.' }],
  collections: [{ model: AuditEvents }],
  routes: async (all) => {
    const guarded = all.flatMap((one) =>
      one.collections.filter(({ changesAreGuarded }) => changesAreGuarded),
    );
    const { auditRoutes } = await import('./routes.ts');
    return auditRoutes({
      guarded,
      namesOf: namesFrom(all),
      concerning: recordsWithCode(all),
    });
  },
};
