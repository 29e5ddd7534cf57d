import mongoose, { type Types } from 'mongoose';
import type { z } from 'zod';
import { schemaOf } from '../../platform/db/schema-options.ts';
import type { Count } from './schema.ts';

type Stored = 'location' | 'round' | 'createdBy' | 'createdAt' | 'updatedAt';

/** How many people there are, from how many of them have an answer that was counted elsewhere. */
export interface CountRecord extends Omit<z.infer<typeof Count>, 'id' | Stored> {
  _id: Types.ObjectId;
  location: Types.ObjectId | null;
  round: Types.ObjectId;
  /** The run that was started for it as it is now. */
  run: Types.ObjectId;
  createdBy: Types.ObjectId | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

const schema = schemaOf<CountRecord>('counts', {
  text: ['name', 'outcome', 'value', 'source', 'asOf', 'definition', 'from', 'to'],
  number: ['known', 'knownLow', 'knownHigh'],
  id: ['location', 'round', 'run', 'createdBy'],
  date: ['createdAt', 'updatedAt', 'deletedAt'],
});
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });

declare module '../../platform/rights/ability.ts' {
  interface Records {
    Count: CountRecord;
  }
}

export const Counts = mongoose.model<CountRecord>('Count', schema);
