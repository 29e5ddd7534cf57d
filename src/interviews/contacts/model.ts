import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import { ContactState } from './schema.ts';

/** The number of a person who agreed to be texted, apart from their answers. */
export interface ContactRecord {
  /** That of the survey. */
  _id: Types.ObjectId;
  /** Sealed for this survey (CONTACT_KEY). */
  phone: string;
  /** A keyed hash of it, to recognize it. */
  number: string;
  language: string;
  consentedAt: Date;
  state: ContactState;
  stoppedAt: Date | null;
}

const schema = new Schema<ContactRecord>(
  {
    _id: { type: Schema.Types.ObjectId, ref: 'Survey' },
    phone: String,
    number: String,
    language: String,
    consentedAt: Date,
    state: { type: String, enum: ContactState.options },
    stoppedAt: Date,
  },
  schemaOptions('contacts'),
);
// Each index would cost every interview: what is erased by date is found by reading all of them at night.
schema.index({ number: 1 });

export const Contacts = mongoose.model<ContactRecord>('Contact', schema);

/** What holds for a number whatever its surveys: it outlasts them, so that STOP does. */
export interface TextedNumberRecord {
  _id: Types.ObjectId;
  /** The keyed hash. */
  number: string;
  stoppedAt: Date | null;
  /** The last day on which it was texted. */
  textedOn: string | null;
}

const numbers = new Schema<TextedNumberRecord>(
  {
    number: String,
    stoppedAt: Date,
    textedOn: String,
  },
  schemaOptions('textednumbers'),
);
numbers.index({ number: 1 }, { name: 'number_once', unique: true });
numbers.index({ textedOn: 1 });

export const TextedNumbers = mongoose.model<TextedNumberRecord>('TextedNumber', numbers);
