/**
 * One-time codes by text message or call: a phone has at most one valid code, for 10 minutes, 5 tries per caller (20 in
 * total, not counting those of the phone's own devices) and one use. The console provider creates the code here, and
 * its keyed hash is stored at once. With Twilio the hash is null until Twilio approves a guess. It is stored then, so
 * that a correct but unused code (signing up with a phone that already has an account) stays valid here although Twilio
 * accepts it only once.
 */
import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto';
import type { ClientSession, Model } from 'mongoose';
import type { SignInFailureReason } from '../../../platform/audit/schema.ts';
import { problem } from '../../../platform/http/problems/problem.ts';
import { otpSentCounter } from '../../../platform/lib/metrics.ts';
import type { OtpChannel } from '../../../platform/lib/otp-channels.ts';
import { isKnownDeviceCaller } from '../known-devices.ts';
import { OtpModel, type OtpRecord, SignInCodeModel, type SignInCodeRecord } from './otp-model.ts';

export const ONE_TIME_CODE_LIFETIME_MS = 10 * 60_000;
const MAX_TRIES = 5;
const MAX_TOTAL_TRIES = 20;
const MAX_REQUESTERS = 10;
/** Reserved for fiction, so checking this number uses up nobody's tries. */
const FICTIONAL_PHONE = '+12015550199';

export interface OtpProvider {
  readonly name: 'console' | 'twilio';
  /**
   * Sends a new code, as a text message or read out in a call; `isRepeat` says that an earlier one may still be valid.
   * Returns the code if it was created here, null if only the provider knows it. Throws VALIDATION_ERROR (path phone),
   * RATE_LIMITED or UNAVAILABLE.
   */
  send(phone: string, isRepeat: boolean, channel: OtpChannel): Promise<string | null>;
  /** Asks the provider whether the code is right. The result is ignored if `send` returned the code. */
  check(phone: string, code: string): Promise<boolean>;
  /** Throws UNAVAILABLE if the provider is unreachable or misconfigured. Sends nothing. */
  checkHealth(): Promise<void>;
}

declare module '../../../platform/http/deps.ts' {
  interface Deps {
    otp: OtpProvider;
  }
}

export interface OtpDeps {
  config: { jwtSecret: string };
  otp: OtpProvider;
  now: () => Date;
}

export interface VerifiedOtp {
  /** Uses up the code, in the session's transaction if given. Only one of several concurrent uses succeeds. */
  consume(session?: ClientSession): Promise<void>;
}

/** Sends a new code, which invalidates the old one. `caller` is the requesting network or device. */
export async function sendCode(
  deps: OtpDeps,
  phone: string,
  caller: string,
  channel: OtpChannel = 'sms',
): Promise<void> {
  const now = deps.now();
  const old = await OtpModel.findOne({ phone, expiresAt: { $gt: now } }).lean<OtpRecord>();
  const count = (result: 'sent' | 'failed') => otpSentCounter.inc({ channel, result });
  const code = await deps.otp.send(phone, old?.codeHash === null, channel).catch((error: unknown) => {
    count('failed');
    throw error;
  });
  count('sent');
  await storeCode(deps, { phone, code, caller, old, now });
}

/**
 * Does the same database work as `sendCode`, for a phone without an account; nobody gets the code. Stored under a hash,
 * so that it doesn't invalidate a sign-up code.
 */
export async function pretendToSendCode(deps: OtpDeps, number: string, caller: string): Promise<void> {
  const now = deps.now();
  const phone = `none ${createHmac('sha256', hashKey(deps)).update(`nobody ${number}`).digest('hex')}`;
  const old = await OtpModel.findOne({ phone, expiresAt: { $gt: now } }).lean<OtpRecord>();
  await storeCode(deps, { phone, code: newOneTimeCode(), caller, old, now });
}

interface SentCode {
  phone: string;
  code: string | null;
  caller: string;
  old: OtpRecord | null;
  now: Date;
}

