/** Rules for one code, tested without a route: its validity, voiding it, and creating one that already exists. */
import { randomBytes } from 'node:crypto';
import { checkCode, codeFault } from '../../src/coupons/referral-codes/check.ts';
import { generateCode } from '../../src/coupons/referral-codes/code.ts';
import {
  createCodesInTransaction,
  newReferralCodeRecord,
  retryUntilUnique,
  storeCodes,
} from '../../src/coupons/referral-codes/issue.ts';
import {
  codeStateAt,
  type ReferralCodeRecord,
  ReferralCodes,
} from '../../src/coupons/referral-codes/model.ts';
import { voidCode } from '../../src/coupons/referral-codes/void.ts';
import { runDry } from '../../src/platform/db/transaction.ts';
import {
  closeDatabase,
  codeOf,
  eventsOf,
  HOUR,
  later,
  ME,
  NOW,
  newId,
  openDatabase,
  storedCode,
} from '../database.ts';

const by = { by: ME, now: NOW };
type State = ReferralCodeRecord['state'];

beforeAll(openDatabase);
afterAll(closeDatabase);

describe('a code at a given time', () => {
  const dates = { validFrom: null, expiresAt: null };
  test.each<[string, State, Partial<ReferralCodeRecord>, string | null]>([
    ['is live is good', 'LIVE', {}, null],
    ['is reserved is good, since the phone that handed it out may still be offline', 'RESERVED', {}, null],
    ['is void is VOID, whatever its dates', 'VOID', { expiresAt: NOW, validFrom: later(1) }, 'VOID'],
    ['is used is USED, whatever its dates', 'USED', { expiresAt: NOW, validFrom: later(1) }, 'USED'],
    ['is EXPIRED from its last instant on', 'LIVE', { expiresAt: NOW }, 'EXPIRED'],
    ['is good until just before', 'LIVE', { expiresAt: later(1) }, null],
    ['is NOT_YET until just before its first instant', 'LIVE', { validFrom: later(1) }, 'NOT_YET'],
    ['is good from its first instant on', 'LIVE', { validFrom: NOW }, null],
    ['is EXPIRED before it is NOT_YET', 'LIVE', { expiresAt: NOW, validFrom: later(1) }, 'EXPIRED'],
  ])('that %s', (_title, state, fields, fault) => {
    expect(codeFault({ ...dates, state, ...fields }, NOW)).toBe(fault);
  });

  test('that was never created is UNKNOWN', () => {
    expect(codeFault(null, NOW)).toBe('UNKNOWN');
  });

  test.each<[State, Date | null, string]>([
    ['LIVE', null, 'LIVE'],
    ['LIVE', later(1), 'LIVE'],
    ['LIVE', NOW, 'EXPIRED'],
    ['USED', NOW, 'USED'],
    ['RESERVED', NOW, 'RESERVED'],
    ['VOID', NOW, 'VOID'],
  ])('that is stored as %s and ends at %s is shown as %s', (state, expiresAt, expected) => {
    expect(codeStateAt({ state, expiresAt }, NOW, [])).toBe(expected);
  });

  test('is validated as stored, and each reason has its own message', async () => {
    const live = await storedCode();
    const verdicts = await Promise.all([
      checkCode('nonsense', NOW),
      checkCode(generateCode(randomBytes), NOW),
      ...[
        { state: 'USED' as const },
        { state: 'VOID' as const },
        { expiresAt: NOW },
        { validFrom: later(1) },
      ].map(async (fields) => checkCode((await storedCode(fields)).code, NOW)),
      checkCode(` ${live.code.toLowerCase()} `, NOW),
    ]);
    const reasons = ['MALFORMED', 'UNKNOWN', 'USED', 'VOID', 'EXPIRED', 'NOT_YET', null];
    expect(verdicts.map((one) => one.reason)).toEqual(reasons);
    expect(verdicts.map((one) => one.isValid)).toEqual(reasons.map((reason) => reason === null));
    expect(new Set(verdicts.map((one) => one.message)).size).toBe(reasons.length);
    expect(verdicts.at(-1)?.message).toBe('This coupon is valid.');
    expect([verdicts[0]?.code, verdicts.at(-1)?.code]).toEqual(['nonsense', live.code]);
  });

  test.each([
    ['xx', 'it has 2 characters in place of 8'],
    ['ABCD-EFGC-2', 'it has 9 characters in place of 8'],
    ['ABCD-EFGG', 'a character is wrong or out of place'],
  ])('that is malformed gets a message saying why: %s', async (text, words) => {
    const verdict = await checkCode(text, NOW);
    expect([verdict.reason, verdict.message]).toEqual(['MALFORMED', expect.stringContaining(words)]);
  });
});

