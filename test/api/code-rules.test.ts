/** Rules for one code, tested without a route: its validity, voiding it, and creating one that already exists. */
import { randomBytes } from 'node:crypto';
import {
  circulatingSince,
  codeFault,
  findRecordIdsOfCode,
  findTypedCoupon,
  timeForCouponCheck,
  verdictOnCoupon,
} from '../../src/coupons/referral-codes/check.ts';
import { generateCode } from '../../src/coupons/referral-codes/code.ts';
import {
  inTransactionUntilUnique,
  newReferralCodeRecord,
  retryUntilUnique,
  storeCodes,
} from '../../src/coupons/referral-codes/issue.ts';
import {
  CodeBatchModel,
  codeStateAt,
  findCode,
  ReferralCodeModel,
  type ReferralCodeRecord,
} from '../../src/coupons/referral-codes/model.ts';
import { voidCode } from '../../src/coupons/referral-codes/void.ts';
import { inTransaction, runDry } from '../../src/platform/db/transaction.ts';
import {
  closeDatabase,
  codeOf,
  eventsOf,
  HERE,
  HOUR,
  later,
  ME,
  NOW,
  newId,
  openDatabase,
  storedClosedRound,
  storedCode,
} from '../database.ts';

const by = { by: ME, now: NOW };
type State = ReferralCodeRecord['state'];

const checkCode = async (text: string, now: Date) => verdictOnCoupon(await findTypedCoupon(text), now);

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

  test('of a closed round is EXPIRED', async () => {
    const { code } = await storedCode({ round: await storedClosedRound() });
    expect(await checkCode(code, NOW)).toMatchObject({ isValid: false, reason: 'EXPIRED' });
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

describe('the time for which a coupon is checked', () => {
  const DAY = 24 * HOUR;
  type Dates = Parameters<typeof timeForCouponCheck>[0];
  const created: Dates = { createdAt: later(-9 * DAY), redeemedAt: null, validFrom: null };

  test.each<[string, Partial<Dates>, number]>([
    ['since it was created', {}, -9],
    ['since it was handed out', { handedOutAt: later(-5 * DAY) }, -5],
    ['since it was handed out, if redeemed later', { handedOutAt: later(-5 * DAY), redeemedAt: NOW }, -5],
    ['since it was redeemed, if that was earlier', { redeemedAt: later(-10 * DAY) }, -10],
  ])('is never before someone can have had it: %s', (_title, fields, days) => {
    expect(circulatingSince({ ...created, ...fields })).toEqual(later(days * DAY));
  });

  const validFrom = later(-2 * DAY);
  test.each<[string, number, boolean, object, number]>([
    ['the start of the interview', -3, false, {}, -3],
    ['the start of the interview, also by a wrong clock', -3, true, { validFrom }, -3],
    ['when it was created, if the interview began before', -20, false, { validFrom }, -9],
    [
      'when it became valid, if a wrong clock says that the interview began before it existed',
      -20,
      true,
      { validFrom },
      -2,
    ],
    ['when it was created, if it is valid at once', -20, true, {}, -9],
    ['its creation itself, by a wrong clock that says exactly that', -9, true, { validFrom }, -9],
    ['now, if the interview began later', 5, false, {}, 0],
  ])('is %s', (_title, startDays, isClockOdd, fields, days) => {
    const startedAt = later(startDays * DAY);
    expect(timeForCouponCheck({ ...created, ...fields }, { startedAt, isClockOdd }, NOW)).toEqual(
      later(days * DAY),
    );
  });
});

test('the records of a coupon are itself and those that it refers to; an unknown one has none', async () => {
  const [seed, survey, redeemedBy] = [newId(), newId(), newId()];
  const full = await storedCode({ seed, survey, redeemedBy });
  expect(await findRecordIdsOfCode(` ${full.code.toLowerCase()}`)).toEqual([
    full._id,
    seed,
    survey,
    redeemedBy,
  ]);
  const { _id, code } = await storedCode({ seed });
  expect(await findRecordIdsOfCode(code)).toEqual([_id, seed]);
  expect(await findRecordIdsOfCode('nonsense')).toEqual([]);
  expect(await findRecordIdsOfCode(generateCode(randomBytes))).toEqual([]);
});

test('a transaction sees the code as it has changed it; everyone else sees it as it was', async () => {
  const [{ code }] = [await storedCode(), await storedCode()];
  await inTransaction(async (session) => {
    await ReferralCodeModel.updateOne({ code }, { $set: { state: 'USED' } }).session(session);
    const states = [await findCode(code, session), await findCode(code)].map((one) => one?.state);
    expect(states).toEqual(['USED', 'LIVE']);
    expect(await findCode(generateCode(randomBytes), session)).toBeNull();
  });
  expect(await findCode(generateCode(randomBytes))).toBeNull();
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

  test('is recorded at the code’s site, or at its batch’s', async () => {
    const [box, atSite] = [newId(), newId()];
    await CodeBatchModel.collection.insertOne({
      ...{ _id: box, count: 1, location: HERE, note: null, createdBy: ME, createdAt: NOW },
    });
    const sites = [{ location: atSite, batch: box }, { batch: box }, { batch: newId() }, {}];
    const locations = [];
    for (const fields of sites) {
      const { _id, code } = await storedCode(fields);
      await voidCode(code, 'torn', by);
      locations.push(...(await eventsOf(_id)).map(({ location }) => location ?? null));
    }
    expect(locations).toEqual([atSite, HERE, null, null]);
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
    const code = await inTransactionUntilUnique(async (session) => {
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

  test('is stored with the change of the coupon that it was issued for, or again if that coupon has changed', async () => {
    const coupon = await storedCode();
    const [code, other] = [
      newReferralCodeRecord({ state: 'LIVE' }, NOW),
      newReferralCodeRecord({ state: 'LIVE' }, NOW),
    ];
    const firsts: boolean[] = [];
    await inTransactionUntilUnique(async (session, isFirst) => {
      firsts.push(isFirst);
      // The coupon was read in another state at first.
      const filter = { _id: coupon._id, state: isFirst ? ('RESERVED' as const) : ('LIVE' as const) };
      await storeCodes(session, [code, other], {
        updateOne: { filter, update: { $set: { state: 'USED' } } },
      });
    });
    expect(firsts).toEqual([true, false]);
    expect(await codeOf(coupon.code)).toMatchObject({ _id: coupon._id, state: 'USED' });
    expect(await Promise.all([code, other].map((one) => codeOf(one.code)))).toMatchObject([code, other]);
  });

  test('is not stored if the change of its coupon is rolled back', async () => {
    const coupon = await storedCode();
    const code = newReferralCodeRecord({ state: 'LIVE' }, NOW);
    const taking = {
      updateOne: { filter: { _id: coupon._id }, update: { $set: { state: 'USED' as const } } },
    };
    await runDry(() => inTransactionUntilUnique((session) => storeCodes(session, [code], taking)));
    expect(await codeOf(code.code)).toBeNull();
    expect(await codeOf(coupon.code)).toMatchObject({ state: 'LIVE' });
  });

  test('is retried six times at most', async () => {
    const existingCode = await storedCode();
    let tries = 0;
    const again = inTransactionUntilUnique(async (session) => {
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
      () => ReferralCodeModel.collection.insertOne({ ...existingCode, code: generateCode(randomBytes) }),
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
    await expect(inTransactionUntilUnique((session) => storeCodes(session, []))).resolves.toBeUndefined();
  });
});