async function storeCode(deps: OtpDeps, { phone, code, caller, old, now }: SentCode): Promise<void> {
  const askedBy = [...new Set([...(old?.askedBy ?? []), callerKey(deps, caller)])];
  // Known devices last, so that requests by strangers don't push them out.
  askedBy.sort((one, other) => Number(isDeviceKey(one)) - Number(isDeviceKey(other)));
  await OtpModel.updateOne(
    { phone },
    {
      codeHash: code === null ? null : oneTimeCodeHashOf(deps, phone, code),
      tries: 0,
      triesBy: {},
      strangersTries: 0,
      askedBy: askedBy.slice(-MAX_REQUESTERS),
      createdAt: now,
      expiresAt: new Date(now.getTime() + ONE_TIME_CODE_LIFETIME_MS),
    },
    { upsert: true },
  );
}

/** Throws OTP_INVALID unless the code is right. A right code costs no try and stays valid until it is consumed. */
export async function verifyCode(
  deps: OtpDeps,
  phone: string,
  code: string,
  caller: string,
): Promise<VerifiedOtp> {
  const reserved = await reserveTry(OtpModel, phone, callerKey(deps, caller), deps.now());
  if (!reserved) {
    // Call the provider in this case too: otherwise the response time, or an error during an outage, would reveal which
    // phones have an account. With a fictional phone, because checking this one would use up the tries of others.
    await deps.otp.check(FICTIONAL_PHONE, code);
    throw problem('OTP_INVALID');
  }
  const { otp, countsToUndo } = reserved;
  const codeHash = oneTimeCodeHashOf(deps, phone, code);
  const right =
    otp.codeHash === null
      ? await askProvider(deps.otp, { otp, code, countsToUndo })
      : sameHash(otp.codeHash, codeHash);
  if (!right) {
    if (otp.codeHash !== null) await deps.otp.check(FICTIONAL_PHONE, code);
    throw problem('OTP_INVALID');
  }
  await OtpModel.updateOne(
    { phone, codeHash: otp.codeHash, createdAt: otp.createdAt },
    { $set: { codeHash }, $inc: countsToUndo },
  );
  return {
    async consume(session) {
      const { deletedCount } = await OtpModel.deleteOne({ phone, codeHash }, session ? { session } : {});
      if (deletedCount !== 1) throw problem('OTP_INVALID');
    },
  };
}

/** The stored code if the guess is right, which then costs no try; null if it is wrong or there is no code. */
export async function findMatchingOtp<T extends OtpRecord>(
  codes: Model<T>,
  deps: OtpDeps,
  { phone, code, caller }: { phone: string; code: string; caller: string },
): Promise<T | null> {
  const reserved = await reserveTry(codes, phone, callerKey(deps, caller), deps.now());
  if (!reserved || !sameHash(reserved.otp.codeHash ?? '', oneTimeCodeHashOf(deps, phone, code))) return null;
  const { otp, countsToUndo } = reserved;
  await codes.updateOne({ phone, createdAt: otp.createdAt }, { $inc: countsToUndo });
  return otp;
}

type Counts = Record<string, number>;
interface ReservedTry<T extends OtpRecord> {
  otp: T;
  countsToUndo: Counts;
}

/** Counts the try before the guess is checked, so that concurrent guesses can't exceed the limit. */
async function reserveTry<T extends OtpRecord>(
  codes: Model<T>,
  phone: string,
  caller: string,
  now: Date,
): Promise<ReservedTry<T> | null> {
  const live = await codes.findOne({ phone, expiresAt: { $gt: now } }).lean<T>();
  if (!live) return null;
  const { most, own, strangers } = tryLimits(live, caller);
  const stranger = isStranger(live, caller);
  const counts: Counts = {
    ...(most === null ? {} : { tries: 1 }),
    ...{ [`triesBy.${caller}`]: 1, ...(stranger ? { strangersTries: 1 } : {}) },
  };
  const otp = await codes
    .findOneAndUpdate(
      {
        phone,
        createdAt: live.createdAt,
        ...(most === null ? {} : { tries: { $lt: most } }),
        [`triesBy.${caller}`]: { $not: { $gte: own } },
        ...(stranger ? { strangersTries: { $not: { $gte: strangers } } } : {}),
      },
      { $inc: counts },
    )
    .lean<T>();
  if (!otp) return null;
  return { otp, countsToUndo: Object.fromEntries(Object.keys(counts).map((name) => [name, -1])) };
}

