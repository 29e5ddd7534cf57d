/** Which coupons an interview may hand out, and the codes that it gets, decided without a route. */
import { randomBytes } from 'node:crypto';
import { generateCode } from '../../src/coupons/referral-codes/code.ts';
import { ReferralCodeModel, type ReferralCodeRecord } from '../../src/coupons/referral-codes/model.ts';
import { newFlag, type SurveyRecord } from '../../src/interviews/surveys/model.ts';
import {
  assignCodes,
  createMissingCodes,
  handOutCoupons,
  refusedCodesProblem,
} from '../../src/interviews/surveys/submit/hand-out.ts';
import { inTransaction } from '../../src/platform/db/transaction.ts';
import { NEW_STUDY, type StudyRecord } from '../../src/study/settings/model.ts';
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
  storedCode,
  storedSurvey,
} from '../database.ts';

const DAY = 24 * HOUR;
const ROUND = newId();
const STUDY = NEW_STUDY as StudyRecord;
const DATED = { ...STUDY, couponStartsAfterHours: 6, couponValidDays: 10 };

beforeAll(openDatabase);
afterAll(closeDatabase);

function survey(fields: Partial<SurveyRecord> = {}): SurveyRecord {
  const times = {
    startedAt: later(-HOUR),
    heldAt: later(-HOUR),
    completedAt: later(-60_000),
    createdAt: NOW,
  };
  const place = { seed: newId(), wave: 2, recruiter: null, referralCode: null, round: ROUND };
  const base = { _id: newId(), location: HERE, createdBy: ME, status: 'COMPLETED', flags: [] };
  return { ...base, ...times, ...place, ...fields } as SurveyRecord;
}

const reserved = (fields: Partial<ReferralCodeRecord> = {}) =>
  storedCode({ state: 'RESERVED', reservedBy: ME, createdAt: later(-DAY), ...fields });

interface HandOut {
  of?: SurveyRecord;
  study?: StudyRecord;
  at?: Date;
  max?: number;
}

const handOut = (texts: string[], { of = survey(), study = STUDY, at = NOW, ...limit }: HandOut = {}) =>
  inTransaction((session) => handOutCoupons(session, texts, { survey: of, user: ME, study, at, ...limit }));

const NOTHING = { accepted: [], refused: [], recruits: [] };

describe('a coupon that is handed out', () => {
  test('is live from then on and belongs to its interview, with its place, site and round', async () => {
    const [of, other] = [survey(), await reserved()];
    const { code } = await reserved();
    expect(await handOut([code], { of, at: later(-HOUR) })).toEqual({ ...NOTHING, accepted: [code] });
    expect(await codeOf(code)).toMatchObject({
      ...{ state: 'LIVE', survey: of._id, location: HERE, round: ROUND, chain: of.seed, wave: 2 },
      ...{ handedOutAt: later(-HOUR), validFrom: null, expiresAt: null, reservedBy: ME },
    });
    expect(await codeOf(other.code)).toMatchObject({ state: 'RESERVED', survey: null });
  });

  test.each<[string, Partial<SurveyRecord>]>([
    ['chain', { seed: null, wave: null }],
    ['wave', { wave: null }],
  ])('doesn’t know its chain as long as its interview has no %s', async (_title, fields) => {
    const { code } = await reserved();
    await handOut([code], { of: survey(fields) });
    const stored = await codeOf(code);
    expect([stored?.state, 'chain' in (stored ?? {}), 'wave' in (stored ?? {})]).toEqual([
      'LIVE',
      false,
      false,
    ]);
  });

  test('can be the seed’s own first one: wave 0', async () => {
    const { code } = await reserved();
    await handOut([code], { of: survey({ wave: 0 }) });
    expect(await codeOf(code)).toMatchObject({ wave: 0 });
  });

  test('can come from a printed batch, and be written in any way', async () => {
    const { code } = await storedCode({ state: 'RESERVED', batch: newId() });
    expect((await handOut([` ${code.slice(0, 4)}-${code.slice(4).toLowerCase()}`])).accepted).toEqual([code]);
  });

  test.each<[string, Partial<StudyRecord>, number | null, number | null]>([
    ['at once and for ever', {}, null, null],
    ['from the given hours on', { couponStartsAfterHours: 6 }, 6 * HOUR, null],
    ['for the given days', { couponValidDays: 10 }, null, 10 * DAY],
    ['for the given days after it starts', DATED, 6 * HOUR, 6 * HOUR + 10 * DAY],
  ])('is valid %s', async (_title, settings, from, until) => {
    const { code } = await reserved();
    const study = { ...STUDY, ...settings };
    await handOut([code], { study, at: later(-HOUR) });
    const delayed = (time: number | null) => (time === null ? null : later(time - HOUR));
    const dates = { validFrom: delayed(from), expiresAt: delayed(until) };
    expect(await codeOf(code)).toMatchObject(dates);
    const [issued] = createMissingCodes(survey(), { study, handedOut: 0, now: later(-HOUR) });
    expect(issued).toMatchObject({ ...dates, handedOutAt: later(-HOUR) });
  });

  test('is never handed out before it was created', async () => {
    const { code, createdAt } = await reserved();
    await handOut([code], { at: later(-3 * DAY) });
    expect(await codeOf(code)).toMatchObject({ handedOutAt: createdAt });
  });

  test('may have been used already, by recruits of this interview; it stays used', async () => {
    const recruit = await storedSurvey(ME, HERE);
    const used = { state: 'USED' as const, redeemedBy: recruit, redeemedAt: NOW, returnedAt: NOW };
    const { code } = await reserved(used);
    const other = await reserved();
    const result = await handOut([code, other.code], { at: later(-DAY / 2) });
    expect(result).toEqual({ ...NOTHING, accepted: [code, other.code], recruits: [recruit] });
    expect(await codeOf(code)).toMatchObject({ state: 'USED', daysOut: 0 });
    expect(await codeOf(other.code)).toMatchObject({ state: 'LIVE' });
  });
});

