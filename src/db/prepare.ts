/** What the database must hold before the service works: the present shapes, indexes, the study's record, a questionnaire. */
import mongoose from 'mongoose';
import { refusedByIndex } from '../http/errors.ts';
import { prepareLimits } from '../http/limits.ts';
import { DEFAULT_QUESTIONNAIRE } from '../questionnaires/default.ts';
import { Questionnaires } from '../questionnaires/model.ts';
import { NEW_STUDY, STUDY_ID, Studies } from '../study/model.ts';
import { ensureIndexes } from './connect.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/all.ts';
import type { Log } from './mongod-binary.ts';

/**
 * Harmless when repeated, and when several processes start at once. What is stored changes first: an index of this
 * version may not fit what an earlier one wrote.
 */
export async function prepareDatabase(now: Date, log?: Log): Promise<void> {
  await migrate(MIGRATIONS, log ? { log } : {});
  await ensureIndexes();
  await prepareLimits();
  // Made before a transaction first needs it: a collection can't be born in one that another transaction races.
  await createCollection('locks');
  await Studies.collection.updateOne(
    { _id: STUDY_ID },
    { $setOnInsert: { ...NEW_STUDY, createdAt: now, updatedAt: now } },
    { upsert: true },
  );
  if (await Questionnaires.findOne({}, { _id: 1 }).lean()) return;
  try {
    await Questionnaires.collection.insertOne({
      _id: new mongoose.Types.ObjectId(),
      ...DEFAULT_QUESTIONNAIRE,
      definition: DEFAULT_QUESTIONNAIRE.definition as Record<string, unknown>,
      version: 1,
      active: true,
      createdBy: null,
      createdAt: now,
      deletedAt: null,
    });
  } catch (error) {
    if (refusedByIndex(error) === null) throw error; // another process was faster
  }
}

async function createCollection(name: string): Promise<void> {
  try {
    await mongoose.connection.createCollection(name);
  } catch (error) {
    // 48: it is there already.
    if ((error as { code?: number }).code !== 48) throw error;
  }
}
