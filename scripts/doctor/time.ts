/**
 * Whether this machine's clock is right, where the database's is the same one: compared with Twilio's, by the Date of any of its
 * replies, else by what the system says of its synchronization.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Config } from '../../src/platform/config.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const PATIENCE_MS = 5_000;
/** A Date has whole seconds, and a reply may take some. */
const [LOOK_MS, WRONG_MS] = [15_000, 60_000];
const SYNC_FIX = 'Run: sudo timedatectl set-ntp true, and check with: timedatectl timesync-status';
const TWILIO = 'https://verify.twilio.com';

export async function examineTime({ otp }: Pick<Config, 'otp'>): Promise<Finding[]> {
  if (otp.provider === 'twilio') {
    const offsetMs = await offsetTo(otp.baseUrl ?? TWILIO);
    if (offsetMs !== null) return [assess(offsetMs)];
  }
  return (await isSynchronized()) === false
    ? [warning('It is not synchronized with any time server.', SYNC_FIX)]
    : [];
}

function assess(offsetMs: number): Finding {
  if (Math.abs(offsetMs) < LOOK_MS) return ok('as Twilio’s');
  const text = `It is ${wordsFor(Math.abs(offsetMs))} ${offsetMs > 0 ? 'ahead of' : 'behind'} Twilio’s.`;
  return Math.abs(offsetMs) < WRONG_MS ? warning(text, SYNC_FIX) : failure(text, SYNC_FIX);
}

function wordsFor(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
}

/** How far this clock is ahead, in milliseconds; null if there is no reply. */
async function offsetTo(url: string): Promise<number | null> {
  const startedAt = Date.now();
  const reply = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
    () => null,
  );
  const theirs = Date.parse(reply?.headers.get('date') ?? '');
  return Number.isNaN(theirs) ? null : (startedAt + Date.now()) / 2 - theirs;
}

/** Undefined where the system doesn't say. */
async function isSynchronized(): Promise<boolean | undefined> {
  const output = await promisify(execFile)('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
    timeout: PATIENCE_MS,
  }).catch(() => null);
  return output ? output.stdout.trim() === 'yes' : undefined;
}
