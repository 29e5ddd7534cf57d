import mongoose, { Schema, type Types } from 'mongoose';
import type { z } from 'zod';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import type { Count } from './schema.ts';

type Stored = 'unit' | 'location' | 'round' | 'createdBy' | 'createdAt' | 'updatedAt';

/** A population count: the number of people, from an externally known number of people with a certain answer. */
export interface CountRecord extends Omit<z.infer<typeof Count>, 'id' | Stored> {
  _id: Types.ObjectId;
  location: Types.ObjectId | null;
  round: Types.ObjectId;
  /** The run that was started for its current version. */
  run: Types.ObjectId;
  createdBy: Types.ObjectId | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

const schema = new Schema<CountRecord>(
  {
    location: { type: Schema.Types.ObjectId, ref: 'Location' },
    round: { type: Schema.Types.ObjectId, ref: 'Round' },
    run: { type: Schema.Types.ObjectId, ref: 'AnalysisRun' },
    createdBy: { type: Schema.Types.ObjectId, ref: 'User' },
    createdAt: Date,
    updatedAt: Date,
    deletedAt: Date,
    name: String,
    outcome: String,
    value: String,
    source: String,
    asOf: String,
    definition: String,
    from: String,
    to: String,
    known: Number,
    knownLow: Number,
    knownHigh: Number,
  },
  schemaOptions('counts'),
);
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });

declare module '../../platform/rights/ability.ts' {
  interface Records {
    Count: CountRecord;
  }
}

export const Counts = mongoose.model<CountRecord>('Count', schema);

/** `unit`: `known` counts adults, because only adults are interviewed. */
export const toReply = (count: CountRecord) => ({ ...count, unit: 'ADULTS' as const });
