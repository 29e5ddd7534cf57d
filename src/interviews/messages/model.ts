import mongoose, { Schema, type Types } from 'mongoose';
import { SMALLEST_ID, schemaOptions } from '../../platform/db/schema-options.ts';
import { MessageKind, type MessageState } from './schema.ts';

/** A text to a respondent, without its wording and the number. */
export interface MessageRecord {
  _id: Types.ObjectId;
  survey: Types.ObjectId | null;
  kind: MessageKind;
  incentive: Types.ObjectId | null;
  language: string;
  state: MessageState;
  error: string | null;
  createdAt: Date;
  /** The earliest time to send it. */
  sendAt: Date;
  /** When a process started to send it, on which day, and how often so far. */
  claimedAt: Date | null;
  day: string | null;
  tries: number;
  /** A keyed hash of the wording, to find the text in the provider's list if a process was killed. */
  wordsHash: string | null;
  /** The provider's id. */
  sid: string | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
}

const schema = new Schema<MessageRecord>(
  {
    survey: { type: Schema.Types.ObjectId, ref: 'Survey' },
    kind: { type: String, enum: MessageKind.options, required: true },
    incentive: { type: Schema.Types.ObjectId, ref: 'Incentive' },
    language: { type: String, required: true },
    state: { type: String, required: true },
    error: String,
    createdAt: { type: Date, required: true },
    sendAt: { type: Date, required: true },
    claimedAt: Date,
    day: String,
    tries: { type: Number, required: true },
    wordsHash: String,
    sid: String,
    sentAt: Date,
    deliveredAt: Date,
  },
  schemaOptions('messages'),
);
schema.index(
  { survey: 1, kind: 1, incentive: 1 },
  { name: 'message_once', unique: true, partialFilterExpression: { survey: { $gt: SMALLEST_ID } } },
);
const newest = { createdAt: -1, _id: -1 } as const;
schema.index(newest);
schema.index({ state: 1, ...newest });
schema.index({ kind: 1, ...newest });
schema.index({ state: 1, sendAt: 1 });
schema.index({ day: 1 }, { partialFilterExpression: { day: { $gt: '' } } });
schema.index({ sid: 1 }, { partialFilterExpression: { sid: { $gt: '' } } });

export const MessageModel = mongoose.model<MessageRecord>('Message', schema);