describe('a coupon is not handed out', () => {
  test.each<[string, Partial<ReferralCodeRecord>]>([
    ['that is reserved for someone else', { reservedBy: newId() }],
    ['that is nobody’s', { reservedBy: null }],
    ['of another interview', { survey: newId(), state: 'LIVE' }],
    ['of a seed', { seed: newId(), state: 'LIVE' }],
    ['that was voided', { state: 'VOID' }],
    ['of a batch that was voided', { state: 'VOID', batch: newId() }],
  ])('%s', async (_title, fields) => {
    const { code } = await reserved(fields);
    expect(await handOut([code])).toEqual({ ...NOTHING, refused: [{ index: 0, text: code }] });
    expect(await codeOf(code)).toMatchObject({ ...fields, ...('survey' in fields ? {} : { survey: null }) });
  });

  test('that is malformed, unknown or repeated; each is named as typed, with its position', async () => {
    const { code } = await reserved();
    const unknown = generateCode(randomBytes);
    const typed = ['hello!', code, unknown, code.toLowerCase()];
    expect(await handOut(typed)).toEqual({
      ...NOTHING,
      accepted: [code],
      refused: [0, 2, 3].map((index) => ({ index, text: typed[index] })),
    });
  });

  test('beyond the study’s limit, or a given one', async () => {
    const codes = await Promise.all(Array.from({ length: 4 }, async () => (await reserved()).code));
    const { accepted, refused } = await handOut(codes);
    expect([accepted, refused.map(({ index }) => index)]).toEqual([codes.slice(0, 3), [3]]);
    const more = await Promise.all(Array.from({ length: 2 }, async () => (await reserved()).code));
    expect((await handOut(more, { max: 1 })).accepted).toEqual(more.slice(0, 1));
    expect((await handOut(more.slice(1), { max: 0 })).accepted).toEqual([]);
  });

  test('that the interview redeems itself', async () => {
    const { code } = await reserved();
    expect((await handOut([code], { of: survey({ referralCode: code }) })).accepted).toEqual([]);
  });

  test('that the interview, its recruiter or anyone above it has redeemed; others’ are no obstacle', async () => {
    const of = survey();
    const top = await storedSurvey(ME, HERE, { recruiter: null });
    const recruiter = await storedSurvey(ME, HERE, { recruiter: top });
    const sibling = await storedSurvey(ME, HERE, { recruiter: top });
    const usedBy = async (redeemedBy: SurveyRecord['_id']) =>
      (await reserved({ state: 'USED', redeemedBy, redeemedAt: NOW })).code;
    const codes = [await usedBy(of._id), await usedBy(recruiter), await usedBy(top), await usedBy(sibling)];
    const { accepted, refused, recruits } = await handOut(codes, { of: { ...of, recruiter } });
    expect([accepted, refused.map(({ index }) => index)]).toEqual([codes.slice(3), [0, 1, 2]]);
    expect(recruits).toEqual([sibling]);
  });

  test('if none is given: nothing is read', async () => {
    expect(await handOutCoupons(null as never, [], null as never)).toEqual(NOTHING);
  });
});

describe('the codes that a completed interview gets', () => {
  const missing = (fields: Partial<SurveyRecord> = {}, handedOut = 0) =>
    createMissingCodes(survey(fields), { study: STUDY, handedOut, now: NOW });

  test('are live, in its name, and fill up what the study allows', () => {
    const of = survey();
    const codes = createMissingCodes(of, { study: STUDY, handedOut: 1, now: NOW });
    expect(codes).toHaveLength(2);
    for (const code of codes)
      expect(code).toMatchObject({
        ...{ state: 'LIVE', survey: of._id, location: HERE, round: ROUND, chain: of.seed, wave: 2 },
        ...{ handedOutAt: NOW, validFrom: null, expiresAt: null, createdAt: NOW, reservedBy: null },
      });
  });

  test.each<[string, Partial<SurveyRecord>, number, number]>([
    ['three without any handed out', {}, 0, 3],
    ['none if all were handed out', {}, 3, 0],
    ['none if more were handed out', {}, 5, 0],
    ['none if the person doesn’t take part', { takesPart: false }, 0, 0],
    [
      'none if no round was open',
      { flags: [newFlag('CLOCK_ODD', null, NOW), newFlag('NO_ROUND', null, NOW)] },
      0,
      0,
    ],
    ['three in spite of other flags', { flags: [newFlag('CLOCK_ODD', null, NOW)] }, 0, 3],
  ])('are %s', (_title, fields, handedOut, count) => {
    expect(missing(fields, handedOut)).toHaveLength(count);
  });
});

