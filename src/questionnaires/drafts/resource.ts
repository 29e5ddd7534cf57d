import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { QuestionnaireDrafts } from './model.ts';

/** Its URLs are in the group of src/questionnaires/resource.ts. */
export const questionnaireDrafts: ResourceDeclaration = {
  collections: [{ model: QuestionnaireDrafts, unique: { one_draft_of_version: 'EDIT_CONFLICT' } }],
  routes: async () => (await import('./routes.ts')).questionnaireDraftRoutes,
};
