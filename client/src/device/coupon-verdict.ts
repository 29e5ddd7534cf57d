/** Decides whether a referral code is valid, online or offline. */
import { parseCode } from '../../../src/referral-codes/code.ts';
import { NoSignal, Refusal, request } from '../api.ts';
import type { CodeFault, CodeVerdict } from '../wire.ts';
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

const OF_REASON: Record<CodeFault, VerdictKind> = {
  MALFORMED: 'malformed',
  UNKNOWN: 'unknown',
  USED: 'used',
  VOID: 'void',
  EXPIRED: 'expired',
  NOT_YET: 'not-yet',
};

/** Whoever waits in the rain is not kept waiting for a verdict. */
const PATIENCE = 5_000;

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

export async function verdictOn(owner: string, text: string): Promise<Verdict> {
  const code = parseCode(text);
  if (!code) return { kind: 'malformed', code: text };
  if (await isUsedHere(owner, code)) return { kind: 'used-here', code };
  try {
    const path = `/api/validate-referral-code/${code}`;
    const reply = await request<CodeVerdict>('GET', path, { patience: PATIENCE });
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
