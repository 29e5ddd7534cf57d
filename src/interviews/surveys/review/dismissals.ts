/**
 * Findings of the quality checks (src/board/quality) that somebody dismissed. Findings themselves are not stored.
 * Dismissals are stored here, because their comments are erased with the survey.
 */
import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../../platform/db/schema-options.ts';

export interface DismissalRecord {
  /** The id of the finding, so that there is at most one for each. */
  _id: Types.ObjectId;
  check: string;
  /** Null if the finding is about an interviewer's work. */
  survey: Types.ObjectId | null;
  /** The dismissal is valid while the finding has this value. */
  value: number | string;
  by: Types.ObjectId;
  /** Empty once erased. */
  comment: string;
  createdAt: Date;
}

const schema = new Schema<DismissalRecord>(
  {
    check: { type: String, required: true },
    survey: { type: Schema.Types.ObjectId, ref: 'Survey' },
    value: { type: Schema.Types.Mixed, required: true },
    by: { type: Schema.Types.ObjectId, ref: 'User', required: true },
    comment: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  schemaOptions('dismissals'),
);
schema.index({ survey: 1 });

export const DismissalModel = mongoose.model<DismissalRecord>('Dismissal', schema);
