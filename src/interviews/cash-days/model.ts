import mongoose, { Schema, type Types } from 'mongoose';
import type { z } from 'zod';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import type { CashDay } from './schema.ts';

type Stored = 'id' | 'location' | 'paidNow' | 'closedBy' | 'closedAt' | 'reopenedBy' | 'reopenedAt';

/**
 * A site's cash box on one day, as counted. A record's counts never change; after reopening, the day can be closed
 * again with another record.
 */
export interface CashDayRecord extends Omit<z.infer<typeof CashDay>, Stored> {
  _id: Types.ObjectId;
  location: Types.ObjectId;
  closedBy: Types.ObjectId;
  reopenedBy: Types.ObjectId | null;
  reopenedAt: Date | null;
  /** When the day was closed. */
  createdAt: Date;
}

const schema = new Schema<CashDayRecord>(
  {
    location: { type: Schema.Types.ObjectId, ref: 'Location', required: true },
    closedBy: { type: Schema.Types.ObjectId, ref: 'User', required: true },
    reopenedBy: { type: Schema.Types.ObjectId, ref: 'User' },
    reopenedAt: Date,
    createdAt: { type: Date, required: true },
    day: { type: String, required: true },
    currency: { type: String, required: true },
    opening: { type: String, required: true },
    counted: { type: String, required: true },
    paid: { type: String, required: true },
    difference: { type: String, required: true },
    state: { type: String, required: true },
    reason: String,
    byMethod: { type: [{ type: Schema.Types.Mixed }], required: true },
  },
  schemaOptions('cashdays'),
);
schema.index(
  { location: 1, day: 1 },
  { name: 'cash_day_once', unique: true, partialFilterExpression: { state: 'CLOSED' } },
);
const newest = { createdAt: -1, _id: -1 } as const;
schema.index(newest);
schema.index({ location: 1, ...newest });
schema.index({ state: 1, ...newest });
schema.index({ day: -1 });
schema.index({ location: 1, day: -1, ...newest });

export const CashDayModel = mongoose.model<CashDayRecord>('CashDay', schema);
