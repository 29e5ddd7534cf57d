import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import { createBatchedReader } from '../../platform/db/batched-reads.ts';
import { SMALLEST_ID, schemaOptions } from '../../platform/db/schema-options.ts';
import { DAY_MS } from '../../platform/lib/day.ts';
import { isRoundClosedAt, type RoundSpan } from '../../study/rounds/spans.ts';
import type { CodeState } from './schema.ts';

export interface ReferralCodeRecord {
  _id: Types.ObjectId;
  /** Canonical, eight characters; unique. */
  code: string;
  /** As stored: a LIVE code past its expiry is shown as EXPIRED (see codeStateAt). */
  state: Exclude<CodeState, 'EXPIRED'>;
  /** The seed that issued it, or the survey that issued or handed it out; both null while it is reserved. */
  seed: Types.ObjectId | null;
  survey: Types.ObjectId | null;
  /**
   * The seed and the wave of the issuing survey, once known. They never change, so redeeming a code or counting a
   * chain's coupons doesn't need to read the survey. Absent otherwise.
   */
  chain?: Types.ObjectId;
  wave?: number;
  /** The round of the seed or survey that issued or handed it out; absent while it is reserved. */
  round?: Types.ObjectId;
  /** The site of the survey that issued or handed it out; absent if there is none. */
  location?: Types.ObjectId | null;
  /**
   * When the interview that handed it out ended, or when it was created for that interview. Never before its creation;
   * if that interview's clock was wrong, the interview's arrival. Absent if it was not handed out.
   */
  handedOutAt?: Date;
  /** For a redeemed code that was handed out: whole days until the interview at which it was returned. */
  daysOut?: number;
  reservedBy: Types.ObjectId | null;
  /** For a reserved code: the device's own id of the request, if it sent one. */
  requestId?: string;
  /** For a reserved code: set if its device was lost or cleared. It stays valid, but no longer counts. */
  givenUpAt?: Date | null;
  batch: Types.ObjectId | null;
  redeemedBy: Types.ObjectId | null;
  /** When the service received it. */
  redeemedAt: Date | null;
  /** For a redeemed code: the date of the interview at which it was returned (`heldAt` of the survey). */
  returnedAt?: Date;
  validFrom: Date | null;
  expiresAt: Date | null;
  voidedAt: Date | null;
  voidReason: string | null;
  createdAt: Date;
}

const schema = new Schema<ReferralCodeRecord>(
  {
    code: { type: String, required: true },
    state: { type: String, required: true },
    seed: { type: Schema.Types.ObjectId, ref: 'Seed' },
    survey: { type: Schema.Types.ObjectId, ref: 'Survey' },
    chain: { type: Schema.Types.ObjectId, ref: 'Seed' },
    wave: Number,
    round: { type: Schema.Types.ObjectId, ref: 'Round' },
    location: { type: Schema.Types.ObjectId, ref: 'Location' },
    handedOutAt: Date,
    daysOut: Number,
    reservedBy: { type: Schema.Types.ObjectId, ref: 'User' },
    requestId: String,
    givenUpAt: Date,
    batch: { type: Schema.Types.ObjectId, ref: 'CodeBatch' },
    redeemedBy: { type: Schema.Types.ObjectId, ref: 'User' },
    redeemedAt: Date,
    returnedAt: Date,
    validFrom: Date,
    expiresAt: Date,
    voidedAt: Date,
    voidReason: String,
    createdAt: { type: Date, required: true },
  },
  schemaOptions('referralcodes'),
);
schema.index({ code: 1 }, { name: 'code_once', unique: true });
// Fields that few codes have are indexed only where they are set, because issuing three codes must stay cheap. `$gt`
// and not `$type`, because the planner doesn't know that an equality implies `$type`.
const where = (field: string) => ({ partialFilterExpression: { [field]: { $gt: SMALLEST_ID } } });
schema.index({ seed: 1, createdAt: -1, _id: -1 }, where('seed'));
schema.index({ survey: 1, createdAt: -1, _id: -1 }, where('survey'));
// Counts a chain's live coupons without fetching them.
schema.index({ chain: 1, state: 1, expiresAt: 1 }, where('chain'));
schema.index({ round: 1, createdAt: -1, _id: -1 }, where('round'));
schema.index({ batch: 1, createdAt: -1, _id: -1 }, where('batch'));
schema.index({ reservedBy: 1, state: 1 }, where('reservedBy'));
schema.index({ requestId: 1, reservedBy: 1 }, { partialFilterExpression: { requestId: { $gt: '' } } });
schema.index({ state: 1, createdAt: -1, _id: -1 });
schema.index({ createdAt: -1, _id: -1 });

export const ReferralCodeModel = mongoose.model<ReferralCodeRecord>('ReferralCode', schema);

const findOutside = createBatchedReader<string, ReferralCodeRecord>({
  collection: () => ReferralCodeModel.collection,
  filter: (codes) => ({ code: { $in: codes } }),
  keysOfRecord: ({ code }) => [String(code)],
});

/** The code's current record, or the transaction's view of it. */
export async function findCode(
  code: string,
  session: ClientSession | null = null,
): Promise<ReferralCodeRecord | null> {
  if (!session) return (await findOutside(code)) ?? null;
  return await ReferralCodeModel.findOne({ code }).session(session).lean<ReferralCodeRecord>();
}

/** A code's current state: time alone, or closing its round, turns a live code into an expired one. */
export function codeStateAt(
  { state, expiresAt, round }: Pick<ReferralCodeRecord, 'state' | 'expiresAt' | 'round'>,
  now: Date,
  rounds: readonly RoundSpan[],
): CodeState {
  const isOver = (expiresAt && expiresAt <= now) || isRoundClosedAt(rounds, round, now);
  return state === 'LIVE' && isOver ? 'EXPIRED' : state;
}

const daysBetween = { $floor: { $divide: [{ $subtract: ['$returnedAt', '$handedOutAt'] }, DAY_MS] } };
/** Sets `daysOut` (see ReferralCodeRecord) after an update of a code's dates. */
export const SET_COUPON_DAYS_OUT = {
  $set: {
    daysOut: {
      $cond: [
        { $and: [{ $gt: ['$returnedAt', null] }, { $gt: ['$handedOutAt', null] }] },
        // Not negative, because a device's clock may be slow.
        { $max: [0, daysBetween] },
        '$$REMOVE',
      ],
    },
  },
};

/** A printed batch: codes that anyone may hand out. */
export interface CodeBatchRecord {
  _id: Types.ObjectId;
  count: number;
  location: Types.ObjectId;
  note: string | null;
  createdBy: Types.ObjectId | null;
  createdAt: Date;
}

const batchSchema = new Schema<CodeBatchRecord>(
  {
    count: { type: Number, required: true },
    location: { type: Schema.Types.ObjectId, ref: 'Location', required: true },
    note: String,
    createdBy: { type: Schema.Types.ObjectId, ref: 'User' },
    createdAt: { type: Date, required: true },
  },
  schemaOptions('codebatches'),
);
batchSchema.index({ createdAt: -1, _id: -1 });

export const CodeBatchModel = mongoose.model<CodeBatchRecord>('CodeBatch', batchSchema);
