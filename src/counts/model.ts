import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../db/schema-options.ts';

/** How many people there are, from how many of them have an answer that was counted elsewhere. */
export interface CountRecord {
  _id: Types.ObjectId;
  name: string;
  /** The answer: a level of an outcome. */
  outcome: string;
  value: string;
  /** How many people of the whole population have it, and between how many that is sure to lie. */
  known: number;
  knownLow: number | null;
  knownHigh: number | null;
  source: string;
  /** The day that is counted. */
  asOf: string;
  definition: string;
  location: Types.ObjectId | null;
  from: string | null;
  to: string | null;
  /** The run that was started for it as it is now. */
  run: Types.ObjectId;
  createdBy: Types.ObjectId | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

const schema = new Schema<CountRecord>(
  {
    name: String,
    outcome: String,
    value: String,
    known: Number,
    knownLow: Number,
    knownHigh: Number,
    source: String,
    asOf: String,
    definition: String,
    location: Schema.Types.ObjectId,
    from: String,
    to: String,
    run: Schema.Types.ObjectId,
    createdBy: Schema.Types.ObjectId,
    createdAt: Date,
    updatedAt: Date,
    deletedAt: Date,
  },
  { ...schemaOptions, collection: 'counts' },
);
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });

declare module '../rights/ability.ts' {
  interface Records {
    Count: CountRecord;
  }
}

export const Counts = mongoose.model<CountRecord>('Count', schema);
