/** Decides whether a referral code is valid, online or offline. */
import { parseCode } from '../../../../src/coupons/referral-codes/code.ts';
import { callAfter } from '../../device/clock.ts';
import { hasSignal } from '../../device/signal.ts';
import { db, type VerdictKind } from '../../device/store/store.ts';
import { NoSignal, Refusal, request } from '../../session/api.ts';
import type { CodeFault, CodeVerdict } from '../../wire.ts';

export interface CouponVerdict {
  kind: VerdictKind;
  code: string;
}

const OF_REASON: Record<CodeFault, VerdictKind> = {
  MALFORMED: 'malformed',
  UNKNOWN: 'unknown',
  USED: 'used',
  VOID: 'void',
  EXPIRED: 'expired',
  NOT_YET: 'not-yet',
};

/** After this an interview may start with a code that the service has not answered for yet. */
const UNCHECKED_AFTER_MS = 5_000;
/** A slow line may take this long for one answer. */
const TIMEOUT_MS = 120_000;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;

/** By an interview of one's own, or by a finished one of another person that the service does not know yet. */
async function isUsedHere(owner: string, referralCode: string): Promise<boolean> {
  const mine = { owner, referralCode };
  if ((await db.drafts.where(mine).count()) + (await db.outbox.where(mine).count()) > 0) return true;
  // Of other people's the indexes alone are read.
  const unsent = new Set<unknown>();
  await db.outbox.orderBy('[owner+referralCode]').eachKey((key, { primaryKey }) => {
    if ((key as unknown as string[])[1] === referralCode) unsent.add(primaryKey);
  });
  await db.outbox.orderBy('[owner+state]').eachKey((key, { primaryKey }) => {
    if ((key as unknown as string[])[1] === 'sent') unsent.delete(primaryKey);
  });
  return unsent.size > 0;
}

export interface VerdictOptions {
  /** The interview with this code is under way, so it is no wonder that this phone knows the code. */
  isOwnInterview?: boolean;
}

/**
 * Calls `onVerdict` with what is known about a code, until the service has decided. While it has not, the code counts as
 * unchecked after five seconds, and the service is asked again as soon as it can be reached. Returns what stops it.
 */
export function followVerdict(
  owner: string,
  text: string,
  onVerdict: (verdict: CouponVerdict) => void,
  { isOwnInterview = false }: VerdictOptions = {},
): () => void {
  const code = parseCode(text);
  if (!code) {
    onVerdict({ kind: 'malformed', code: text });
    return () => undefined;
  }
  const stopping = new AbortController();
  const say = (kind: VerdictKind) => {
    if (!stopping.signal.aborted) onVerdict({ kind, code });
  };
  const follow = async () => {
    if (!isOwnInterview && (await isUsedHere(owner, code).catch(() => false))) return say('used-here');
    const patience = setTimeout(() => say('unchecked'), UNCHECKED_AFTER_MS);
    for (
      let retry = FIRST_RETRY_MS;
      !stopping.signal.aborted;
      retry = Math.min(retry * 2, LONGEST_RETRY_MS)
    ) {
      const answer = await askService(code);
      if (typeof answer === 'string') {
        clearTimeout(patience);
        return say(answer);
      }
      say('unchecked');
      await untilReachable(Math.max(retry, answer.retryAfter), stopping.signal);
    }
    clearTimeout(patience);
  };
  void follow();
  return () => stopping.abort();
}

/** The verdict, or how long the service wants to be left alone. */
async function askService(code: string): Promise<VerdictKind | { retryAfter: number }> {
  try {
    const path = `/api/validate-referral-code/${code}`;
    const reply = await request<CodeVerdict>('GET', path, { patience: TIMEOUT_MS });
    return reply.isValid ? 'good' : OF_REASON[reply.reason ?? 'UNKNOWN'];
  } catch (error) {
    if (error instanceof Refusal && error.retryAfter) return { retryAfter: error.retryAfter * 1000 };
    if (error instanceof Refusal || error instanceof NoSignal) return { retryAfter: 0 };
    // The person has left: nobody waits for an answer any more.
    return { retryAfter: LONGEST_RETRY_MS };
  }
}

/** Ends after this time, or at once when the signal is back. */
function untilReachable(wait: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unwatch();
      stopped.removeEventListener('abort', end);
      resolve();
    };
    const timer = callAfter(wait, end);
    const unwatch = hasSignal.watch(() => hasSignal.get() && end());
    stopped.addEventListener('abort', end);
  });
}

/** The code in what a camera read: a coupon's link or the bare code. */
export function codeInScan(text: string): string {
  const path = /\/c\/([^/?#]+)/.exec(text)?.[1];
  return path ? decodeURIComponent(path) : text;
}
