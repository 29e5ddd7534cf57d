import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import { ContactState } from './schema.ts';

/** The phone number of a person who agreed to be texted, stored separately from their answers. */
export interface ContactRecord {
  /** The id of the survey. */
  _id: Types.ObjectId;
  /** Encrypted for this survey (CONTACT_KEY). */
  phone: string;
  /** A keyed hash of the phone number, to recognize it. */
  number: string;
  language: string;
  consentedAt: Date;
  state: ContactState;
  stoppedAt: Date | null;
}

const schema = new Schema<ContactRecord>(
  {
    _id: { type: Schema.Types.ObjectId, ref: 'Survey' },
    phone: { type: String, required: true },
    number: { type: String, required: true },
    language: { type: String, required: true },
    consentedAt: { type: Date, required: true },
    state: { type: String, enum: ContactState.options, required: true },
    stoppedAt: Date,
  },
  schemaOptions('contacts'),
);
// No index on dates, because it would slow down storing every interview: expired contacts are found by a full scan at
// night.
schema.index({ number: 1 });

export const ContactModel = mongoose.model<ContactRecord>('Contact', schema);

/**
 * What applies to a number across surveys. It is kept after their contacts are erased, so that STOP remains in force.
 */
export interface TextedNumberRecord {
  _id: Types.ObjectId;
  /** The keyed hash of the number. */
  number: string;
  stoppedAt: Date | null;
  /** The last day on which a text was sent to it. */
  textedOn: string | null;
}

const numbers = new Schema<TextedNumberRecord>(
  {
    number: { type: String, required: true },
    stoppedAt: Date,
    textedOn: String,
  },
  schemaOptions('textednumbers'),
);
numbers.index({ number: 1 }, { name: 'number_once', unique: true });
numbers.index({ textedOn: 1 });

export const TextedNumberModel = mongoose.model<TextedNumberRecord>('TextedNumber', numbers);
