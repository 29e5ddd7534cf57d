/** What phones in the field report about their unsent data: one record per person and device. */
import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../platform/db/schema-options.ts';

export interface DeviceRecord {
  _id: Types.ObjectId;
  /** The id of the app's installation. */
  device: string;
  user: Types.ObjectId;
  /** The user's current location. */
  location: Types.ObjectId | null;
  appVersion: string;
  drafts: number;
  unsent: number;
  refused: number;
  oldestUnsentAt: Date | null;
  /** `oldestUnsentAt`, or `NOTHING_PENDING_DATE`, which sorts last. */
  pendingSince: Date;
  codesLeft: number;
  persisted: boolean | null;
  reportedAt: Date;
  /** When the record is dropped; null while something is unsent. */
  expiresAt: Date | null;
}

export const NOTHING_PENDING_DATE = new Date('9999-01-01T00:00:00Z');

const schema = new Schema<DeviceRecord>(
  {
    device: { type: String, required: true },
    user: { type: Schema.Types.ObjectId, ref: 'User', required: true },
    location: { type: Schema.Types.ObjectId, ref: 'Location' },
    appVersion: { type: String, required: true },
    drafts: { type: Number, required: true },
    unsent: { type: Number, required: true },
    refused: { type: Number, required: true },
    oldestUnsentAt: Date,
    pendingSince: { type: Date, required: true },
    codesLeft: { type: Number, required: true },
    persisted: Boolean,
    reportedAt: { type: Date, required: true },
    expiresAt: Date,
  },
  schemaOptions('devices'),
);
schema.index({ user: 1, device: 1 }, { name: 'device_once', unique: true });
schema.index({ pendingSince: 1, _id: 1 });
schema.index({ location: 1, pendingSince: 1, _id: 1 });
schema.index({ user: 1, pendingSince: 1, _id: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const DeviceModel = mongoose.model<DeviceRecord>('Device', schema);