/** If a known device has requested the code, everyone else is a stranger, even if they requested it too. */
function isStranger({ askedBy = [] }: OtpRecord, caller: string): boolean {
  if (isDeviceKey(caller)) return false;
  return askedBy.some(isDeviceKey) || !askedBy.includes(caller);
}

/**
 * Five tries per caller and twenty in total, so that a stranger's wrong guesses don't use up the owner's tries; the
 * phone's own devices don't count toward that total. If only the provider knows the code, it allows five in total;
 * several callers then share them, so that some are left for the person who requested the code.
 */
function tryLimits({ codeHash, askedBy = [] }: OtpRecord, caller: string) {
  const isDevice = isDeviceKey(caller);
  if (codeHash !== null)
    return { most: isDevice ? null : MAX_TOTAL_TRIES, own: MAX_TRIES, strangers: MAX_TOTAL_TRIES };
  if (isDevice || askedBy.some(isDeviceKey))
    return { most: MAX_TRIES, own: isDevice ? MAX_TRIES : 2, strangers: 2 };
  const isOnlyCaller = askedBy.length < 2 && (askedBy.length === 0 || askedBy.includes(caller));
  return { most: MAX_TRIES, own: isOnlyCaller ? MAX_TRIES : 2, strangers: askedBy.length > 1 ? 1 : 2 };
}

interface Guess {
  otp: OtpRecord;
  code: string;
  countsToUndo: Counts;
}

/** A guess that the provider couldn't check costs no try. */
async function askProvider(provider: OtpProvider, { otp, code, countsToUndo }: Guess): Promise<boolean> {
  try {
    return await provider.check(otp.phone, code);
  } catch (error) {
    await OtpModel.updateOne({ phone: otp.phone, createdAt: otp.createdAt }, { $inc: countsToUndo });
    throw error;
  }
}

export const newOneTimeCode = () => String(randomInt(1_000_000)).padStart(6, '0');

/** Identifies a caller's network, or one of the phone's own devices, without storing the address. */
function callerKey(deps: OtpDeps, caller: string): string {
  const key = createHmac('sha256', hashKey(deps)).update(`caller ${caller}`).digest('hex').slice(0, 20);
  return isKnownDeviceCaller(caller) ? DEVICE_KEY + key : key;
}

const DEVICE_KEY = 'device-';
const isDeviceKey = (key: string) => key.startsWith(DEVICE_KEY);

/** Why the last guess was refused. */
export async function findOtpFailureReason(phone: string, now: Date): Promise<SignInFailureReason> {
  const live = { phone, expiresAt: { $gt: now } };
  const [sentCode, signInCode] = await Promise.all([
    OtpModel.findOne(live).lean<OtpRecord>(),
    SignInCodeModel.findOne(live).lean<SignInCodeRecord>(),
  ]);
  const codes = [sentCode, signInCode].filter((one) => one !== null);
  if (codes.length === 0) return 'NO_CODE';
  const isOpen = ({ codeHash, tries }: OtpRecord) =>
    tries < (codeHash === null ? MAX_TRIES : MAX_TOTAL_TRIES);
  return codes.some(isOpen) ? 'WRONG_CODE' : 'TOO_MANY_GUESSES';
}

const hashKey = (deps: OtpDeps) =>
  Buffer.from(hkdfSync('sha256', deps.config.jwtSecret, '', 'one-time codes', 32));

/** Keyed, because six digits could quickly be found from a plain hash. */
export function oneTimeCodeHashOf(deps: OtpDeps, phone: string, code: string): string {
  return createHmac('sha256', hashKey(deps)).update(`${phone} ${code}`).digest('hex');
}

export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
