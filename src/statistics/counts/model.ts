import mongoose, { Schema, type Types } from 'mongoose';
import type { z } from 'zod';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import type { KnownCount } from './schema.ts';

type Stored = 'unit' | 'location' | 'round' | 'createdBy' | 'createdAt' | 'updatedAt';

/** A population count: the number of people, from an externally known number of people with a certain answer. */
export interface PopulationCountRecord extends Omit<z.infer<typeof KnownCount>, 'id' | Stored> {
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

const schema = new Schema<PopulationCountRecord>(
  {
    location: { type: Schema.Types.ObjectId, ref: 'Location' },
    round: { type: Schema.Types.ObjectId, ref: 'Round', required: true },
    run: { type: Schema.Types.ObjectId, ref: 'AnalysisRun', required: true },
    createdBy: { type: Schema.Types.ObjectId, ref: 'User' },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    deletedAt: Date,
    name: { type: String, required: true },
    outcome: { type: String, required: true },
    value: { type: String, required: true },
    source: { type: String, required: true },
    asOf: { type: String, required: true },
    definition: { type: String, required: true },
    from: String,
    to: String,
    known: { type: Number, required: true },
    knownLow: Number,
    knownHigh: Number,
  },
  schemaOptions('counts'),
);
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });

declare module '../../platform/rights/ability.ts' {
  interface RecordsBySubject {
    Count: PopulationCountRecord;
  }
}

export const PopulationCountModel = mongoose.model<PopulationCountRecord>('Count', schema);

/** `unit`: `known` counts adults, because only adults are interviewed. */
export const toCountReply = (count: PopulationCountRecord) => ({ ...count, unit: 'ADULTS' as const });
