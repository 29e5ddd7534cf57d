/**
 * One-time codes by text message: a phone has at most one live code, good for 10 minutes, 5 tries and one use.
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

export interface OtpProvider {
  readonly name: 'console' | 'twilio';
  /**
   * Sends a code to the phone, a fresh one also where `again` says that an earlier one may still live. Answers the
   * code where this service makes it itself, null where the provider keeps it. Throws VALIDATION_ERROR (path phone),
   * RATE_LIMITED or UNAVAILABLE.
   */
  send(phone: string, again: boolean): Promise<string | null>;
  /** Asks the provider whether the code is right; only called where `send` answered null. */
  check(phone: string, code: string): Promise<boolean>;
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

/** Sends a new code, which ends the old one. */
export async function sendCode(deps: OtpDeps, phone: string): Promise<void> {
  const now = deps.now();
  const heldByProvider = await Otps.exists({ phone, codeHash: null, expiresAt: { $gt: now } });
  const code = await deps.otp.send(phone, heldByProvider !== null);
  await Otps.updateOne(
    { phone },
    {
      codeHash: code === null ? null : hashOf(deps, phone, code),
      tries: 0,
      createdAt: now,
      expiresAt: new Date(now.getTime() + LIFE_MS),
    },
    { upsert: true },
  );
}

/** Throws OTP_INVALID unless the code is right. A right code costs no try and stays good until it is consumed. */
export async function verifyCode(deps: OtpDeps, phone: string, code: string): Promise<VerifiedCode> {
  const otp = await takeTry(phone, deps.now());
  if (!otp) throw problem('OTP_INVALID');
  const codeHash = hashOf(deps, phone, code);
  const right =
    otp.codeHash === null ? await askProvider(deps.otp, otp, code) : sameHash(otp.codeHash, codeHash);
  if (!right) throw problem('OTP_INVALID');
  await Otps.updateOne(
    { phone, codeHash: otp.codeHash, createdAt: otp.createdAt },
    { $set: { codeHash }, $inc: { tries: -1 } },
  );
  return {
    async consume(session) {
      const { deletedCount } = await Otps.deleteOne({ phone, codeHash }, session ? { session } : {});
      if (deletedCount !== 1) throw problem('OTP_INVALID');
    },
  };
}

/** Takes the try before the guess is looked at, so that parallel guesses don't get more than five. */
function takeTry(phone: string, now: Date): Promise<Otp | null> {
  return Otps.findOneAndUpdate(
    { phone, tries: { $lt: MAX_TRIES }, expiresAt: { $gt: now } },
    { $inc: { tries: 1 } },
  )
    .lean<Otp>()
    .exec();
}

/** A guess that the provider could not judge costs no try. */
async function askProvider(provider: OtpProvider, otp: Otp, code: string): Promise<boolean> {
  try {
    return await provider.check(otp.phone, code);
  } catch (error) {
    await Otps.updateOne({ phone: otp.phone, createdAt: otp.createdAt }, { $inc: { tries: -1 } });
    throw error;
  }
}

/** Six digits are guessed in no time from a plain hash; the key, derived for this use alone, prevents it. */
function hashOf(deps: OtpDeps, phone: string, code: string): string {
  const key = Buffer.from(hkdfSync('sha256', deps.config.jwtSecret, '', 'one-time codes', 32));
  return createHmac('sha256', key).update(`${phone} ${code}`).digest('hex');
}

function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
