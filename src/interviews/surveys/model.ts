import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import type { IncentiveMethod } from '../incentives/schema.ts';
import { type FlagCode, type ReviewState, SurveyStatus } from './schema.ts';

export interface FlagRecord {
  code: FlagCode;
  referralCode: string | null;
  at: Date;
  /** SECOND_COPY only: the hash of the copy (second-copies.ts). */
  copyHash?: string;
  /** Not stored; added when a single survey is returned. */
  copy?: Record<string, unknown>;
  /** IMPORTED only: who entered it; null for an operator's command. */
  by?: Types.ObjectId | null;
  /** INCENTIVE_NOT_DUE only: what was handed over. */
  method?: IncentiveMethod;
  reference?: string | null;
  /** POSSIBLE_REPEAT only. Not stored here, and only shown to reviewers of the survey (repeat-detection.ts). */
  strength?: RepeatRecord['strength'];
  other?: { survey: Types.ObjectId | null; day: string; location: Types.ObjectId };
}

/** Another survey with the same identity answers, as of when it was found. */
export interface RepeatRecord {
  strength: 'EXACT' | 'NEAR';
  survey: Types.ObjectId;
  heldAt: Date;
  location: Types.ObjectId;
  at: Date;
}

/** The latest review that is still valid. */
export interface ReviewRecord {
  state: ReviewState;
  /** Null for an operator's command. */
  by: Types.ObjectId | null;
  at: Date;
  /**
   * The review that this one replaced, for undo; null if there was none (RECEIVED). Absent in old records, and after
   * the answers were changed. A previous review has a `previous` itself only if an operator made it.
   */
  previous?: ReviewRecord | null | undefined;
}

export function newFlag(code: FlagCode, referralCode: string | null, at: Date): FlagRecord {
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
  /** How many coupons were handed out after the interview had arrived; absent if none. */
  lateCodes?: number;
  questionnaire: Types.ObjectId;
  responses: Record<string, unknown>;
  networkSize: number | null;
  status: SurveyStatus;
  /** Only set if the person declined or isn't eligible. */
  takesPart?: false | undefined;
  flags: FlagRecord[];
  /** Separate from the other flags, because only reviewers may see it. */
  repeat?: RepeatRecord | undefined;
  /** Absent if nobody has reviewed it in its current form: RECEIVED. */
  review?: ReviewRecord | undefined;
  coordinates: { latitude: number; longitude: number; accuracy?: number | undefined } | null;
  location: Types.ObjectId;
  /** The round of its chain; without a chain, the round that was open on the interview date. */
  round: Types.ObjectId;
  /** Only set if the site was corrected: the site it was sent from, which determines where its interviewer is. */
  sentFrom?: Types.ObjectId;
  createdBy: Types.ObjectId;
  /** Only set if someone else entered it for `createdBy`, with who did (null for an operator's command). */
  importedAt?: Date;
  importedBy?: Types.ObjectId | null;
  startedAt: Date;
  completedAt: Date | null;
  /**
   * The interview date, by which it is counted: `startedAt`, or `createdAt` if the clock was wrong
   * (interview-times.ts).
   */
  heldAt: Date;
  createdAt: Date;
  updatedAt: Date;
  version: number;
  /** The interviewer's note for reviewers; absent if there is none (note.ts). */
  note?: string | undefined;
  /** SHA-256 of the secret of the person's own page (status/secret.ts); absent if there is none. */
  statusHash?: string | undefined;
  /** A hash of the request, to tell a replay from another interview with the same clientId. */
  requestHash: string;
  deletedAt: Date | null;
  /** Only set if its contents were erased. */
  erasedAt?: Date;
  /** Written, but never read, so that two transactions conflict: see comments.ts and redeem-coupon.ts. */
  commentsAdded?: number;
  recruitsWhilePending?: number;
}

const schema = new Schema<SurveyRecord>(
  {
    clientId: { type: String, required: true },
    referralCode: String,
    seed: { type: Schema.Types.ObjectId, ref: 'Seed' },
    recruiter: { type: Schema.Types.ObjectId, ref: 'Survey' },
    wave: Number,
    issuedCodes: { type: [String], required: true },
    lateCodes: Number,
    questionnaire: { type: Schema.Types.ObjectId, ref: 'Questionnaire', required: true },
    responses: { type: Schema.Types.Mixed, required: true },
    networkSize: Number,
    status: { type: String, enum: SurveyStatus.options, required: true },
    takesPart: Boolean,
    flags: { type: [{ type: Schema.Types.Mixed }], required: true },
    repeat: Schema.Types.Mixed,
    review: Schema.Types.Mixed,
    coordinates: Schema.Types.Mixed,
    location: { type: Schema.Types.ObjectId, ref: 'Location', required: true },
    round: { type: Schema.Types.ObjectId, ref: 'Round', required: true },
    sentFrom: { type: Schema.Types.ObjectId, ref: 'Location' },
    createdBy: { type: Schema.Types.ObjectId, ref: 'User', required: true },
    importedAt: Date,
    importedBy: { type: Schema.Types.ObjectId, ref: 'User' },
    startedAt: { type: Date, required: true },
    completedAt: Date,
    heldAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    version: { type: Number, required: true },
    note: String,
    statusHash: String,
    requestHash: { type: String, required: true },
    deletedAt: Date,
    erasedAt: Date,
    commentsAdded: Number,
    recruitsWhilePending: Number,
  },
  schemaOptions('surveys'),
);
const newest = { deletedAt: 1, createdAt: -1, _id: -1 } as const;
schema.index(newest);
schema.index({ location: 1, ...newest });
schema.index({ round: 1, ...newest });
schema.index({ createdBy: 1, ...newest });
// Finds the caller's latest survey, in every request.
schema.index(
  { createdBy: 1, heldAt: -1, _id: -1 },
  { partialFilterExpression: { deletedAt: null, importedAt: null } },
);
schema.index({ seed: 1, ...newest });
// Also for walking down the recruitment tree, in which deleted surveys keep their place.
schema.index({ recruiter: 1, ...newest });
schema.index({ status: 1, ...newest });
schema.index({ 'review.state': 1, ...newest });
// For the board's counts; includes the site, so that records of other sites are not fetched.
schema.index({ deletedAt: 1, heldAt: -1, location: 1 });
// For lists by interview date.
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
// Finds people who came with a refused coupon.
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
  { statusHash: 1 },
  { name: 'status_hash_once', unique: true, partialFilterExpression: { statusHash: { $gt: '' } } },
);
schema.index(
  { referralCode: 1 },
  {
    name: 'referral_code_once',
    unique: true,
    partialFilterExpression: { referralCode: { $gt: '' } },
  },
);

export const SurveyModel = mongoose.model<SurveyRecord>('Survey', schema);
