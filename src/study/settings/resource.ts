import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { NEW_STUDY, STUDY_ID, Studies } from './model.ts';

export const study: ResourceDeclaration = {
  tags: [{ name: 'Study', description: "The study's settings: name, languages, how many coupons." }],
  // Changes can be seen in the audit trail.
  collections: [{ model: Studies, isCreatedByService: true }],
  routes: async () => (await import('./routes.ts')).studyRoutes,
  prepare: prepareStudy,
};

/** Creates the study's record with default settings. */
async function prepareStudy(now: Date): Promise<void> {
  await Studies.collection.updateOne(
    { _id: STUDY_ID },
    { $setOnInsert: { ...NEW_STUDY, createdAt: now, updatedAt: now } },
    { upsert: true },
  );
}
