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
    device: String,
    user: { type: Schema.Types.ObjectId, ref: 'User' },
    location: { type: Schema.Types.ObjectId, ref: 'Location' },
    appVersion: String,
    drafts: Number,
    unsent: Number,
    refused: Number,
    oldestUnsentAt: Date,
    pendingSince: Date,
    codesLeft: Number,
    persisted: Boolean,
    reportedAt: Date,
    expiresAt: Date,
  },
  schemaOptions('devices'),
);
schema.index({ user: 1, device: 1 }, { name: 'device_once', unique: true });
schema.index({ pendingSince: 1, _id: 1 });
schema.index({ location: 1, pendingSince: 1, _id: 1 });
schema.index({ user: 1, pendingSince: 1, _id: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const Devices = mongoose.model<DeviceRecord>('Device', schema);
