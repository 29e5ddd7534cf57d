/** Where an interview belongs in the recruitment tree, decided without a route: by its coupon, or as a walk-in. */
import { randomBytes } from 'node:crypto';
import { generateCode } from '../../src/coupons/referral-codes/code.ts';
import { type CouponUpdate, storeCodes } from '../../src/coupons/referral-codes/issue.ts';
import { ReferralCodeModel, type ReferralCodeRecord } from '../../src/coupons/referral-codes/model.ts';
import { SeedModel } from '../../src/coupons/seeds/model.ts';
import { type FlagRecord, SurveyModel, type SurveyRecord } from '../../src/interviews/surveys/model.ts';
import {
  redeemCoupon,
  resolveRecruitment,
  roundByDate,
} from '../../src/interviews/surveys/submit/redeem-coupon.ts';
import { inTransaction } from '../../src/platform/db/transaction.ts';
import {
  closeDatabase,
  codeOf,
  HERE,
  HOUR,
  later,
  ME,
  NOW,
  newId,
  openDatabase,
  setState,
  storedCode,
  storedSurvey,
} from '../database.ts';

const DAY = 24 * HOUR;
/** The first round is closed; for five days none was open. */
const CLOSED = { _id: newId(), openedAt: later(-30 * DAY), closedAt: later(-10 * DAY) };
const OPEN = { _id: newId(), openedAt: later(-5 * DAY), closedAt: null };
const ROUNDS = [CLOSED, OPEN];
const IN_THE_GAP = later(-7 * DAY);
const NOWHERE = { referralCode: null, seed: null, recruiter: null, wave: null };

beforeAll(openDatabase);
afterAll(closeDatabase);

/** An interview that began an hour ago and has just arrived. */
function survey(fields: Partial<SurveyRecord> = {}): SurveyRecord {
  const startedAt = fields.startedAt ?? later(-HOUR);
  const times = { startedAt, heldAt: startedAt, completedAt: null, createdAt: NOW };
  return { _id: newId(), location: HERE, createdBy: ME, flags: [], ...times, ...fields } as SurveyRecord;
}

/** A coupon that was handed out two and a half days ago. */
const coupon = (fields: Partial<ReferralCodeRecord> = {}) =>
  storedCode({
    createdAt: later(-9 * DAY),
    handedOutAt: later(-2.5 * DAY),
    round: OPEN._id,
    ...fields,
  });

const flagsOf = (flags: FlagRecord[]) => flags.map(({ code, referralCode, at }) => [code, referralCode, at]);

type Redeemed = Exclude<Awaited<ReturnType<typeof redeemCoupon>>, { fault: unknown }>;

async function redemption(
  code: ReferralCodeRecord | null,
  of: SurveyRecord = survey(),
  ignoreDates?: boolean,
): Promise<Awaited<ReturnType<typeof redeemCoupon>>> {
  const options = { now: NOW, rounds: ROUNDS, ...(ignoreDates === undefined ? {} : { ignoreDates }) };
  return await inTransaction((session) => redeemCoupon(session, code, of, options));
}

const faultOf = async (...args: Parameters<typeof redemption>) => {
  const result = await redemption(...args);
  return 'fault' in result ? result.fault : null;
};

async function redeemed(...args: Parameters<typeof redemption>): Promise<Redeemed> {
  const result = await redemption(...args);
  if ('fault' in result) throw new Error(`refused: ${result.fault}`);
  return result;
}

const apply = (update: CouponUpdate | null, codes: ReferralCodeRecord[] = []) =>
  inTransaction((session) => storeCodes(session, codes, update));

