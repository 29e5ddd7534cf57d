/**
 * Referral codes that the service reserved for this device, so that an interview held without a signal can hand out
 * coupons. A code leaves the block in the transaction that stores the finished interview: none is handed out twice.
 */
import { NoSignal, Refusal, request } from '../api.ts';
import { signal } from './signal.ts';
import { db } from './store.ts';

const INTERVIEWS_AHEAD = 5;
const MOST_AT_ONCE = 50;

export const freeCodes = (owner: string) => db.codes.where({ owner, state: 'free' });

/** Takes free codes for an interview; called inside the transaction that stores it. */
export async function takeCodes(owner: string, clientId: string, count: number): Promise<string[]> {
  const free = await freeCodes(owner).limit(count).toArray();
  for (const { code } of free) await db.codes.update(code, { state: 'given', clientId });
  return free.map(({ code }) => code);
}

export type RefillOutcome = 'enough' | 'refilled' | 'no-signal' | 'too-many' | 'refused';

/** Fills the block up once fewer than three interviews' coupons are left. */
export async function refill(owner: string, couponsPerSurvey: number): Promise<RefillOutcome> {
  const wanted = Math.min(couponsPerSurvey * INTERVIEWS_AHEAD, MOST_AT_ONCE);
  if ((await freeCodes(owner).count()) > couponsPerSurvey * (INTERVIEWS_AHEAD - 2)) return 'enough';
  if (!signal.get()) return 'no-signal';
  return exclusively(`refill-${owner}`, async () => {
    const left = await freeCodes(owner).count();
    if (left > couponsPerSurvey * (INTERVIEWS_AHEAD - 2)) return 'enough';
    try {
      const body = { count: wanted - left };
      const { codes } = await request<{ codes: string[] }>('POST', '/api/referral-codes/blocks', { body });
      await db.codes.bulkAdd(codes.map((code) => ({ code, owner, state: 'free' as const, clientId: null })));
      return 'refilled';
    } catch (error) {
      if (error instanceof NoSignal) return 'no-signal';
      if (error instanceof Refusal) return error.code === 'TOO_MANY_RESERVED' ? 'too-many' : 'refused';
      throw error;
    }
  });
}

/** One tab at a time. Where the browser has no locks (plain http), the tabs of one device are not kept apart. */
export function exclusively<T>(name: string, act: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(name, act) : act();
}
