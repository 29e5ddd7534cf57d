import mongoose, { Schema, type Types } from 'mongoose';
import { SMALLEST_ID, schemaOptions } from '../../platform/db/schema-options.ts';
import { IncentiveKind, IncentiveMethod, IncentiveState } from './schema.ts';

export interface IncentiveRecord {
  _id: Types.ObjectId;
  /** The interview of the person who gets it. */
  survey: Types.ObjectId;
  kind: IncentiveKind;
  /** RECRUIT only: the interview of the recruited person. */
  recruit: Types.ObjectId | null;
  amount: string;
  currency: string;
  state: IncentiveState;
  /** Whether a person withdrew it, so that it stays WITHDRAWN. */
  byHand: boolean;
  method: IncentiveMethod | null;
  reference: string | null;
  paidBy: Types.ObjectId | null;
  paidAt: Date | null;
  /** When the service received the payment. */
  recordedAt: Date | null;
  /** The site where it was paid. */
  location: Types.ObjectId | null;
  reason: string | null;
  /** The site of the survey. */
  site: Types.ObjectId;
  /** The round of the survey. */
  round: Types.ObjectId;
  /** The requests that paid it (payer and clientId), including payments that were reopened. */
  payments: string[];
  createdAt: Date;
  updatedAt: Date;
}

const schema = new Schema<IncentiveRecord>(
  {
    survey: { type: Schema.Types.ObjectId, ref: 'Survey', required: true },
    kind: { type: String, enum: IncentiveKind.options, required: true },
    recruit: { type: Schema.Types.ObjectId, ref: 'Survey' },
    amount: { type: String, required: true },
    currency: { type: String, required: true },
    state: { type: String, enum: IncentiveState.options, required: true },
    byHand: { type: Boolean, required: true },
    method: { type: String, enum: IncentiveMethod.options },
    reference: String,
    paidBy: { type: Schema.Types.ObjectId, ref: 'User' },
    paidAt: Date,
    recordedAt: Date,
    location: { type: Schema.Types.ObjectId, ref: 'Location' },
    reason: String,
    site: { type: Schema.Types.ObjectId, ref: 'Location', required: true },
    round: { type: Schema.Types.ObjectId, ref: 'Round', required: true },
    payments: { type: [String], required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  schemaOptions('incentives'),
);
schema.index({ survey: 1, kind: 1, recruit: 1 }, { name: 'incentive_once', unique: true });
schema.index(
  { payments: 1 },
  { name: 'payment_once', unique: true, partialFilterExpression: { payments: { $gt: '' } } },
);
const newest = { createdAt: -1, _id: -1 } as const;
schema.index(newest);
schema.index({ survey: 1, ...newest });
schema.index({ recruit: 1 }, { partialFilterExpression: { recruit: { $gt: SMALLEST_ID } } });
schema.index({ state: 1, ...newest });
schema.index({ kind: 1, ...newest });
schema.index({ round: 1, ...newest });
// Only for paid incentives.
const paid = (field: string, least: unknown) => ({ partialFilterExpression: { [field]: { $gt: least } } });
schema.index({ location: 1, ...newest }, paid('location', SMALLEST_ID));
schema.index({ location: 1, paidAt: -1 }, paid('location', SMALLEST_ID));
schema.index({ paidBy: 1, ...newest }, paid('paidBy', SMALLEST_ID));
schema.index({ paidAt: -1 }, paid('paidAt', new Date(0)));
schema.index({ recordedAt: -1 }, paid('recordedAt', new Date(0)));

export const IncentiveModel = mongoose.model<IncentiveRecord>('Incentive', schema);