describe('a coupon', () => {
  test.each<[string, Partial<ReferralCodeRecord> | null, boolean, string | null]>([
    ['that is unknown', null, false, 'UNKNOWN'],
    ['that was voided', { state: 'VOID' }, false, 'VOID'],
    ['that was voided, whatever its dates', { state: 'VOID' }, true, 'VOID'],
    ['that was used, whatever its dates', { state: 'USED' }, true, 'USED'],
    ['that has expired', { expiresAt: later(-DAY) }, false, 'EXPIRED'],
    ['that has expired, if dates are ignored', { expiresAt: later(-DAY) }, true, null],
    ['that expired after the interview began', { expiresAt: later(1 - HOUR) }, false, null],
    ['that is not valid yet', { validFrom: later(DAY) }, false, 'NOT_YET'],
    ['that is not valid yet, if dates are ignored', { validFrom: later(DAY) }, true, null],
    ['of a round that was closed before the interview', { round: CLOSED._id }, false, 'EXPIRED'],
    ['of a closed round, even if dates are ignored', { round: CLOSED._id }, true, 'EXPIRED'],
    ['that is reserved', { state: 'RESERVED' }, false, null],
  ])('%s', async (_title, fields, ignoreDates, fault) => {
    const code = fields && (await coupon(fields));
    expect(await faultOf(code, survey(), ignoreDates)).toBe(fault);
  });

  test('of a closed round can be redeemed for an interview held before it was closed', async () => {
    const code = await coupon({
      round: CLOSED._id,
      handedOutAt: later(-15 * DAY),
      createdAt: later(-15 * DAY),
    });
    const { round, heldAt } = await redeemed(code, survey({ startedAt: later(-11 * DAY) }));
    expect([round, heldAt]).toEqual([CLOSED._id, later(-11 * DAY)]);
  });

  test('of a seed makes wave 0, and the seed learns its interview', async () => {
    const [seed, of] = [newId(), survey()];
    for (const _id of [seed, newId()])
      await SeedModel.collection.insertOne({
        _id,
        kind: 'PLANNED',
        referralCode: String(_id),
        survey: null,
      } as never);
    const code = await coupon({ seed });
    const { place, round, flags } = await redeemed(code, of);
    expect(place).toEqual({ referralCode: code.code, seed, recruiter: null, wave: 0 });
    expect([round, flags]).toEqual([OPEN._id, []]);
    const seeds = await SeedModel.find({ survey: of._id }).lean();
    expect(seeds.map(({ _id }) => _id)).toEqual([seed]);
  });

  test('that knows its chain makes the next wave, without reading the recruiter', async () => {
    const [recruiter, chain] = [newId(), newId()];
    const code = await coupon({ survey: recruiter, chain, wave: 4 });
    const { place, flags } = await redeemed(code);
    expect(place).toEqual({ referralCode: code.code, seed: chain, recruiter, wave: 5 });
    expect(flags).toEqual([]);
  });

  test.each<[string, object, object]>([
    ['the recruiter’s chain and the next wave', { seed: HERE, wave: 2 }, { seed: HERE, wave: 3 }],
    ['the recruiter’s chain, if its wave is unknown', { seed: HERE, wave: null }, { seed: HERE, wave: null }],
    ['only the recruiter, if its place is unknown', { seed: null, wave: null }, { seed: null, wave: null }],
  ])('that doesn’t know its chain takes %s', async (_title, fields, expected) => {
    const [recruiter, other] = [await storedSurvey(ME, HERE, fields), await storedSurvey(ME, HERE, fields)];
    for (const wave of [undefined, 7]) {
      const code = await coupon({ survey: recruiter, ...(wave === undefined ? {} : { wave }) });
      const { place } = await redeemed(code);
      expect(place).toEqual({ referralCode: code.code, recruiter, ...expected });
    }
    // A recruiter without a place is written, so that the transaction that places it conflicts.
    const pending = 'seed' in expected && expected.seed === null ? 2 : undefined;
    const records = await SurveyModel.collection.find({ _id: { $in: [recruiter, other] } }).toArray();
    expect(records.map((one) => one.recruitsWhilePending)).toEqual([pending, undefined]);
  });

  test('whose recruiter hasn’t arrived is flagged, and has no place but its code', async () => {
    const code = await coupon({ state: 'RESERVED', reservedBy: newId() });
    const { place, flags } = await redeemed(code);
    expect(place).toEqual({ ...NOWHERE, referralCode: code.code });
    expect(flagsOf(flags)).toEqual([['RECRUITER_PENDING', code.code, NOW]]);
  });

  test('without a round belongs to the round of the interview’s date, flagged if none was open', async () => {
    const origin = { survey: newId(), chain: newId(), wave: 0 };
    const code = await storedCode({ createdAt: later(-20 * DAY), ...origin });
    const held = (startedAt: Date) => redeemed(code, survey({ startedAt }));
    const [first, gap, last] = [
      await held(later(-11 * DAY)),
      await held(IN_THE_GAP),
      await held(later(-HOUR)),
    ];
    expect([first.round, gap.round, last.round]).toEqual([CLOSED._id, CLOSED._id, OPEN._id]);
    expect(flagsOf(gap.flags)).toEqual([['NO_ROUND', null, NOW]]);
    expect([first.flags, last.flags]).toEqual([[], []]);
  });

  test('shows that a clock was wrong if it was handed out after the interview; it counts by its arrival', async () => {
    const code = await coupon({ survey: newId(), chain: newId(), wave: 0 });
    const { heldAt, flags, couponUpdate } = await redeemed(code, survey({ startedAt: later(-4 * DAY) }));
    expect([heldAt, flagsOf(flags)]).toEqual([NOW, [['CLOCK_ODD', null, NOW]]]);
    await apply(couponUpdate);
    expect(await codeOf(code.code)).toMatchObject({ returnedAt: NOW, daysOut: 2 });
  });

  test('with a wrong clock is not refused because it began to be valid after its hand-over', async () => {
    const code = await coupon({ survey: newId(), chain: newId(), wave: 0, validFrom: later(-DAY) });
    expect(await faultOf(code, survey({ startedAt: later(-4 * DAY) }))).toBeNull();
    expect(await faultOf(code, survey({ startedAt: later(-2 * DAY) }))).toBe('NOT_YET');
  });

  test('is used by the update that is returned, with who, when and after how many days', async () => {
    const origin = { survey: newId(), chain: newId(), wave: 0 };
    const [other, code, of] = [await coupon(origin), await coupon(origin), survey()];
    const { couponUpdate } = await redeemed(code, of);
    expect(await codeOf(code.code)).toMatchObject({ state: 'LIVE', redeemedBy: null });
    await apply(couponUpdate);
    const used = { state: 'USED', redeemedBy: of._id, redeemedAt: NOW, returnedAt: of.heldAt, daysOut: 2 };
    expect(await codeOf(code.code)).toMatchObject({ _id: code._id, ...used });
    expect(await codeOf(other.code)).toMatchObject({ state: 'LIVE', redeemedBy: null });
  });

  test.each<[string, Date | undefined, number | undefined]>([
    ['no days if it was never handed out', undefined, undefined],
    ['no fewer than 0 days', later(0), 0],
  ])('is out for %s', async (_title, handedOutAt, days) => {
    const { handedOutAt: _, ...code } = await storedCode({ survey: newId(), chain: newId(), wave: 0 });
    const { couponUpdate } = await redeemed({ ...code, ...(handedOutAt && { handedOutAt }) });
    const { update } = (couponUpdate as { updateOne: { update: { $set: object } } }).updateOne;
    expect((update.$set as { daysOut?: number }).daysOut).toBe(days);
  });

  test.each<[string, Partial<ReferralCodeRecord>]>([
    ['state', { state: 'VOID' }],
    ['survey', { survey: newId() }],
    ['chain', { chain: newId() }],
    ['round', { round: CLOSED._id }],
    ['handedOutAt', { handedOutAt: later(-DAY) }],
  ])('that changed since it was read is not used: its %s', async (_field, change) => {
    const code = await coupon({ survey: newId(), chain: newId(), wave: 0 });
    const { couponUpdate } = await redeemed(code);
    await ReferralCodeModel.updateOne({ _id: code._id }, { $set: change });
    await expect(apply(couponUpdate)).rejects.toThrow();
    expect(await codeOf(code.code)).toMatchObject({ redeemedBy: null });
  });
});

