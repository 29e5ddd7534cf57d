/** Tokens with which programs read files and results. */
import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import type { TokenScope } from './schema.ts';

export interface ReadTokenRecord {
  _id: Types.ObjectId;
  name: string;
  /** SHA-256 of the token, which has 256 random bits and can't be guessed. */
  hash: string;
  scopes: TokenScope[];
  /** Its last day, in the study's time zone. */
  expiresOn: string;
  /** The end of that day. */
  expiresAt: Date;
  /** Rounded to the hour, so that it is written at most once an hour. */
  lastUsedAt: Date | null;
  createdBy: Types.ObjectId;
  createdAt: Date;
  /** When the token was ended. */
  deletedAt: Date | null;
}

const schema = new Schema<ReadTokenRecord>(
  {
    name: { type: String, required: true },
    hash: { type: String, required: true },
    scopes: { type: [String], required: true },
    expiresOn: { type: String, required: true },
    expiresAt: { type: Date, required: true },
    lastUsedAt: Date,
    createdBy: { type: Schema.Types.ObjectId, ref: 'User', required: true },
    createdAt: { type: Date, required: true },
    deletedAt: Date,
  },
  schemaOptions('readtokens'),
);
schema.index({ hash: 1 }, { name: 'token_once', unique: true });
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ createdBy: 1, deletedAt: 1 });

export const ReadTokenModel = mongoose.model<ReadTokenRecord>('ReadToken', schema);
