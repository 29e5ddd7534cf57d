/** Referral codes: validation, blocks, batches, lists, voiding. */
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { type Body, makeSeed } from '../make.ts';
import {
  CODE,
  castOfFile,
  HEX_ID,
  ISO,
  NOBODY,
  reasonOf,
  refused,
  refusedAt,
  reserve,
  seedCode,
  stateOf,
  submit,
  tally,
  times,
  unknownCode,
  wellFormed,
} from './kit.ts';

const cast = castOfFile();

const validate = async (code: string, by = cast.volunteer): Promise<Body> =>
  (await by.get(`/api/validate-referral-code/${encodeURIComponent(code)}`).expect(200)).body;

describe('GET /api/validate-referral-code/:code', () => {
  test('returns exactly code, isValid, reason and message', async () => {
    const code = await seedCode(cast);
    expect(await validate(code)).toEqual({
      code,
      isValid: true,
      reason: null,
      message: expect.stringMatching(/\S/),
    });
    const unknown = unknownCode();
    expect(await validate(unknown)).toEqual({
      code: unknown,
      isValid: false,
      reason: 'UNKNOWN',
      message: expect.stringMatching(/\S/),
    });
  });

  test('returns USED and VOID; validating does not use up the code', async () => {
    const survey = await submit(cast, { referralCode: await seedCode(cast) });
    expect(await validate(survey.referralCode)).toMatchObject({ isValid: false, reason: 'USED' });
    const [first, second] = survey.issuedCodes;
    for (const _ of [1, 2]) expect(await validate(first)).toMatchObject({ isValid: true, reason: null });
    await cast.admin.patch(`/api/referral-codes/${second}`, { void: true, reason: 'lost' }).expect(200);
    expect(await validate(second)).toMatchObject({ isValid: false, reason: 'VOID' });
  });

  test.each([
    ['abcd-efgc'],
    ['ABCD EFGC'],
    [' abcdefgc '],
    ['a-b-c-d-e-f-g-c'],
    ['A B C D E F G C'],
    ['0000-0000'],
    ['oooo-OOOO'],
    ['7k3m-9qxf'],
  ])('reads %j as a well-formed code and returns the canonical form', async (text) => {
    const { code, reason } = await validate(text);
    expect(reason).toBe('UNKNOWN');
    expect(code).toBe(text.toUpperCase().replace(/[ -]/g, '').replaceAll('O', '0'));
  });

  test('reads I and L as 1', async () => {
    const code = wellFormed('1111111');
    const sloppy = `iIlL${code.slice(4).replaceAll('1', 'l')}`;
    expect(await validate(sloppy)).toMatchObject({ code, reason: 'UNKNOWN' });
  });

  test.each([
    'ABCDEFGD',
    'ABCDEFG',
    'ABCDEFGCC',
    'ABCDEUGC',
    'ABCD_EFGC',
    '☃',
    'null',
    '........',
    '%',
    "' OR 1=1",
    '{}',
  ])('%j is MALFORMED', async (text) => {
    expect(await validate(text)).toMatchObject({ isValid: false, reason: 'MALFORMED' });
  });

  test('any wrong character or swap of two adjacent characters is MALFORMED', async () => {
    const code = '7K3M9QXF';
    for (let at = 0; at < 8; at++) {
      const other = code[at] === 'A' ? 'B' : 'A';
      expect(await validate(code.slice(0, at) + other + code.slice(at + 1))).toMatchObject({
        reason: 'MALFORMED',
      });
    }
    for (let at = 0; at < 7; at++) {
      const swapped = code.slice(0, at) + code[at + 1] + code[at] + code.slice(at + 2);
      expect(await validate(swapped)).toMatchObject({ reason: 'MALFORMED' });
    }
  });

  test('is for any approved user, not for anonymous callers', async () => {
    for (const person of [cast.root, cast.admin, cast.manager, cast.volunteer])
      await validate('ABCDEFGC', person);
    refused(await cast.world.anonymous.get('/api/validate-referral-code/ABCDEFGC'), 401);
    const pending = await cast.world.person({ approvalStatus: 'PENDING' });
    refused(await pending.get('/api/validate-referral-code/ABCDEFGC'), 403);
  });
});