test('the round of an interview is the one open on its date, flagged if none was', () => {
  expect(roundByDate(ROUNDS, later(-HOUR), NOW)).toEqual({ round: OPEN._id, flags: [] });
  const gap = roundByDate(ROUNDS, IN_THE_GAP, NOW);
  expect([gap.round, flagsOf(gap.flags)]).toEqual([CLOSED._id, [['NO_ROUND', null, NOW]]]);
});

type Presented = NonNullable<Parameters<typeof resolveRecruitment>[2]['coupon']>;

interface Question {
  of?: SurveyRecord;
  coupon?: Presented | null;
  walkInCode?: Presented | null;
  onCodeProblem?: 'REJECT' | 'FLAG';
  isFirst?: boolean;
}

const resolve = ({ of = survey(), coupon = null, walkInCode = null, ...options }: Question) =>
  inTransaction((session) =>
    resolveRecruitment(
      session,
      of,
      { coupon, walkInCode },
      {
        ...{ onCodeProblem: 'REJECT', isFirst: true, rounds: ROUNDS, ...options },
      },
    ),
  );

const presented = (stored: ReferralCodeRecord): Presented => ({
  text: stored.code,
  code: stored.code,
  stored,
});
const UNKNOWN = generateCode(randomBytes);
const unknown: Presented = { text: ` ${UNKNOWN.toLowerCase()}`, code: UNKNOWN, stored: null };
const malformed: Presented = { text: 'hello!', code: null, stored: null };

