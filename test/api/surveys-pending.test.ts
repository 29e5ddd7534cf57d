/**
 * Coupons from a device that is still offline: a reserved code is redeemed before the survey that handed it out has
 * arrived. The arrival fills in seed, recruiter and wave, down the whole subtree.
 */
import type { Body } from '../make.ts';
import {
  castOfFile,
  draft,
  flagsOf,
  read,
  reasonOf,
  refused,
  reserve,
  seedCode,
  stateOf,
  submit,
  unknownCode,
  uuid,
} from './kit.ts';

const cast = castOfFile();

const one = async () => String((await reserve(cast.volunteer, 1))[0]);
const PENDING = { seed: null, recruiter: null, wave: null };
const chainOf = async (survey: Body) => {
  const { seed, recruiter, wave } = await read(cast, survey.id);
  return { seed, recruiter, wave };
};

test('a reserved code is valid before its survey has arrived, and can be redeemed once', async () => {
  const code = await one();
  expect(await reasonOf(cast, code)).toBeNull();
  const survey = await submit(cast, { referralCode: code });
  expect(survey).toMatchObject({ ...PENDING, referralCode: code });
  expect(survey.flags).toEqual([expect.objectContaining({ code: 'RECRUITER_PENDING', referralCode: code })]);
  expect(await reasonOf(cast, code)).toBe('USED');
  refused(
    await cast.volunteer.post('/api/surveys', draft(cast, { referralCode: code })),
    409,
    'REFERRAL_CODE_USED',
  );
});

test('the recruiter’s survey fills in seed, recruiter and wave, and removes the flag', async () => {
  const code = await one();
  const child = await submit(cast, { referralCode: code });
  const recruiter = await submit(cast, { referralCode: await seedCode(cast), issuedCodes: [code] });
  expect(recruiter.issuedCodes).toContain(code);
  expect(recruiter.flags).toEqual([]);
  const stored = await read(cast, child.id);
  expect(stored).toMatchObject({
    seed: recruiter.seed,
    recruiter: recruiter.id,
    wave: 1,
    referralCode: code,
  });
  expect(flagsOf(stored)).toEqual([]);
  expect(await stateOf(cast, code)).toMatchObject({
    state: 'USED',
    survey: recruiter.id,
    redeemedBy: child.id,
  });
});

test('recruits two levels below are filled in as well, also by a walk-in', async () => {
  const code = await one();
  const child = await submit(cast, { referralCode: code });
  const left = await submit(cast, { referralCode: child.issuedCodes[0] });
  const right = await submit(cast, { referralCode: child.issuedCodes[1] });
  const grandchild = await submit(cast, { referralCode: left.issuedCodes[0] });
  expect(left).toMatchObject({ recruiter: child.id, seed: null, wave: null });
  const recruiter = await submit(cast, { issuedCodes: [code] });
  const { seed } = recruiter;
  expect(await chainOf(child)).toEqual({ seed, recruiter: recruiter.id, wave: 1 });
  expect(await chainOf(left)).toEqual({ seed, recruiter: child.id, wave: 2 });
  expect(await chainOf(right)).toEqual({ seed, recruiter: child.id, wave: 2 });
  expect(await chainOf(grandchild)).toEqual({ seed, recruiter: left.id, wave: 3 });
  for (const survey of [child, left, right, grandchild])
    expect(flagsOf(await read(cast, survey.id))).toEqual([]);
});

describe.each([
  ['the upper first', ['upper', 'lower']],
  ['the lower first', ['lower', 'upper']],
])('with two levels pending, arriving %s,', (_, order) => {
  test('the whole chain is filled in at the end', async () => {
    const [top, middle] = [await one(), await one()];
    // upper hands out `top`; lower redeems `top` and hands out `middle`; leaf redeems `middle`; below redeems leaf's.
    const leaf = await submit(cast, { referralCode: middle });
    const below = await submit(cast, { referralCode: leaf.issuedCodes[0] });
    const bodies: Record<string, object> = {
      upper: { referralCode: await seedCode(cast), issuedCodes: [top] },
      lower: { referralCode: top, issuedCodes: [middle] },
    };
    const surveyByName: Record<string, Body> = {};
    for (const name of order)
      surveyByName[name] = await submit(cast, bodies[name] as Record<string, unknown>);
    const { seed } = surveyByName.upper;
    expect(await chainOf(surveyByName.upper)).toEqual({ seed: expect.any(String), recruiter: null, wave: 0 });
    expect(await chainOf(surveyByName.lower)).toEqual({ seed, recruiter: surveyByName.upper.id, wave: 1 });
    expect(await chainOf(leaf)).toEqual({ seed, recruiter: surveyByName.lower.id, wave: 2 });
    expect(await chainOf(below)).toEqual({ seed, recruiter: leaf.id, wave: 3 });
    for (const survey of [surveyByName.lower, leaf, below])
      expect(flagsOf(await read(cast, survey.id))).toEqual([]);
  });
});

test('one recruiter’s survey fills in the recruits of all its codes', async () => {
  const codes = await reserve(cast.volunteer, 3);
  const children: Body[] = [];
  for (const referralCode of codes) children.push(await submit(cast, { referralCode }));
  const recruiter = await submit(cast, { issuedCodes: codes });
  for (const child of children)
    expect(await chainOf(child)).toEqual({ seed: recruiter.seed, recruiter: recruiter.id, wave: 1 });
});

