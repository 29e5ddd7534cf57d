import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../db/schema-options.ts';
import type { FlagCode, SurveyStatus } from './schema.ts';

export interface FlagRecord {
  code: FlagCode;
  referralCode: string | null;
  at: Date;
  /** Of SECOND_COPY: names the copy (copies.ts), which is kept once. */
  copyHash?: string;
  /** Not stored: only of a survey that is shown by itself. */
  copy?: Record<string, unknown>;
  /** Not stored here, and only for who may review the survey: of POSSIBLE_REPEAT (repeat.ts). */
  strength?: RepeatRecord['strength'];
  other?: { survey: Types.ObjectId | null; day: string; location: Types.ObjectId };
}

/** Another survey with the same identity clues, as it was when it was found. */
export interface RepeatRecord {
  strength: 'EXACT' | 'NEAR';
  survey: Types.ObjectId;
  heldAt: Date;
  location: Types.ObjectId;
  at: Date;
}

export function flag(code: FlagCode, referralCode: string | null, at: Date): FlagRecord {
  return { code, referralCode: referralCode?.slice(0, 100) ?? null, at };
}

export interface SurveyRecord {
  _id: Types.ObjectId;
  clientId: string;
  referralCode: string | null;
  seed: Types.ObjectId | null;
  recruiter: Types.ObjectId | null;
  wave: number | null;
  issuedCodes: string[];
  /** How many of them were handed over after the interview had arrived; absent where none was. */
  lateCodes?: number;
  questionnaire: Types.ObjectId;
  responses: Record<string, unknown>;
  networkSize: number | null;
  status: SurveyStatus;
  /** Only of a person who declined or is not eligible. */
  takesPart?: false | undefined;
  flags: FlagRecord[];
  /** Apart from the other flags, since few may know of it; absent where there is none. */
  repeat?: RepeatRecord | undefined;
  coordinates: { latitude: number; longitude: number; accuracy?: number | undefined } | null;
  location: Types.ObjectId;
  createdBy: Types.ObjectId;
  startedAt: Date;
  completedAt: Date | null;
  /** By which time it is counted: `startedAt`, or `createdAt` where its clock can not be right (clock.ts). */
  heldAt: Date;
  createdAt: Date;
  updatedAt: Date;
  version: number;
  /** What was sent, hashed: tells a replay from another interview under the same clientId. */
  requestHash: string;
  deletedAt: Date | null;
}

const schema = new Schema<SurveyRecord>(
  {
    clientId: String,
    referralCode: String,
    seed: Schema.Types.ObjectId,
    recruiter: Schema.Types.ObjectId,
    wave: Number,
    issuedCodes: [String],
    lateCodes: Number,
    questionnaire: Schema.Types.ObjectId,
    responses: Schema.Types.Mixed,
    networkSize: Number,
    status: String,
    takesPart: Boolean,
    flags: [Schema.Types.Mixed],
    repeat: Schema.Types.Mixed,
    coordinates: Schema.Types.Mixed,
    location: Schema.Types.ObjectId,
    createdBy: Schema.Types.ObjectId,
    startedAt: Date,
    completedAt: Date,
    heldAt: Date,
    createdAt: Date,
    updatedAt: Date,
    version: Number,
    requestHash: String,
    deletedAt: Date,
  },
  { ...schemaOptions, collection: 'surveys' },
);
const newest = { deletedAt: 1, createdAt: -1, _id: -1 } as const;
schema.index(newest);
schema.index({ location: 1, ...newest });
// Also answers each request's question for the caller's latest survey.
schema.index({ createdBy: 1, ...newest });
schema.index({ seed: 1, ...newest });
// Also walks down the recruitment tree, in which deleted surveys keep their place.
schema.index({ recruiter: 1, ...newest });
schema.index({ status: 1, ...newest });
// What the board counts by; with the site, so that those of other sites need not be fetched.
schema.index({ deletedAt: 1, heldAt: -1, location: 1 });
// Lists by the time at which they were held.
schema.index({ deletedAt: 1, heldAt: -1, _id: -1 });
// Few surveys are flagged, so this costs the others nothing.
schema.index(
  { 'flags.code': 1, deletedAt: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { 'flags.code': { $gt: '' } } },
);
schema.index(
  { 'repeat.strength': 1, deletedAt: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { 'repeat.strength': { $gt: '' } } },
);
// Who came with a coupon that was not good any more.
schema.index({ 'flags.referralCode': 1 }, { partialFilterExpression: { 'flags.referralCode': { $gt: '' } } });
schema.index(
  { takesPart: 1, deletedAt: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { takesPart: false } },
);
schema.index(
  { createdBy: 1, clientId: 1 },
  { name: 'client_id_once', unique: true, partialFilterExpression: { clientId: { $gt: '' } } },
);
schema.index(
  { referralCode: 1 },
  {
    name: 'referral_code_once',
    unique: true,
    partialFilterExpression: { referralCode: { $gt: '' } },
  },
);

declare module '../rights/ability.ts' {
  interface Records {
    Survey: SurveyRecord;
  }
}

export const Surveys = mongoose.model<SurveyRecord>('Survey', schema);
