import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import { ContactState } from './schema.ts';

/** The number of a person who agreed to be texted, apart from their answers. */
export interface ContactRecord {
  _id: Types.ObjectId;
  survey: Types.ObjectId;
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
    survey: { type: Schema.Types.ObjectId, ref: 'Survey' },
    phone: String,
    number: String,
    language: String,
    consentedAt: Date,
    state: { type: String, enum: ContactState.options },
    stoppedAt: Date,
  },
  schemaOptions('contacts'),
);
schema.index({ survey: 1 }, { name: 'contact_once', unique: true });
schema.index({ number: 1 });
schema.index({ consentedAt: 1 });
schema.index({ stoppedAt: 1 }, { partialFilterExpression: { stoppedAt: { $gt: new Date(0) } } });

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