test('a recruiter’s survey in progress fills in its recruit as well', async () => {
  const code = await one();
  const child = await submit(cast, { referralCode: code });
  const recruiter = await submit(cast, { status: 'IN_PROGRESS', responses: {}, issuedCodes: [code] });
  expect(await chainOf(child)).toEqual({ seed: recruiter.seed, recruiter: recruiter.id, wave: 1 });
});

test('a flagged recruiter is set as recruiter; correcting its code fills in seed and wave', async () => {
  const code = await one();
  const child = await submit(cast, { referralCode: code });
  const below = await submit(cast, { referralCode: child.issuedCodes[0] });
  const recruiter = await submit(cast, {
    referralCode: unknownCode(),
    issuedCodes: [code],
    onCodeProblem: 'FLAG',
  });
  expect(await chainOf(child)).toEqual({ seed: null, recruiter: recruiter.id, wave: null });
  const right = await seedCode(cast);
  const { body } = await cast.manager
    .patch(`/api/surveys/${recruiter.id}`, { referralCode: right })
    .expect(200);
  expect(await chainOf(child)).toEqual({ seed: body.seed, recruiter: recruiter.id, wave: 1 });
  expect(await chainOf(below)).toEqual({ seed: body.seed, recruiter: child.id, wave: 2 });
});

test('a flagged survey can get a reserved code by PATCH, and then is pending for its recruiter', async () => {
  const code = await one();
  const survey = await submit(cast, { referralCode: unknownCode(), onCodeProblem: 'FLAG' });
  const { body } = await cast.manager.patch(`/api/surveys/${survey.id}`, { referralCode: code }).expect(200);
  expect(body).toMatchObject({ ...PENDING, referralCode: code });
  expect(flagsOf(body)).toEqual(['RECRUITER_PENDING']);
  const recruiter = await submit(cast, { issuedCodes: [code] });
  expect(await chainOf(survey)).toEqual({ seed: recruiter.seed, recruiter: recruiter.id, wave: 1 });
});

test('setting another code on a pending survey by PATCH is 409 INVALID_TRANSITION', async () => {
  const survey = await submit(cast, { referralCode: await one() });
  refused(
    await cast.manager.patch(`/api/surveys/${survey.id}`, { referralCode: await seedCode(cast) }),
    409,
    'INVALID_TRANSITION',
  );
});

test('the chain below a deleted pending survey is filled in', async () => {
  const code = await one();
  const child = await submit(cast, { referralCode: code });
  const below = await submit(cast, { referralCode: child.issuedCodes[0] });
  await cast.admin.delete(`/api/surveys/${child.id}`).expect(204);
  const recruiter = await submit(cast, { issuedCodes: [code] });
  expect(await chainOf(below)).toEqual({ seed: recruiter.seed, recruiter: child.id, wave: 2 });
});

test('a replay of the recruiter’s survey changes nothing', async () => {
  const code = await one();
  const child = await submit(cast, { referralCode: code });
  const body = draft(cast, { clientId: uuid(), issuedCodes: [code] });
  await cast.volunteer.post('/api/surveys', body).expect(201);
  const before = await read(cast, child.id);
  await cast.volunteer.post('/api/surveys', body).expect(200);
  expect(await read(cast, child.id)).toEqual(before);
});

describe('recruitment cycles:', () => {
  test('a survey that redeems a code it hands out itself is rejected', async () => {
    const code = await one();
    const answer = await cast.volunteer.post(
      '/api/surveys',
      draft(cast, { referralCode: code, issuedCodes: [code] }),
    );
    expect([400, 409]).toContain(answer.status);
    expect(await stateOf(cast, code)).toMatchObject({ state: 'RESERVED', survey: null, redeemedBy: null });
  });

  test('with FLAG such a survey is stored without a recruiter', async () => {
    const code = await one();
    const survey = await submit(cast, { referralCode: code, issuedCodes: [code], onCodeProblem: 'FLAG' });
    expect((await chainOf(survey)).recruiter).toBeNull();
    expect(survey.flags).not.toEqual([]);
  });

  test('three surveys cannot form a cycle', async () => {
    const [a, b, c] = [await one(), await one(), await one()];
    const first = await submit(cast, { referralCode: c, issuedCodes: [a] });
    await submit(cast, { referralCode: a, issuedCodes: [b] });
    const answer = await cast.volunteer.post(
      '/api/surveys',
      draft(cast, { referralCode: b, issuedCodes: [c] }),
    );
    expect([400, 409]).toContain(answer.status);
    expect(await chainOf(first)).toEqual(PENDING);
  });

  test('two surveys cannot recruit each other', async () => {
    const [a, b] = [await one(), await one()];
    const first = await submit(cast, { referralCode: a, issuedCodes: [b] });
    const body = draft(cast, { referralCode: b, issuedCodes: [a] });
    const answer = await cast.volunteer.post('/api/surveys', body);
    expect([400, 409]).toContain(answer.status);
    expect(await chainOf(first)).toEqual(PENDING);
    expect(await submit(cast, { ...body, onCodeProblem: 'FLAG' })).toMatchObject({ status: 'COMPLETED' });
  });

  test('a flagged survey cannot get its own or its descendant’s code by PATCH', async () => {
    const flagged = await submit(cast, { referralCode: unknownCode(), onCodeProblem: 'FLAG' });
    const child = await submit(cast, { referralCode: flagged.issuedCodes[0] });
    for (const referralCode of [flagged.issuedCodes[1], child.issuedCodes[0]]) {
      const answer = await cast.manager.patch(`/api/surveys/${flagged.id}`, { referralCode });
      expect([400, 409]).toContain(answer.status);
    }
    expect((await read(cast, flagged.id)).referralCode).toBeNull();
  });
});
