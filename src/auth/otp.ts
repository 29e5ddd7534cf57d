/**
 * One-time codes by text message: a phone has at most one live code, good for 10 minutes, 5 tries a caller
 * (20 over all) and one use.
 *
 * Who knows the code differs: the console provider makes it here, and its keyed hash is stored at once; with Twilio
 * the hash stays null until Twilio has approved a guess, and is stored then. So a code that was right but not used
 * (signing up with a phone that has an account already) stays good here, although Twilio has done with it.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { problem } from '../http/problem.ts';
import { type Otp, Otps } from './otp-model.ts';

const LIFE_MS = 10 * 60_000;
const MAX_TRIES = 5;
const MAX_TRIES_IN_ALL = 20;
const MAX_ASKERS = 10;
/** Set aside for fiction: nobody has it, so a code that is asked about there takes nobody's tries. */
const NOBODYS_PHONE = '+12015550199';

export interface OtpProvider {
  readonly name: 'console' | 'twilio';
  /**
   * Sends a code to the phone, a fresh one also where `again` says that an earlier one may still live. Answers the
   * code where this service makes it itself, null where the provider keeps it. Throws VALIDATION_ERROR (path phone),
   * RATE_LIMITED or UNAVAILABLE.
   */
  send(phone: string, again: boolean): Promise<string | null>;
  /** Asks the provider whether the code is right; where `send` has not answered null, the answer counts for nothing. */
  check(phone: string, code: string): Promise<boolean>;
  /** Throws UNAVAILABLE where it is out of reach or not set up as it must be; costs nothing. */
  isWell(): Promise<void>;
}

declare module '../http/deps.ts' {
  interface Deps {
    otp: OtpProvider;
  }
}

interface OtpDeps {
  config: { jwtSecret: string };
  otp: OtpProvider;
  now: () => Date;
}

export interface VerifiedCode {
  /** Uses the code up, inside the session's transaction if one is given. Of parallel uses exactly one succeeds. */
  consume(session?: ClientSession): Promise<void>;
}

/** Sends a new code, which ends the old one. `caller` is the network that asks. */
export async function sendCode(deps: OtpDeps, phone: string, caller: string): Promise<void> {
  const now = deps.now();
  const old = await Otps.findOne({ phone, expiresAt: { $gt: now } }).lean<Otp>();
  const code = await deps.otp.send(phone, old?.codeHash === null);
  const askedBy = new Set([...(old?.askedBy ?? []), callerKey(deps, caller)]);
  await Otps.updateOne(
    { phone },
    {
      codeHash: code === null ? null : hashOf(deps, phone, code),
      tries: 0,
      triesBy: {},
      strangersTries: 0,
      askedBy: [...askedBy].slice(-MAX_ASKERS),
      createdAt: now,
      expiresAt: new Date(now.getTime() + LIFE_MS),
    },
    { upsert: true },
  );
}

/** Throws OTP_INVALID unless the code is right. A right code costs no try and stays good until it is consumed. */
export async function verifyCode(
  deps: OtpDeps,
  phone: string,
  code: string,
  caller: string,
): Promise<VerifiedCode> {
  const taken = await takeTry(phone, callerKey(deps, caller), deps.now());
  if (!taken) {
    // Else its time, and its failure in an outage, would tell the phones that have an account. Not about this phone: of
    // a code whose tries this caller has had, others may still have theirs, and one may be out that is not stored yet.
    await deps.otp.check(NOBODYS_PHONE, code);
    throw problem('OTP_INVALID');
  }
  const { otp, giveBack } = taken;
  const codeHash = hashOf(deps, phone, code);
  const right =
    otp.codeHash === null
      ? await askProvider(deps.otp, { otp, code, giveBack })
      : sameHash(otp.codeHash, codeHash);
  if (!right) {
    if (otp.codeHash !== null) await deps.otp.check(NOBODYS_PHONE, code);
    throw problem('OTP_INVALID');
  }
  await Otps.updateOne(
    { phone, codeHash: otp.codeHash, createdAt: otp.createdAt },
    { $set: { codeHash }, $inc: giveBack },
  );
  return {
    async consume(session) {
      const { deletedCount } = await Otps.deleteOne({ phone, codeHash }, session ? { session } : {});
      if (deletedCount !== 1) throw problem('OTP_INVALID');
    },
  };
}

type Counts = Record<string, number>;
type Taken = { otp: Otp; giveBack: Counts };

/** Takes the try before the guess is looked at, so that parallel guesses don't get more than their share. */
async function takeTry(phone: string, caller: string, now: Date): Promise<Taken | null> {
  const live = await Otps.findOne({ phone, expiresAt: { $gt: now } }).lean<Otp>();
  if (!live) return null;
  const { most, own, strangers } = shares(live, caller);
  const stranger = !live.askedBy?.includes(caller);
  const counts: Counts = { tries: 1, [`triesBy.${caller}`]: 1, ...(stranger ? { strangersTries: 1 } : {}) };
  const otp = await Otps.findOneAndUpdate(
    {
      phone,
      createdAt: live.createdAt,
      tries: { $lt: most },
      [`triesBy.${caller}`]: { $not: { $gte: own } },
      ...(stranger ? { strangersTries: { $not: { $gte: strangers } } } : {}),
    },
    { $inc: counts },
  ).lean<Otp>();
  if (!otp) return null;
  return { otp, giveBack: Object.fromEntries(Object.keys(counts).map((name) => [name, -1])) };
}

/**
 * Five tries a caller and twenty in all, so that a stranger's wrong guesses leave the others theirs. A code that only
 * the provider knows has five in all there, and nothing can be done about that: where several callers take part, none
 * gets so many that nothing is left for who asked for it.
 */
function shares({ codeHash, askedBy = [] }: Otp, caller: string) {
  if (codeHash !== null) return { most: MAX_TRIES_IN_ALL, own: MAX_TRIES, strangers: MAX_TRIES_IN_ALL };
  const alone = askedBy.length < 2 && (askedBy.length === 0 || askedBy.includes(caller));
  return { most: MAX_TRIES, own: alone ? MAX_TRIES : 2, strangers: askedBy.length > 1 ? 1 : 2 };
}

interface Guess {
  otp: Otp;
  code: string;
  giveBack: Counts;
}

/** A guess that the provider could not judge costs no try. */
async function askProvider(provider: OtpProvider, { otp, code, giveBack }: Guess): Promise<boolean> {
  try {
    return await provider.check(otp.phone, code);
  } catch (error) {
    await Otps.updateOne({ phone: otp.phone, createdAt: otp.createdAt }, { $inc: giveBack });
    throw error;
  }
}

/** Who calls, as it is kept with the code: the same for one network, of no use to anyone else. */
function callerKey(deps: OtpDeps, caller: string): string {
  return createHmac('sha256', keyOf(deps)).update(`caller ${caller}`).digest('hex').slice(0, 20);
}

const keyOf = (deps: OtpDeps) =>
  Buffer.from(hkdfSync('sha256', deps.config.jwtSecret, '', 'one-time codes', 32));

/** Six digits are guessed in no time from a plain hash; the key, derived for this use alone, prevents it. */
function hashOf(deps: OtpDeps, phone: string, code: string): string {
  return createHmac('sha256', keyOf(deps)).update(`${phone} ${code}`).digest('hex');
}

function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
