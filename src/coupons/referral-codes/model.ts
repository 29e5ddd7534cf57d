import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import { createBatchedReader } from '../../platform/db/batched-reads.ts';
import { SMALLEST_ID, schemaOptions } from '../../platform/db/schema-options.ts';
import { DAY_MS } from '../../platform/lib/day.ts';
import { isClosedFor, type RoundSpan } from '../../study/rounds/spans.ts';
import type { CodeState } from './schema.ts';

export interface ReferralCodeRecord {
  _id: Types.ObjectId;
  /** Canonical, 8 characters; unique. */
  code: string;
  /** As stored: a LIVE one whose time is over is shown as EXPIRED (see stateOf). */
  state: Exclude<CodeState, 'EXPIRED'>;
  /** The seed that issued it, or the survey that issued or handed it out; neither while it is reserved. */
  seed: Types.ObjectId | null;
  survey: Types.ObjectId | null;
  /**
   * The seed and the wave of the issuing survey, as soon as they are known: a place once known never changes, so
   * whoever redeems the code need not read the survey, nor who counts a chain's coupons. Absent else.
   */
  chain?: Types.ObjectId;
  wave?: number;
  /** The round of the seed or survey that issued or handed it out; absent while it is reserved. */
  round?: Types.ObjectId;
  /** The site of the survey that issued or handed it out; absent where there is none. */
  location?: Types.ObjectId | null;
  /**
   * When the interview that handed it out ended, or when it was made for that interview; not before it was made, and
   * where that interview's clock is odd, when it arrived. Absent where there is none.
   */
  handedOutAt?: Date;
  /** Of a redeemed one that was handed out: whole days from then until the interview was held that it came back to. */
  daysOut?: number;
  reservedBy: Types.ObjectId | null;
  /** Of a reserved one: the device's own id of the request that asked for it, where it gave one. */
  requestId?: string;
  /** Of a reserved one: its device is lost or was cleared; it stays good, and is not counted any more. */
  givenUpAt?: Date | null;
  batch: Types.ObjectId | null;
  redeemedBy: Types.ObjectId | null;
  /** When the server learned of it. */
  redeemedAt: Date | null;
  /** Of a redeemed one: when the interview was held that it was brought to (`heldAt` of the survey). */
  returnedAt?: Date;
  validFrom: Date | null;
  expiresAt: Date | null;
  voidedAt: Date | null;
  voidReason: string | null;
  createdAt: Date;
}

const schema = new Schema<ReferralCodeRecord>(
  {
    code: String,
    state: String,
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
    createdAt: Date,
  },
  schemaOptions('referralcodes'),
);
schema.index({ code: 1 }, { name: 'code_once', unique: true });
// Fields that few codes have are indexed only where they are set: issuing three codes must stay cheap. `$gt` and not
// `$type`, of which the planner does not know that an equality implies it.
const where = (field: string) => ({ partialFilterExpression: { [field]: { $gt: SMALLEST_ID } } });
schema.index({ seed: 1, createdAt: -1, _id: -1 }, where('seed'));
schema.index({ survey: 1, createdAt: -1, _id: -1 }, where('survey'));
// Counts the live ones of a chain without fetching them.
schema.index({ chain: 1, state: 1, expiresAt: 1 }, where('chain'));
schema.index({ round: 1, createdAt: -1, _id: -1 }, where('round'));
schema.index({ batch: 1, createdAt: -1, _id: -1 }, where('batch'));
schema.index({ reservedBy: 1, state: 1 }, where('reservedBy'));
schema.index({ requestId: 1, reservedBy: 1 }, { partialFilterExpression: { requestId: { $gt: '' } } });
schema.index({ state: 1, createdAt: -1, _id: -1 });
schema.index({ createdAt: -1, _id: -1 });

export const ReferralCodes = mongoose.model<ReferralCodeRecord>('ReferralCode', schema);

const findOutside = createBatchedReader<string, ReferralCodeRecord>({
  collection: () => ReferralCodes.collection,
  filter: (codes) => ({ code: { $in: codes } }),
  keysOfRecord: ({ code }) => [String(code)],
});

/** The code as it is now: by itself, or as the transaction sees it. */
export async function findCode(
  code: string,
  session: ClientSession | null = null,
): Promise<ReferralCodeRecord | null> {
  if (!session) return (await findOutside(code)) ?? null;
  return await ReferralCodes.findOne({ code }).session(session).lean<ReferralCodeRecord>();
}

/** What a code is now: time alone, or closing its round, turns a live one into an expired one. */
export function stateOf(
  { state, expiresAt, round }: Pick<ReferralCodeRecord, 'state' | 'expiresAt' | 'round'>,
  now: Date,
  rounds: readonly RoundSpan[],
): CodeState {
  const isOver = (expiresAt && expiresAt <= now) || isClosedFor(rounds, round, now);
  return state === 'LIVE' && isOver ? 'EXPIRED' : state;
}

const daysBetween = { $floor: { $divide: [{ $subtract: ['$returnedAt', '$handedOutAt'] }, DAY_MS] } };
/** Sets `daysOut` (see ReferralCodeRecord) after an update of a code's dates. */
export const SET_DAYS_OUT = {
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
export interface BatchRecord {
  _id: Types.ObjectId;
  count: number;
  location: Types.ObjectId;
  note: string | null;
  createdBy: Types.ObjectId | null;
  createdAt: Date;
}

const batchSchema = new Schema<BatchRecord>(
  {
    count: Number,
    location: { type: Schema.Types.ObjectId, ref: 'Location' },
    note: String,
    createdBy: { type: Schema.Types.ObjectId, ref: 'User' },
    createdAt: Date,
  },
  schemaOptions('codebatches'),
);
batchSchema.index({ createdAt: -1, _id: -1 });

export const CodeBatches = mongoose.model<BatchRecord>('CodeBatch', batchSchema);
