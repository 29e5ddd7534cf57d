/**
 * Referral codes that the service reserved for this device, so that offline interviews can hand out coupons. A code
 * is taken in the same transaction that stores the finished interview, so none is handed out twice.
 */
import { randomId } from '../../device/random-id.ts';
import { isServiceReachable } from '../../device/signal.ts';
import { deviceDb } from '../../device/store/store.ts';
import { withTabLock } from '../../device/tab-lock.ts';
import { NoSignal, RequestRefusal, request } from '../../session/api.ts';

/** A day's worth. */
const STOCKED_INTERVIEWS = 15;
const MAX_AT_ONCE = 50;
/**
 * On a device where this person hasn't finished an interview lately. The service allows each person 100 unused codes,
 * enough for three such devices.
 */
const FIRST_STOCK_INTERVIEWS = 8;
const MAX_FIRST_STOCK = 32;
const BLOCKS_PATH = '/api/referral-codes/blocks';

export const freeCodesOf = (owner: string) => deviceDb.codes.where({ owner, state: 'free' });

/** Takes free codes for an interview. Call it inside the transaction that stores the interview. */
export async function takeCodes(owner: string, clientId: string, count: number): Promise<string[]> {
  const free = await freeCodesOf(owner).limit(count).toArray();
  for (const { code } of free) await deviceDb.codes.update(code, { state: 'given', clientId });
  return free.map(({ code }) => code);
}

export type RefillOutcome = 'enough' | 'refilled' | 'no-signal' | 'too-many' | 'refused';

/** Refills the block once the coupons of two interviews are used. */
export async function refillReservedCodes(
  owner: string,
  couponsPerSurvey: number,
  token: string,
): Promise<RefillOutcome> {
  const isInUse = (await deviceDb.outbox.where({ owner }).count()) > 0;
  const target = isInUse
    ? Math.min(couponsPerSurvey * STOCKED_INTERVIEWS, MAX_AT_ONCE)
    : Math.min(couponsPerSurvey * FIRST_STOCK_INTERVIEWS, MAX_FIRST_STOCK);
  const enough = target - 2 * couponsPerSurvey;
  if ((await freeCodesOf(owner).count()) > enough) return 'enough';
  if (!isServiceReachable.get()) return 'no-signal';
  return withTabLock(`refill-${owner}`, async () => {
    const freeCount = await freeCodesOf(owner).count();
    if (freeCount > enough || target <= freeCount) return 'enough';
    try {
      const outcome = await reserve(owner, target - freeCount, token);
      if (outcome !== 'too-many') return outcome;
      // Retries with what the limit leaves, after the codes on this person's other devices.
      const { codes, limit } = await request<Reserved>('GET', BLOCKS_PATH, { token });
      const room = Math.min(limit - codes.length, target - freeCount);
      return room > 0 ? await reserve(owner, room, token) : outcome;
    } catch (error) {
      if (error instanceof NoSignal) return 'no-signal';
      if (error instanceof RequestRefusal) return 'refused';
      throw error;
    }
  });
}

async function reserve(owner: string, count: number, token: string): Promise<RefillOutcome> {
  const blockRequest = await pendingBlockRequest(owner, count);
  try {
    const { codes } = await request<{ codes: string[] }>('POST', BLOCKS_PATH, { body: blockRequest, token });
    await storeReservedCodes(owner, blockRequest, codes);
    return 'refilled';
  } catch (error) {
    // The service created nothing for this request, so the next one may ask for a different number.
    if (error instanceof RequestRefusal && (error.status === 400 || error.status === 409))
      await deviceDb.kept.delete(refillKey(owner));
    if (error instanceof RequestRefusal && error.code === 'TOO_MANY_RESERVED') return 'too-many';
    throw error;
  }
}

interface Reserved {
  codes: string[];
  limit: number;
}

interface BlockRequest {
  requestId: string;
  count: number;
}

const refillKey = (owner: string) => `refill-${owner}`;

/**
 * The request is stored before it is sent and until its codes arrive. If the reply is lost, the same request is sent
 * again and returns the same codes, so that none is stranded on the service.
 */
function pendingBlockRequest(owner: string, count: number): Promise<BlockRequest> {
  return deviceDb.transaction('rw', deviceDb.kept, async () => {
    const before = (await deviceDb.kept.get(refillKey(owner)))?.value as BlockRequest | undefined;
    if (before) return before;
    const blockRequest = { requestId: randomId(), count };
    await deviceDb.kept.put({ key: refillKey(owner), value: blockRequest });
    return blockRequest;
  });
}

/** Adopts codes only once: a repeated reply could bring back codes that were already handed out. */
function storeReservedCodes(owner: string, blockRequest: BlockRequest, codes: string[]): Promise<void> {
  return deviceDb.transaction('rw', deviceDb.kept, deviceDb.codes, async () => {
    const now = (await deviceDb.kept.get(refillKey(owner)))?.value as BlockRequest | undefined;
    if (now?.requestId !== blockRequest.requestId) return;
    await deviceDb.codes.bulkAdd(
      codes.map((code) => ({ code, owner, state: 'free' as const, clientId: null })),
    );
    await deviceDb.kept.delete(refillKey(owner));
  });
}

/**
 * Drops free codes that the service hasn't reserved for this person, which happens after it was restored from an
 * older backup.
 */
export async function dropStaleCodesFromDevice(owner: string): Promise<void> {
  await withTabLock(`refill-${owner}`, async () => {
    const { codes } = await request<Reserved>('GET', BLOCKS_PATH);
    await freeCodesOf(owner)
      .filter(({ code }) => !codes.includes(code))
      .delete();
  });
}

/**
 * Codes reserved for this person that aren't on this device: they are on another one, or were lost when one was
 * cleared. May include those of a refill that is still waiting for its reply.
 */
export async function reservedCodesNotOnDevice(owner: string): Promise<string[]> {
  const { codes } = await request<Reserved>('GET', BLOCKS_PATH);
  const here = await deviceDb.codes.bulkGet(codes);
  const drafts = await deviceDb.drafts.where({ owner }).toArray();
  const rows = await deviceDb.outbox.where({ owner }).toArray();
  const usedCodes = new Set([...drafts, ...rows].flatMap((one) => one.issuedCodes ?? []));
  return codes.filter((code, index) => !here[index] && !usedCodes.has(code));
}

/** The codes no longer count toward the person's limit. They aren't voided: someone may hold one. */
export async function giveUpCodes(codes: string[]): Promise<void> {
  await request('POST', `${BLOCKS_PATH}/give-up`, { body: { codes } });
}
