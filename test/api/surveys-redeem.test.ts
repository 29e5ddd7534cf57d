/** Redeeming a referral code: seed, recruiter and wave; invalid codes under REJECT and FLAG. */
import { makeSeed } from '../make.ts';
import {
  castOfFile,
  DAY,
  draft,
  flagsOf,
  HEX_ID,
  ISO,
  people,
  read,
  reasonOf,
  refused,
  seedCode,
  setStudy,
  stateOf,
  submit,
  unknownCode,
  uuid,
} from './kit.ts';

const cast = castOfFile();
const bad: Record<string, string> = {};

beforeAll(async () => {
  bad.USED = await seedCode(cast);
  await submit(cast, { referralCode: bad.USED });
  const seed = await makeSeed(cast.world, cast.admin, { location: cast.site });
  bad.VOID = seed.referralCode;
  await cast.admin.delete(`/api/seeds/${seed.id}`).expect(204);
  bad.UNKNOWN = unknownCode();
  bad.MALFORMED = 'ABCDEFGD';
  await setStudy(cast, { couponValidDays: 1 });
  bad.EXPIRED = (await submit(cast)).issuedCodes[0];
  cast.world.clock.advance(5 * DAY);
  Object.assign(cast, await people(cast.world, cast.site));
  await setStudy(cast, { couponValidDays: null, couponStartsAfterHours: 24 });
  bad.NOT_YET = (await submit(cast)).issuedCodes[0];
  await setStudy(cast, { couponStartsAfterHours: 0 });
});

test('a seed’s code makes wave 0 without a recruiter, and the seed has the survey’s id', async () => {
  const seed = await makeSeed(cast.world, cast.volunteer, { location: cast.site });
  const survey = await submit(cast, { referralCode: seed.referralCode });
  expect(survey).toMatchObject({ referralCode: seed.referralCode, seed: seed.id, recruiter: null, wave: 0 });
  expect((await cast.root.get(`/api/seeds/${seed.id}`).expect(200)).body.survey).toBe(survey.id);
  expect(await stateOf(cast, seed.referralCode)).toMatchObject({ state: 'USED', redeemedBy: survey.id });
});

test('a survey’s code makes the recruiter’s wave + 1 in the same chain', async () => {
  const first = await submit(cast);
  let recruiter = first;
  for (const wave of [1, 2, 3]) {
    const next = await submit(cast, { referralCode: recruiter.issuedCodes[wave - 1] });
    expect(next).toMatchObject({ seed: first.seed, recruiter: recruiter.id, wave });
    recruiter = next;
  }
});

test('without a code a walk-in seed is created and its code redeemed', async () => {
  const survey = await submit(cast);
  const { body: seed } = await cast.root.get(`/api/seeds/${survey.seed}`).expect(200);
  expect(seed).toMatchObject({ kind: 'WALK_IN', location: cast.site, survey: survey.id });
  expect(survey).toMatchObject({ referralCode: seed.referralCode, wave: 0, recruiter: null });
  expect(await reasonOf(cast, seed.referralCode)).toBe('USED');
});

test('a code is accepted in any case, with spaces or hyphens, O for 0, I and L for 1, and stored canonical', async () => {
  const code = await seedCode(cast);
  const sloppy = `${code.slice(0, 2)}-${code.slice(2, 5)} - ${code.slice(5)}`
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll('1', 'l');
  expect((await submit(cast, { referralCode: sloppy })).referralCode).toBe(code);
});

const CASES: [reason: string, status: number, code: string | undefined][] = [
  ['MALFORMED', 400, 'REFERRAL_CODE_MALFORMED'],
  ['UNKNOWN', 404, undefined],
  ['USED', 409, 'REFERRAL_CODE_USED'],
  ['VOID', 409, 'REFERRAL_CODE_VOID'],
  ['EXPIRED', 409, 'REFERRAL_CODE_EXPIRED'],
  ['NOT_YET', 409, 'REFERRAL_CODE_NOT_YET'],
];

