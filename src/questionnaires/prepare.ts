import mongoose from 'mongoose';
import { refusedByIndex } from '../http/errors.ts';
import { DEFAULT_QUESTIONNAIRE } from './default.ts';
import { Questionnaires } from './model.ts';

/** A study without any questionnaire begins with the one that the service ships with. */
export async function prepareQuestionnaires(now: Date): Promise<void> {
  if (await Questionnaires.findOne({}, { _id: 1 }).lean()) return;
  try {
    await Questionnaires.collection.insertOne({
      _id: new mongoose.Types.ObjectId(),
      ...DEFAULT_QUESTIONNAIRE,
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