describe('an interview with a coupon', () => {
  test('gets the coupon’s place, and no code of its own', async () => {
    const code = await coupon({ survey: newId(), chain: newId(), wave: 0 });
    expect(await resolve({ coupon: presented(code) })).toMatchObject({
      place: { referralCode: code.code, wave: 1 },
      round: OPEN._id,
      newCode: null,
      couponUpdate: { updateOne: {} },
    });
  });

  test.each<[string, Presented, string, string, string]>([
    ['unknown', unknown, 'REFERRAL_CODE_UNKNOWN', 'REFERRAL_CODE_UNKNOWN', UNKNOWN],
    ['malformed', malformed, 'REFERRAL_CODE_MALFORMED', 'REFERRAL_CODE_MALFORMED', 'hello!'],
  ])(
    'that is %s is refused with REJECT, and kept without a place with FLAG',
    async (_title, coupon, name, flag, value) => {
      await expect(resolve({ coupon })).rejects.toMatchObject({ name });
      const kept = await resolve({ coupon, onCodeProblem: 'FLAG' });
      expect(flagsOf(kept.flags)).toEqual([[flag, value, NOW]]);
      const { place, round, couponUpdate, newCode } = kept;
      expect({ place, round, couponUpdate, newCode }).toEqual({
        ...{ place: NOWHERE, round: OPEN._id, couponUpdate: null, newCode: null },
      });
    },
  );

  test('that was refused between two rounds has both flags, the code’s first', async () => {
    const of = survey({ startedAt: IN_THE_GAP });
    const { flags, round } = await resolve({ of, coupon: unknown, onCodeProblem: 'FLAG' });
    expect(flags.map(({ code }) => code)).toEqual(['REFERRAL_CODE_UNKNOWN', 'NO_ROUND']);
    expect(round).toEqual(CLOSED._id);
  });

  test('of a recruiter that hasn’t arrived, held between two rounds, is refused with REJECT and flagged with FLAG', async () => {
    const reserved = await storedCode({
      state: 'RESERVED',
      reservedBy: newId(),
      createdAt: later(-20 * DAY),
    });
    const question = { of: survey({ startedAt: IN_THE_GAP }), coupon: presented(reserved) };
    await expect(resolve(question)).rejects.toMatchObject({ name: 'NO_ROUND' });
    const { flags } = await resolve({ ...question, onCodeProblem: 'FLAG' });
    expect(flags.map(({ code }) => code)).toEqual(['RECRUITER_PENDING', 'NO_ROUND']);
  });

  test('is decided at first by the coupon as read before, later as the transaction sees it', async () => {
    const code = await coupon({ survey: newId(), chain: newId(), wave: 0 });
    await setState(code.code, 'VOID');
    expect((await resolve({ coupon: presented(code) })).place.wave).toBe(1);
    const again = { coupon: presented(code), isFirst: false };
    await expect(resolve(again)).rejects.toMatchObject({ name: 'REFERRAL_CODE_VOID' });
    await expect(resolve({ coupon: malformed, isFirst: false })).rejects.toMatchObject({
      name: 'REFERRAL_CODE_MALFORMED',
    });
  });
});

