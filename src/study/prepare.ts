import { NEW_STUDY, STUDY_ID, Studies } from './model.ts';

/** Creates the study's record with default settings. */
export async function prepareStudy(now: Date): Promise<void> {
  await Studies.collection.updateOne(
    { _id: STUDY_ID },
    { $setOnInsert: { ...NEW_STUDY, createdAt: now, updatedAt: now } },
    { upsert: true },
  );
}
