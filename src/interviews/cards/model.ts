import mongoose, { Schema, type Types } from 'mongoose';
import { SMALLEST_ID, schemaOptions } from '../../platform/db/schema-options.ts';
import { CardDelivery, CardState } from './schema.ts';

/** A vendor's gift card. Its number, PIN and link are encrypted together. */
export interface CardRecord {
  _id: Types.ObjectId;
  /** Encrypted for this record (CONTACT_KEY); empty once the answers of its recipient were erased. */
  sealed: string;
  /** Keyed hashes of its number and its link, to detect duplicates. */
  hashes: string[];
  lastFour: string;
  amount: string;
  currency: string;
  /** The last day on which it can be used. */
  expiresOn: string | null;
  state: CardState;
  /** The payment that it belongs to, or belonged to. */
  incentive: Types.ObjectId | null;
  givenBy: Types.ObjectId | null;
  givenAt: Date | null;
  delivery: CardDelivery | null;
  /** Why it was voided. */
  reason: string | null;
  createdAt: Date;
}

const schema = new Schema<CardRecord>(
  {
    sealed: { type: String, required: true },
    hashes: { type: [String], required: true },
    lastFour: { type: String, required: true },
    amount: { type: String, required: true },
    currency: { type: String, required: true },
    expiresOn: String,
    state: { type: String, enum: CardState.options, required: true },
    incentive: { type: Schema.Types.ObjectId, ref: 'Incentive' },
    givenBy: { type: Schema.Types.ObjectId, ref: 'User' },
    givenAt: Date,
    delivery: { type: String, enum: CardDelivery.options },
    reason: String,
    createdAt: { type: Date, required: true },
  },
  schemaOptions('cards'),
);
schema.index({ hashes: 1 }, { name: 'card_once', unique: true });
// One card per payment, even with concurrent requests.
schema.index(
  { incentive: 1, state: 1 },
  {
    name: 'card_of_payment_once',
    unique: true,
    partialFilterExpression: { state: 'GIVEN', incentive: { $gt: SMALLEST_ID } },
  },
);
schema.index({ incentive: 1 }, { partialFilterExpression: { incentive: { $gt: SMALLEST_ID } } });
schema.index({ state: 1, currency: 1, amount: 1, expiresOn: 1, _id: 1 });
schema.index({ createdAt: 1, _id: 1 });
const newest = { createdAt: -1, _id: -1 } as const;
schema.index({ state: 1, ...newest });
schema.index({ amount: 1, ...newest });
schema.index({ lastFour: 1, ...newest });
schema.index({ givenBy: 1, ...newest }, { partialFilterExpression: { givenBy: { $gt: SMALLEST_ID } } });
schema.index({ givenAt: 1 }, { partialFilterExpression: { givenAt: { $gt: new Date(0) } } });

export const CardModel = mongoose.model<CardRecord>('Card', schema);
