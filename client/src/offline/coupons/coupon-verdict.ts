/** Checks whether a referral code is valid, online or offline. */
import { parseCode } from '../../../../src/coupons/referral-codes/code.ts';
import { callAfter } from '../../device/clock.ts';
import { isServiceReachable } from '../../device/signal.ts';
import { type CouponVerdictKind, deviceDb } from '../../device/store/store.ts';
import { NoSignal, RequestRefusal, request } from '../../session/api.ts';
import type { CodeFault, CodeVerdict } from '../../wire.ts';

export interface CouponVerdict {
  kind: CouponVerdictKind;
  code: string;
}

const VERDICT_OF_FAULT: Record<CodeFault, CouponVerdictKind> = {
  MALFORMED: 'malformed',
  UNKNOWN: 'unknown',
  USED: 'used',
  VOID: 'void',
  EXPIRED: 'expired',
  NOT_YET: 'not-yet',
};

/** After 5 seconds without a reply the code counts as unchecked, and the interview may start. */
const UNCHECKED_AFTER_MS = 5_000;
/** Long enough for a slow connection. */
const TIMEOUT_MS = 120_000;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;

/** Whether the code is in one of this person's interviews, or in another person's finished, unsent one. */
async function isUsedHere(owner: string, referralCode: string): Promise<boolean> {
  const mine = { owner, referralCode };
  if ((await deviceDb.drafts.where(mine).count()) + (await deviceDb.outbox.where(mine).count()) > 0)
    return true;
  // Of other people's rows, only the indexes are read.
  const unsent = new Set<unknown>();
  await deviceDb.outbox.orderBy('[owner+referralCode]').eachKey((key, { primaryKey }) => {
    if ((key as unknown as string[])[1] === referralCode) unsent.add(primaryKey);
  });
  await deviceDb.outbox.orderBy('[owner+state]').eachKey((key, { primaryKey }) => {
    if ((key as unknown as string[])[1] === 'sent') unsent.delete(primaryKey);
  });
  return unsent.size > 0;
}

export interface CouponVerdictOptions {
  /** Set for the interview that uses this code, so that it doesn't count as used on this phone. */
  isOwnInterview?: boolean;
}

/**
 * Calls `onVerdict` with what is known about a code, until the service has decided. Without a reply, the code counts
 * as unchecked after five seconds, and the service is asked again as soon as it can be reached. Returns a function
 * that stops this.
 */
export function watchCouponVerdict(
  owner: string,
  text: string,
  onVerdict: (verdict: CouponVerdict) => void,
  { isOwnInterview = false }: CouponVerdictOptions = {},
): () => void {
  const code = parseCode(text);
  if (!code) {
    onVerdict({ kind: 'malformed', code: text });
    return () => undefined;
  }
  const stopping = new AbortController();
  const say = (kind: CouponVerdictKind) => {
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

/** The verdict, or how long to wait before asking again, in milliseconds. */
async function askService(code: string): Promise<CouponVerdictKind | { retryAfter: number }> {
  try {
    const path = `/api/validate-referral-code/${code}`;
    const reply = await request<CodeVerdict>('GET', path, { timeoutMs: TIMEOUT_MS });
    return reply.isValid ? 'good' : VERDICT_OF_FAULT[reply.reason ?? 'UNKNOWN'];
  } catch (error) {
    if (error instanceof RequestRefusal && error.retryAfter) return { retryAfter: error.retryAfter * 1000 };
    if (error instanceof RequestRefusal || error instanceof NoSignal) return { retryAfter: 0 };
    // The person left, so no one waits for a verdict.
    return { retryAfter: LONGEST_RETRY_MS };
  }
}

/** Resolves after this time, or as soon as the service can be reached again. */
function untilReachable(wait: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unwatch();
      stopped.removeEventListener('abort', end);
      resolve();
    };
    const timer = callAfter(wait, end);
    const unwatch = isServiceReachable.watch(() => isServiceReachable.get() && end());
    stopped.addEventListener('abort', end);
  });
}

/** Extracts the code from scanned text: a coupon's link or the bare code. */
export function codeInScan(text: string): string {
  const path = /\/c\/([^/?#]+)/.exec(text)?.[1];
  return path ? decodeURIComponent(path) : text;
}
