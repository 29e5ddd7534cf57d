import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../db/schema-options.ts';
import { fieldProblem } from '../http/problem.ts';

export interface QuestionnaireRecord {
  _id: Types.ObjectId;
  name: string;
  /** One more than the last of that name; a version never changes. */
  version: number;
  definition: Record<string, unknown>;
  networkSizeQuestion: string;
  /** True for one at most. */
  active: boolean;
  createdBy: Types.ObjectId | null;
  createdAt: Date;
  deletedAt: Date | null;
}

const schema = new Schema<QuestionnaireRecord>(
  {
    name: String,
    version: Number,
    definition: Schema.Types.Mixed,
    networkSizeQuestion: String,
    active: Boolean,
    createdBy: Schema.Types.ObjectId,
    createdAt: Date,
    deletedAt: Date,
  },
  { ...schemaOptions, collection: 'questionnaires' },
);
schema.index({ name: 1, version: -1 }, { name: 'version_once', unique: true });
schema.index({ active: 1 }, { name: 'one_active', unique: true, partialFilterExpression: { active: true } });
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });

export const Questionnaires = mongoose.model<QuestionnaireRecord>('Questionnaire', schema);

/** The version with this id, or the active one: 400 at `questionnaire` where there is none. */
export async function requireQuestionnaire(id: string | undefined): Promise<QuestionnaireRecord> {
  const found = await Questionnaires.findOne(
    id ? { _id: id, deletedAt: null } : { active: true },
  ).lean<QuestionnaireRecord>();
  if (!found)
    throw fieldProblem('questionnaire', id ? 'There is no such questionnaire.' : 'None is active; name one.');
  return found;
}