describe('POST /api/referral-codes/blocks', () => {
  test('reserves distinct codes for the caller', async () => {
    const answer = await cast.volunteer.post('/api/referral-codes/blocks', { count: 5 });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(['codes']);
    expect(new Set(answer.body.codes).size).toBe(5);
    for (const code of answer.body.codes) {
      expect(code).toMatch(CODE);
      expect(code).toBe(wellFormed(code.slice(0, 7)));
      expect(await stateOf(cast, code)).toMatchObject({
        state: 'RESERVED',
        reservedBy: cast.volunteer.id,
        survey: null,
        seed: null,
        round: null,
      });
    }
  });

  test.each([0, 51, -1, 1.5, '5', null, {}, [5]])('rejects a count of %j', async (count) => {
    refusedAt(await cast.volunteer.post('/api/referral-codes/blocks', { count }), 'count');
  });

  test('is open to every role', async () => {
    for (const person of [cast.root, cast.admin, cast.manager, cast.volunteer])
      expect(await reserve(person, 1)).toHaveLength(1);
  });

  test('a user can hold at most 100 unused codes: more is 409 TOO_MANY_RESERVED and creates none', async () => {
    const person = await cast.world.person({ location: cast.site });
    await reserve(person, 50);
    await reserve(person, 49);
    refused(await person.post('/api/referral-codes/blocks', { count: 2 }), 409, 'TOO_MANY_RESERVED');
    const [code] = await reserve(person, 1);
    refused(await person.post('/api/referral-codes/blocks', { count: 1 }), 409, 'TOO_MANY_RESERVED');
    // Blocks of another user do not count; a redeemed code frees its place.
    await reserve(cast.manager, 1);
    await submit(cast, { issuedCodes: [code] }, person);
    await submit(cast, { referralCode: code });
    await reserve(person, 1);
  });

  test('the limit of 100 also applies to simultaneous requests', async () => {
    const person = await cast.world.person({ location: cast.site });
    const answers = await Promise.all(
      times(8, () => person.post('/api/referral-codes/blocks', { count: 30 }).then((answer) => answer)),
    );
    expect(tally(answers)).toEqual({ 201: 3, '409 TOO_MANY_RESERVED': 5 });
  });
});

describe('POST /api/referral-codes/batches', () => {
  test('lets an ADMIN and a MANAGER create printed codes that anyone can hand out', async () => {
    for (const person of [cast.admin, cast.manager]) {
      const answer = await person.post('/api/referral-codes/batches', {
        count: 3,
        location: cast.site,
        note: 'Box 1',
      });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        id: expect.stringMatching(/\S/),
        codes: times(3, () => expect.stringMatching(CODE)),
      });
      const listed = await cast.admin.get(`/api/referral-codes?batch=${answer.body.id}`).expect(200);
      expect(listed.body.data.map((item: Body) => item.code).sort()).toEqual([...answer.body.codes].sort());
      for (const item of listed.body.data)
        expect(item).toMatchObject({ state: 'RESERVED', batch: answer.body.id });
    }
  });

  test('creates up to 5,000 at once', async () => {
    const { body } = await cast.admin
      .post('/api/referral-codes/batches', { count: 5000, location: cast.site })
      .expect(201);
    expect(new Set(body.codes).size).toBe(5000);
  });

  test.each([
    ['count', { count: 0 }],
    ['count', { count: 5001 }],
    ['location', { location: undefined }],
    ['location', { location: NOBODY }],
    ['note', { note: 'x'.repeat(1001) }],
    ['colour', { colour: 'red' }],
  ])('rejects an invalid %s', async (path, fault) => {
    refusedAt(
      await cast.admin.post('/api/referral-codes/batches', { count: 1, location: cast.site, ...fault }),
      path,
    );
  });

  test('is 403 for a VOLUNTEER', async () => {
    refused(await cast.volunteer.post('/api/referral-codes/batches', { count: 1, location: cast.site }), 403);
  });
});

