/** What to think of a referral code, with or without a signal. */
import { parseCode } from '../../../src/referral-codes/code.ts';
import { NoSignal, Refusal, request } from '../api.ts';
import type { CodeReason, CodeReply } from '../wire.ts';
import { db } from './store.ts';

export type VerdictKind =
  | 'good'
  /** Well formed, but the service is out of reach. */
  | 'unchecked'
  /** In an interview on this device. */
  | 'used-here'
  | 'malformed'
  | 'unknown'
  | 'used'
  | 'void'
  | 'expired'
  | 'not-yet';

export interface Verdict {
  kind: VerdictKind;
  code: string;
}

const OF_REASON: Record<CodeReason, VerdictKind> = {
  MALFORMED: 'malformed',
  UNKNOWN: 'unknown',
  USED: 'used',
  VOID: 'void',
  EXPIRED: 'expired',
  NOT_YET: 'not-yet',
};

/** Whoever waits in the rain is not kept waiting for a verdict. */
const PATIENCE = 5_000;

export async function verdictOn(owner: string, text: string): Promise<Verdict> {
  const code = parseCode(text);
  if (!code) return { kind: 'malformed', code: text };
  const here = { owner, referralCode: code };
  if ((await db.drafts.where(here).count()) + (await db.outbox.where(here).count()) > 0) {
    return { kind: 'used-here', code };
  }
  try {
    const path = `/api/validate-referral-code/${code}`;
    const reply = await request<CodeReply>('GET', path, { patience: PATIENCE });
    return { kind: reply.isValid ? 'good' : OF_REASON[reply.reason ?? 'UNKNOWN'], code };
  } catch (error) {
    if (error instanceof NoSignal || error instanceof Refusal) return { kind: 'unchecked', code };
    throw error;
  }
}

/** An interview can start with this code; a fault that shows later is flagged, and the interview kept. */
export const mayStart = (verdict: Verdict): boolean =>
  verdict.kind === 'good' || verdict.kind === 'unchecked';

/** The code in what a camera read: a coupon's link or the bare code. */
export function codeInScan(text: string): string {
  const path = /\/c\/([^/?#]+)/.exec(text)?.[1];
  return path ? decodeURIComponent(path) : text;
}