describe('voiding a code', () => {
  test.each<State>(['LIVE', 'RESERVED'])('that is %s records who, when and why', async (state) => {
    const { _id, code } = await storedCode({ state });
    const voided = { state: 'VOID', voidedAt: NOW, voidReason: 'torn' };
    expect(await voidCode(code, 'torn', by)).toMatchObject({ code, ...voided });
    expect(await codeOf(code)).toMatchObject(voided);
    const changes = [{ path: 'state', before: state, after: 'VOID: torn' }];
    const event = { by: ME, action: 'update', subject: 'ReferralCode', changes, createdAt: NOW };
    expect(await eventsOf(_id)).toEqual([expect.objectContaining(event)]);
  });

  test('again keeps the first reason and adds no event', async () => {
    const { _id, code } = await storedCode();
    await voidCode(code, 'first', by);
    expect(await voidCode(code, 'second', { by: newId(), now: later(HOUR) })).toMatchObject({
      state: 'VOID',
      voidReason: 'first',
      voidedAt: NOW,
    });
    expect(await eventsOf(_id)).toHaveLength(1);
  });

  test('is rejected if it is used or unknown', async () => {
    const { code } = await storedCode({ state: 'USED' });
    await expect(voidCode(code, 'x', by)).rejects.toMatchObject({ name: 'REFERRAL_CODE_USED' });
    expect(await codeOf(code)).toMatchObject({ state: 'USED', voidReason: null });
    await expect(voidCode(generateCode(randomBytes), 'x', by)).rejects.toMatchObject({ name: 'NOT_FOUND' });
  });

  test('in a dry run changes nothing', async () => {
    const { _id, code } = await storedCode();
    await runDry(() => voidCode(code, 'x', by));
    expect(await codeOf(code)).toMatchObject({ state: 'LIVE', voidReason: null });
    expect(await eventsOf(_id)).toEqual([]);
  });
});

describe('a new code', () => {
  test('has no owner and no dates, and differs from the previous one', () => {
    const code = newReferralCodeRecord({ state: 'RESERVED' }, NOW);
    const { _id, code: text, state, createdAt, ...rest } = code;
    expect([text, state, createdAt]).toEqual([
      expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/),
      'RESERVED',
      NOW,
    ]);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
    const other = newReferralCodeRecord({ state: 'RESERVED' }, NOW);
    expect([other.code === text, other._id.equals(_id)]).toEqual([false, false]);
  });

  test('that already exists is generated again, and its whole transaction is retried', async () => {
    const existingCode = await storedCode();
    let tries = 0;
    const code = await createCodesInTransaction(async (session) => {
      tries++;
      const code = newReferralCodeRecord({ state: 'LIVE' }, NOW);
      await storeCodes(session, [
        code,
        tries < 3 ? { ...existingCode, _id: newId() } : newReferralCodeRecord({ state: 'LIVE' }, NOW),
      ]);
      return code.code;
    });
    expect(tries).toBe(3);
    expect(await codeOf(code)).not.toBeNull();
  });

  test('is retried six times at most', async () => {
    const existingCode = await storedCode();
    let tries = 0;
    const again = createCodesInTransaction(async (session) => {
      if (++tries > 20) throw new Error('without end');
      await storeCodes(session, [{ ...existingCode, _id: newId() }]);
    });
    await expect(again).rejects.toThrow(/code_once/);
    expect(tries).toBe(6);
  });

  test('is not retried after any other error', async () => {
    const existingCode = await storedCode();
    let tries = 0;
    for (const fault of [
      () => ReferralCodes.collection.insertOne({ ...existingCode, code: generateCode(randomBytes) }),
      () => Promise.reject(new Error('no paper')),
    ]) {
      tries = 0;
      const once = retryUntilUnique(async () => {
        if (++tries > 20) throw new Error('without end');
        return await fault();
      });
      await expect(once).rejects.toThrow(/_id_|no paper/);
      expect(tries).toBe(1);
    }
  });

  test('storing an empty list of codes does nothing', async () => {
    await expect(createCodesInTransaction((session) => storeCodes(session, []))).resolves.toBeUndefined();
  });
});