describe('the codes of an interview that is being stored', () => {
  interface Assignment {
    of?: SurveyRecord;
    study?: StudyRecord;
    issuedCodes?: string[];
    onCodeProblem?: 'REJECT' | 'FLAG';
    newCode?: ReferralCodeRecord | null;
    couponUpdate?: Parameters<typeof assignCodes>[3]['couponUpdate'];
  }

  const assign = ({
    of = survey(),
    study = STUDY,
    newCode = null,
    couponUpdate = null,
    ...body
  }: Assignment) =>
    inTransaction((session) =>
      assignCodes(session, of, { issuedCodes: [], onCodeProblem: 'REJECT', ...body } as never, {
        ...{ study, newCode, couponUpdate },
      }),
    );

  test('are those handed out, then new ones, all stored', async () => {
    const [{ code }, of] = [await reserved(), survey()];
    const { codes, flags, recruits } = await assign({ of, issuedCodes: [code] });
    expect([codes[0], codes.length, flags, recruits]).toEqual([code, 3, [], []]);
    expect(await ReferralCodeModel.countDocuments({ survey: of._id, state: 'LIVE' })).toBe(3);
  });

  test('are only those handed out while it is in progress', async () => {
    const [{ code }, of] = [await reserved(), survey({ status: 'IN_PROGRESS', completedAt: null })];
    expect((await assign({ of, issuedCodes: [code] })).codes).toEqual([code]);
    expect(await codeOf(code)).toMatchObject({ handedOutAt: NOW });
  });

  test.each<[string, Partial<SurveyRecord>, Date]>([
    ['at its end', {}, later(-60_000)],
    ['at its arrival, if it has no end', { completedAt: null }, NOW],
    ['at its arrival, if the clock was wrong', { heldAt: NOW }, NOW],
  ])('count as handed out %s', async (_title, fields, at) => {
    const { code } = await reserved();
    await assign({ of: survey(fields), issuedCodes: [code] });
    expect(await codeOf(code)).toMatchObject({ handedOutAt: at });
  });

  test('are refused with their positions, and nothing is stored, with REJECT; with FLAG each is flagged', async () => {
    const [{ code }, of] = [await reserved(), survey()];
    const unknown = generateCode(randomBytes);
    const issuedCodes = ['hello!', code, `${unknown.slice(0, 4)}-${unknown.slice(4).toLowerCase()}`];
    const errors = [0, 2].map((at) =>
      expect.objectContaining({ path: `issuedCodes.${at}`, code: 'CODE_NOT_YOURS' }),
    );
    await expect(assign({ of, issuedCodes })).rejects.toMatchObject({ name: 'VALIDATION_ERROR', errors });
    expect(refusedCodesProblem([0, 2])).toMatchObject({ errors });
    expect(await codeOf(code)).toMatchObject({ state: 'RESERVED', survey: null });
    const { codes, flags } = await assign({ of, issuedCodes, onCodeProblem: 'FLAG' });
    expect([codes[0], codes.length]).toEqual([code, 3]);
    expect(flags.map((one) => [one.code, one.referralCode, one.at])).toEqual([
      ['ISSUED_CODE_REFUSED', 'hello!', NOW],
      ['ISSUED_CODE_REFUSED', unknown, NOW],
    ]);
  });

  test('without a problem have no flag with FLAG either; recruits are told', async () => {
    const recruit = await storedSurvey(ME, HERE);
    const { code } = await reserved({ state: 'USED', redeemedBy: recruit, redeemedAt: NOW });
    const { flags, recruits } = await assign({ issuedCodes: [code], onCodeProblem: 'FLAG' });
    expect([flags, recruits]).toEqual([[], [recruit]]);
  });

  test('are stored with the walk-in’s own code, or with the change of the presented coupon', async () => {
    const newCode = { ...(await storedCode()), _id: newId(), code: generateCode(randomBytes) };
    const [of, coupon] = [survey(), await storedCode()];
    const own = await assign({ of, newCode, study: { ...STUDY, couponsPerSurvey: 1 } });
    expect([await codeOf(newCode.code), own.codes.includes(newCode.code), own.codes.length]).toMatchObject([
      { _id: newCode._id },
      false,
      1,
    ]);
    const couponUpdate = {
      updateOne: { filter: { _id: coupon._id }, update: { $set: { state: 'USED' as const } } },
    };
    const { codes } = await assign({ couponUpdate });
    expect(await codeOf(coupon.code)).toMatchObject({ state: 'USED' });
    expect(await ReferralCodeModel.countDocuments({ code: { $in: codes } })).toBe(3);
  });
});
