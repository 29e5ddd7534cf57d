import mongoose from 'mongoose';
import { violatedIndex } from '../http/errors.ts';
import { DEFAULT_QUESTIONNAIRE } from './default-questionnaire.ts';
import { Questionnaires } from './model.ts';

/** Stores the included questionnaire if there is none yet. */
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
    if (violatedIndex(error) === null) throw error; // another process was faster
  }
}
