import type { ResourceDeclaration } from '../rights/resource.ts';
import { AuditEvents } from './model.ts';
import { findRecordsByCode, recordNameFinder } from './record-names.ts';

export const audit: ResourceDeclaration = {
  tags: [{ name: 'Audit', description: 'Who did what and when.' }],
  collections: [{ model: AuditEvents }],
  routes: async (all) => {
    const guarded = all.flatMap(({ collections = [] }) =>
      collections.filter(({ guardsChanges }) => guardsChanges),
    );
    const { auditRoutes } = await import('./routes.ts');
    return auditRoutes({
      guarded,
      findNames: recordNameFinder(all),
      findRecordsByCode: findRecordsByCode(all),
    });
  },
};