describe.each(CASES)('a code that is %s', (reason, status, code) => {
  test('is rejected by default and with REJECT, and nothing is stored', async () => {
    const body = draft(cast, { referralCode: bad[reason], clientId: uuid() });
    refused(await cast.volunteer.post('/api/surveys', body), status, code);
    refused(await cast.volunteer.post('/api/surveys', { ...body, onCodeProblem: 'REJECT' }), status, code);
    // If one of them had been stored, this would be a replay or a conflict.
    const good = { ...body, referralCode: await seedCode(cast) };
    await cast.volunteer.post('/api/surveys', good).expect(201);
  });

  test('with FLAG the survey is stored with a flag, without code and chain', async () => {
    const body = draft(cast, { referralCode: bad[reason], clientId: uuid(), onCodeProblem: 'FLAG' });
    const { body: survey } = await cast.volunteer.post('/api/surveys', body).expect(201);
    expect(survey).toMatchObject({ referralCode: null, seed: null, recruiter: null, wave: null });
    expect(survey.flags).toEqual([
      expect.objectContaining({
        code: `REFERRAL_CODE_${reason}`,
        referralCode: bad[reason],
        at: expect.stringMatching(ISO),
      }),
    ]);
    expect(survey.issuedCodes).toHaveLength(3);
    expect((await cast.volunteer.post('/api/surveys', body).expect(200)).body).toEqual(survey);
  });

  test('is rejected in a PATCH of a flagged survey, which keeps its flag', async () => {
    const survey = await submit(cast, { referralCode: unknownCode(), onCodeProblem: 'FLAG' });
    refused(
      await cast.manager.patch(`/api/surveys/${survey.id}`, { referralCode: bad[reason] }),
      status,
      code,
    );
    expect(await read(cast, survey.id)).toEqual(survey);
  });
});

test.each(['', 'hello!', '☃', 'X'.repeat(300), 'ABCD-EFGC-ABCD'])(
  'with FLAG an interview with the invalid code %j is stored',
  async (referralCode) => {
    expect(await submit(cast, { referralCode, onCodeProblem: 'FLAG' })).toMatchObject({
      status: 'COMPLETED',
    });
  },
);

test('with FLAG a valid code is redeemed without a flag', async () => {
  const survey = await submit(cast, { referralCode: await seedCode(cast), onCodeProblem: 'FLAG' });
  expect(survey).toMatchObject({ wave: 0, flags: [], seed: expect.stringMatching(HEX_ID) });
});

test('PATCH with the right referralCode puts a flagged survey into its chain and clears the flag', async () => {
  const recruiter = await submit(cast);
  const survey = await submit(cast, { referralCode: bad.USED, onCodeProblem: 'FLAG' });
  const [code] = recruiter.issuedCodes;
  const patched = await cast.manager.patch(`/api/surveys/${survey.id}`, { referralCode: code }).expect(200);
  expect(patched.body).toMatchObject({
    referralCode: code,
    recruiter: recruiter.id,
    seed: recruiter.seed,
    wave: 1,
    flags: [],
  });
  expect(await stateOf(cast, code)).toMatchObject({ state: 'USED', redeemedBy: survey.id });
});

test('PATCH with the right referralCode sets seed and wave of the survey’s recruits', async () => {
  const recruiter = await submit(cast);
  const flagged = await submit(cast, { referralCode: bad.VOID, onCodeProblem: 'FLAG' });
  const child = await submit(cast, { referralCode: flagged.issuedCodes[0] });
  const grandchild = await submit(cast, { referralCode: child.issuedCodes[0] });
  expect(child).toMatchObject({ recruiter: flagged.id, seed: null, wave: null });
  await cast.manager
    .patch(`/api/surveys/${flagged.id}`, { referralCode: recruiter.issuedCodes[0] })
    .expect(200);
  expect(await read(cast, child.id)).toMatchObject({ recruiter: flagged.id, seed: recruiter.seed, wave: 2 });
  expect(await read(cast, grandchild.id)).toMatchObject({
    recruiter: child.id,
    seed: recruiter.seed,
    wave: 3,
  });
});

test('PATCH of an existing referralCode is 409 INVALID_TRANSITION, and the new code stays valid', async () => {
  const code = await seedCode(cast);
  for (const survey of [await submit(cast), await submit(cast, { referralCode: await seedCode(cast) })]) {
    refused(
      await cast.manager.patch(`/api/surveys/${survey.id}`, { referralCode: code }),
      409,
      'INVALID_TRANSITION',
    );
  }
  expect(await reasonOf(cast, code)).toBeNull();
});

test('clearFlags clears only the flags listed', async () => {
  const survey = await submit(cast, {
    referralCode: bad.USED,
    issuedCodes: [unknownCode()],
    onCodeProblem: 'FLAG',
  });
  expect(flagsOf(survey).sort()).toEqual(['ISSUED_CODE_REFUSED', 'REFERRAL_CODE_USED']);
  const patched = await cast.manager
    .patch(`/api/surveys/${survey.id}`, { clearFlags: ['REFERRAL_CODE_USED'] })
    .expect(200);
  expect(flagsOf(patched.body)).toEqual(['ISSUED_CODE_REFUSED']);
  expect(patched.body.referralCode).toBeNull();
});