describe('GET /api/referral-codes', () => {
  test('an item has exactly these fields', async () => {
    const survey = await submit(cast);
    const item = await stateOf(cast, survey.issuedCodes[0]);
    // Valid at once: the start is missing, or is the time of issue.
    if (item.validFrom !== null) expect(Date.parse(item.validFrom)).toBeLessThanOrEqual(Date.now());
    expect(item).toEqual({
      code: survey.issuedCodes[0],
      state: 'LIVE',
      seed: null,
      survey: survey.id,
      reservedBy: null,
      batch: null,
      round: FIRST_ROUND_ID.toHexString(),
      redeemedBy: null,
      validFrom: item.validFrom,
      expiresAt: null,
      createdAt: expect.stringMatching(ISO),
    });
    expect(await stateOf(cast, survey.referralCode)).toMatchObject({
      state: 'USED',
      seed: survey.seed,
      survey: null,
      redeemedBy: survey.id,
    });
  });

  test('filters by survey, seed, state and code', async () => {
    const survey = await submit(cast);
    await submit(cast, { referralCode: survey.issuedCodes[0] });
    const codes = async (query: string) =>
      (await cast.admin.get(`/api/referral-codes?${query}`).expect(200)).body.data
        .map((item: Body) => item.code)
        .sort();
    expect(await codes(`survey=${survey.id}`)).toEqual([...survey.issuedCodes].sort());
    expect(await codes(`seed=${survey.seed}`)).toEqual([survey.referralCode]);
    expect(await codes(`survey=${survey.id}&state=USED`)).toEqual([survey.issuedCodes[0]]);
    expect(await codes(`survey=${survey.id}&state=LIVE`)).toEqual([...survey.issuedCodes.slice(1)].sort());
    for (const state of ['RESERVED', 'VOID', 'EXPIRED'])
      expect(await codes(`survey=${survey.id}&state=${state}`)).toEqual([]);
    expect(await codes(`code=${survey.issuedCodes[0].toLowerCase()}`)).toEqual([survey.issuedCodes[0]]);
    expect(await codes('code=nonsense')).toEqual([]);
    expect(await codes(`survey=${NOBODY}`)).toEqual([]);
    refused(await cast.admin.get('/api/referral-codes?state=LOST'), 400, 'INVALID_QUERY');
  });

  test('pages contain each code once, even if created at the same instant', async () => {
    const { body } = await cast.admin.post('/api/referral-codes/batches', { count: 11, location: cast.site });
    const listedCodes: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null && listedCodes.length < 20) {
      const query = `batch=${body.id}&limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page: Body = (await cast.admin.get(`/api/referral-codes?${query}`).expect(200)).body;
      listedCodes.push(...page.data.map((item: Body) => item.code));
      cursor = page.nextCursor;
    }
    expect(listedCodes.sort()).toEqual([...body.codes].sort());
  });

  test('shows volunteers and managers no codes of others', async () => {
    for (const person of [cast.volunteer, cast.manager]) {
      const { status, body } = await person.get('/api/referral-codes');
      expect([403, 200]).toContain(status);
      expect(body.data ?? []).toEqual([]);
    }
  });
});

describe('PATCH /api/referral-codes/:code', () => {
  const VOID = { void: true, reason: 'the coupon was stolen' };

  test('voids a live code and returns it; again is 200; it can no longer be redeemed', async () => {
    const { referralCode } = await makeSeed(cast.world, cast.admin, { location: cast.site });
    const { body } = await cast.admin.patch(`/api/referral-codes/${referralCode}`, VOID).expect(200);
    expect(body).toMatchObject({ code: referralCode, state: 'VOID', seed: expect.stringMatching(HEX_ID) });
    await cast.admin.patch(`/api/referral-codes/${referralCode}`, VOID).expect(200);
    expect(await reasonOf(cast, referralCode)).toBe('VOID');
  });

  test('returns 409 REFERRAL_CODE_USED for a used code, which stays used', async () => {
    const { referralCode } = await submit(cast);
    refused(await cast.admin.patch(`/api/referral-codes/${referralCode}`, VOID), 409, 'REFERRAL_CODE_USED');
    expect(await reasonOf(cast, referralCode)).toBe('USED');
  });

  test('returns 404 for unknown and malformed codes', async () => {
    for (const code of [unknownCode(), 'nonsense'])
      refused(await cast.admin.patch(`/api/referral-codes/${code}`, VOID), 404);
  });

  test('accepts the code in any spelling', async () => {
    const code = await seedCode(cast);
    const spelled = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase();
    const { body } = await cast.admin.patch(`/api/referral-codes/${spelled}`, VOID).expect(200);
    expect(body.code).toBe(code);
  });

  test.each([
    ['void', { void: false }],
    ['void', { void: 'true' }],
    ['void', { void: undefined }],
    ['state', { state: 'LIVE' }],
  ])('rejects an invalid %s (%j)', async (path, fault) => {
    refusedAt(
      await cast.admin.patch(`/api/referral-codes/${await seedCode(cast)}`, { ...VOID, ...fault }),
      path,
    );
  });

  test('is 403 for a VOLUNTEER or a MANAGER, and the code stays valid', async () => {
    const code = await seedCode(cast);
    for (const person of [cast.volunteer, cast.manager])
      refused(await person.patch(`/api/referral-codes/${code}`, VOID), 403);
    expect(await reasonOf(cast, code)).toBeNull();
  });
});
