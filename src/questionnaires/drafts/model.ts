import mongoose, { Schema, type Types } from 'mongoose';
import { SMALLEST_ID, schemaOptions } from '../../platform/db/schema-options.ts';

export interface QuestionnaireDraftRecord {
  _id: Types.ObjectId;
  /** The version that this draft is based on; null for a new questionnaire. */
  base: Types.ObjectId | null;
  name: string;
  /** JSON as typed, so it may be invalid. */
  text: string;
  networkSizeQuestion: string;
  takesPartIf: string;
  identityQuestions: string[];
  /** Incremented by each change. */
  version: number;
  createdBy: Types.ObjectId;
  createdAt: Date;
  updatedBy: Types.ObjectId;
  updatedAt: Date;
}

/** Days after the last change. */
export const QUESTIONNAIRE_DRAFT_DAYS = 90;
/** For the whole study. */
export const MAX_QUESTIONNAIRE_DRAFTS = 50;

const schema = new Schema<QuestionnaireDraftRecord>(
  {
    base: { type: Schema.Types.ObjectId, ref: 'Questionnaire' },
    name: { type: String, required: true },
    text: { type: String, required: true },
    networkSizeQuestion: { type: String, required: true },
    takesPartIf: { type: String, required: true },
    identityQuestions: { type: [String], required: true },
    version: { type: Number, required: true },
    createdBy: { type: Schema.Types.ObjectId, ref: 'User', required: true },
    createdAt: { type: Date, required: true },
    updatedBy: { type: Schema.Types.ObjectId, ref: 'User', required: true },
    updatedAt: { type: Date, required: true },
  },
  schemaOptions('questionnairedrafts'),
);
schema.index(
  { base: 1 },
  {
    name: 'one_draft_of_version',
    unique: true,
    partialFilterExpression: { base: { $gt: SMALLEST_ID } },
  },
);
schema.index({ createdAt: -1, _id: -1 });
schema.index({ updatedAt: 1 }, { expireAfterSeconds: QUESTIONNAIRE_DRAFT_DAYS * 86_400 });

export const QuestionnaireDraftModel = mongoose.model<QuestionnaireDraftRecord>('QuestionnaireDraft', schema);