describe('a walk-in', () => {
  const reservedFor = (user = ME, fields: Partial<ReferralCodeRecord> = {}) =>
    storedCode({ state: 'RESERVED', reservedBy: user, ...fields });

  test('starts a chain with a seed and a new code, which it uses itself', async () => {
    const of = survey();
    const { place, round, flags, couponUpdate, newCode } = await resolve({ of });
    const seed = await SeedModel.findById(place.seed).lean();
    expect(seed).toMatchObject({
      kind: 'WALK_IN',
      location: HERE,
      survey: of._id,
      createdBy: ME,
      createdAt: NOW,
    });
    expect([seed?.round, seed?.referralCode]).toEqual([OPEN._id, newCode?.code]);
    expect([round, flags, couponUpdate]).toEqual([OPEN._id, [], null]);
    expect(place).toEqual({ referralCode: newCode?.code, seed: seed?._id, recruiter: null, wave: 0 });
    const usage = { state: 'USED', redeemedBy: of._id, redeemedAt: NOW, returnedAt: of.heldAt };
    expect(newCode).toMatchObject({ seed: seed?._id, round: OPEN._id, ...usage });
  });

  test('between two rounds is refused with REJECT and flagged with FLAG', async () => {
    const of = survey({ startedAt: IN_THE_GAP });
    await expect(resolve({ of })).rejects.toMatchObject({ name: 'NO_ROUND' });
    const { flags, round } = await resolve({ of, onCodeProblem: 'FLAG' });
    expect([flags.map(({ code }) => code), round]).toEqual([['NO_ROUND'], CLOSED._id]);
  });

  test('can use a code that is reserved for its interviewer, and no other field of the code changes it', async () => {
    const [code, of] = [await reservedFor(), survey()];
    const { place, flags, couponUpdate, newCode } = await resolve({ of, walkInCode: presented(code) });
    expect([newCode, flags, place.referralCode]).toEqual([null, [], code.code]);
    const seed = await SeedModel.findById(place.seed).lean();
    expect([seed?.referralCode, seed?.survey]).toEqual([code.code, of._id]);
    await apply(couponUpdate);
    expect(await codeOf(code.code)).toMatchObject({
      ...{ _id: code._id, state: 'USED', seed: place.seed, round: OPEN._id },
      ...{ redeemedBy: of._id, redeemedAt: NOW, returnedAt: of.heldAt },
    });
  });

  test.each<[string, Partial<ReferralCodeRecord>]>([
    ['used', { state: 'USED' }],
    ['given to a seed', { seed: newId() }],
    ['handed out', { survey: newId() }],
  ])('does not use a code that was %s since it was read', async (_title, change) => {
    const code = await reservedFor(ME, change);
    const read = { ...code, state: 'RESERVED' as const, seed: null, survey: null };
    const { couponUpdate } = await resolve({ walkInCode: presented(read) });
    await expect(apply(couponUpdate)).rejects.toThrow();
    expect(await codeOf(code.code)).toMatchObject({ redeemedBy: null });
  });

  const notMine: [string, () => Promise<Presented>, (text: Presented) => string | null][] = [
    ['another person’s', async () => presented(await reservedFor(newId())), ({ code }) => code],
    ['of nobody', async () => presented(await storedCode({ state: 'RESERVED' })), ({ code }) => code],
    ['live', async () => presented(await reservedFor(ME, { state: 'LIVE' })), ({ code }) => code],
    ['a seed’s', async () => presented(await reservedFor(ME, { seed: newId() })), ({ code }) => code],
    ['an interview’s', async () => presented(await reservedFor(ME, { survey: newId() })), ({ code }) => code],
    ['unknown', async () => unknown, ({ code }) => code],
    ['malformed', async () => malformed, ({ text }) => text],
  ];
  test.each(notMine)(
    'with a code that is %s is refused with REJECT, and gets a new one with FLAG',
    async (_title, make, value) => {
      const walkInCode = await make();
      await expect(resolve({ walkInCode })).rejects.toMatchObject({
        name: 'VALIDATION_ERROR',
        errors: [expect.objectContaining({ path: 'walkInCode', code: 'CODE_NOT_YOURS' })],
      });
      const { flags, couponUpdate, newCode } = await resolve({ walkInCode, onCodeProblem: 'FLAG' });
      expect(flagsOf(flags)).toEqual([['ISSUED_CODE_REFUSED', value(walkInCode), NOW]]);
      expect([couponUpdate, newCode?.state]).toEqual([null, 'USED']);
      expect(newCode?.code).not.toBe(walkInCode.code);
    },
  );

  test('is decided at first by the code as read before, later as the transaction sees it', async () => {
    const code = await reservedFor();
    await setState(code.code, 'USED');
    expect((await resolve({ walkInCode: presented(code) })).newCode).toBeNull();
    const again = { walkInCode: presented(code), isFirst: false };
    await expect(resolve(again)).rejects.toMatchObject({ name: 'VALIDATION_ERROR' });
    const { newCode } = await resolve({ isFirst: false });
    expect(newCode?.state).toBe('USED');
    await expect(resolve({ walkInCode: malformed, isFirst: false })).rejects.toMatchObject({
      name: 'VALIDATION_ERROR',
    });
  });
});
