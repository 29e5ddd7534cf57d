/** Concurrent requests: what may happen only once happens only once. */
import type { Response } from 'supertest';
import {
  castOfFile,
  draft,
  read,
  refused,
  reserve,
  seedCode,
  stateOf,
  submit,
  tally,
  times,
  unknownCode,
  uuid,
} from '../api/kit.ts';
import { ANSWERS, type Body, makeSeed } from '../make.ts';
import type { Test } from '../people.ts';

const cast = castOfFile();

const together = (count: number, make: (index: number) => Test): Promise<Response[]> =>
  Promise.all(times(count, (index) => make(index).then((answer) => answer)));
const post = (fields: Record<string, unknown>) => cast.volunteer.post('/api/surveys', draft(cast, fields));
const totalOf = async (path: string) =>
  (await cast.root.get(`${path}?total=true&limit=1`).expect(200)).body.total;

test('exactly one of 100 redemptions of one code is 201, the others are 409 REFERRAL_CODE_USED', async () => {
  const referralCode = await seedCode(cast);
  const before = await totalOf('/api/surveys');
  const answers = await together(100, () => post({ referralCode, clientId: uuid() }));
  expect(tally(answers)).toEqual({ 201: 1, '409 REFERRAL_CODE_USED': 99 });
  expect(await totalOf('/api/surveys')).toBe(before + 1);
  const winner = answers.find(({ status }) => status === 201)?.body;
  expect(await stateOf(cast, referralCode)).toMatchObject({ state: 'USED', redeemedBy: winner.id });
});

test('of 50 redemptions of one code with FLAG, one joins the chain and 49 are flagged', async () => {
  const referralCode = await seedCode(cast);
  const answers = await together(50, () => post({ referralCode, onCodeProblem: 'FLAG' }));
  expect(tally(answers)).toEqual({ 201: 50 });
  expect(answers.filter(({ body }) => body.wave === 0)).toHaveLength(1);
  const flagged = answers.filter(({ body }) => body.flags[0]?.code === 'REFERRAL_CODE_USED');
  expect(flagged).toHaveLength(49);
  expect(flagged.every(({ body }) => body.seed === null)).toBe(true);
});

test('50 simultaneous replays of one clientId store one survey with one set of codes and one seed', async () => {
  const before = [
    await totalOf('/api/surveys'),
    await totalOf('/api/seeds'),
    await totalOf('/api/referral-codes'),
  ];
  const clientId = uuid();
  const answers = await together(50, () => post({ clientId }));
  expect(tally(answers)).toEqual({ 200: 49, 201: 1 });
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  const after = [
    await totalOf('/api/surveys'),
    await totalOf('/api/seeds'),
    await totalOf('/api/referral-codes'),
  ];
  expect(after.map((count, index) => count - before[index])).toEqual([1, 1, 4]);
});

test('replays of one survey return that survey while others try to redeem its code', async () => {
  for (const _ of times(5, Number)) {
    const referralCode = await seedCode(cast);
    const clientId = uuid();
    const answers = await together(30, (index) =>
      post({ referralCode, clientId: index % 3 ? clientId : uuid() }),
    );
    const counts = tally(answers);
    expect(counts['201']).toBe(1);
    const mine = answers.filter((_answer, index) => index % 3);
    const won = mine.some(({ status }) => status === 201);
    expect(tally(mine)).toEqual(won ? { 201: 1, 200: 19 } : { '409 REFERRAL_CODE_USED': 20 });
  }
});

test('of two simultaneous contents under one clientId, one is stored and the other kept as a copy', async () => {
  const clientId = uuid();
  const answers = await together(20, (index) => post({ clientId, responses: { networkSize: index % 2 } }));
  expect(tally(answers)).toEqual({ 200: 9, 201: 1, '409 EDIT_CONFLICT': 10 });
  const stored = await read(cast, answers.find(({ status }) => status === 201)?.body.id);
  expect(new Set(stored.flags.map((flag: Body) => flag.code))).toEqual(new Set(['SECOND_COPY']));
});

test('exactly one of ten PATCHes with the same If-Match is 200', async () => {
  const survey = await submit(cast);
  const answers = await together(10, (index) =>
    cast.volunteer.patch(
      `/api/surveys/${survey.id}`,
      { responses: { networkSize: 100 + index } },
      { 'If-Match': `"${survey.version}"` },
    ),
  );
  expect(tally(answers)).toEqual({ 200: 1, '409 EDIT_CONFLICT': 9 });
  const winner = answers.find(({ status }) => status === 200)?.body;
  expect(await read(cast, survey.id)).toEqual(winner);
});

test('ten PATCHes without If-Match are all in the history', async () => {
  const survey = await submit(cast);
  const answers = await together(10, (index) =>
    cast.volunteer.patch(`/api/surveys/${survey.id}`, {
      responses: { networkSize: 200 + index, comment: 'none' },
    }),
  );
  expect(tally(answers)).toEqual({ 200: 10 });
  const { body } = await cast.root.get(`/api/surveys/${survey.id}/history`).expect(200);
  const changes = body
    .flatMap((entry: Body) => entry.changes)
    .filter((change: Body) => change.path === 'responses.networkSize');
  expect(changes).toHaveLength(10);
  // Each change starts from the one before: none is overwritten unseen, and they are in order.
  const befores = changes.map((change: Body) => change.before);
  const afters = changes.map((change: Body) => change.after);
  const last = (await read(cast, survey.id)).networkSize;
  expect([...befores, last]).toEqual([12, ...afters]);
  expect(new Set(afters).size).toBe(10);
});

test('ten simultaneous completions of one interview issue its codes once', async () => {
  const survey = await submit(cast, { status: 'IN_PROGRESS' });
  const answers = await together(10, () =>
    cast.volunteer.patch(`/api/surveys/${survey.id}`, { status: 'COMPLETED', responses: ANSWERS }),
  );
  expect(tally(answers)).toEqual({ 200: 10 });
  const { body } = await cast.root.get(`/api/referral-codes?survey=${survey.id}`).expect(200);
  expect(body.data).toHaveLength(3);
  expect((await read(cast, survey.id)).issuedCodes.sort()).toEqual(
    body.data.map((item: Body) => item.code).sort(),
  );
});

test('a seed is either deleted or redeemed, never both', async () => {
  for (const _ of times(20, Number)) {
    const seed = await makeSeed(cast.world, cast.admin, { location: cast.site });
    const [deleted, redeemed] = await Promise.all([
      cast.admin.delete(`/api/seeds/${seed.id}`).then((answer) => answer),
      post({ referralCode: seed.referralCode }).then((answer) => answer),
    ]);
    if (deleted.status === 204) refused(redeemed, 409, 'REFERRAL_CODE_VOID');
    else {
      refused(deleted, 409, 'SEED_IN_USE');
      expect(redeemed.status).toBe(201);
    }
    expect(await stateOf(cast, seed.referralCode)).toMatchObject({
      state: deleted.status === 204 ? 'VOID' : 'USED',
    });
  }
});

test('a code is either voided or redeemed, never both', async () => {
  for (const _ of times(10, Number)) {
    const referralCode = await seedCode(cast);
    const [voided, redeemed] = await Promise.all([
      cast.admin
        .patch(`/api/referral-codes/${referralCode}`, { void: true, reason: 'lost' })
        .then((answer) => answer),
      post({ referralCode }).then((answer) => answer),
    ]);
    expect([
      [200, 409],
      [409, 201],
    ]).toContainEqual([voided.status, redeemed.status]);
  }
});

test('only one of two flagged surveys and a new one gets the same code', async () => {
  for (const _ of times(6, Number)) {
    const referralCode = await seedCode(cast);
    const flagged = [
      await submit(cast, { referralCode: unknownCode(), onCodeProblem: 'FLAG' }),
      await submit(cast, { referralCode: unknownCode(), onCodeProblem: 'FLAG' }),
    ];
    const answers = await Promise.all([
      ...flagged.map(({ id }) =>
        cast.manager.patch(`/api/surveys/${id}`, { referralCode }).then((answer) => answer),
      ),
      post({ referralCode }).then((answer) => answer),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([expect.any(Number), 409, 409]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  }
});

test('only one of ten surveys can hand out the same reserved code', async () => {
  const [code] = await reserve(cast.volunteer, 1);
  const answers = await together(10, () => post({ issuedCodes: [code] }));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400 || status === 409)).toHaveLength(9);
  const winner = answers.find(({ status }) => status === 201)?.body;
  expect(await stateOf(cast, String(code))).toMatchObject({ survey: winner.id });
});

test('only one of ten simultaneous locations with one name is created', async () => {
  const name = `Race ${uuid()}`;
  const answers = await together(10, (index) =>
    cast.admin.post('/api/locations', { name: index % 2 ? name : name.toUpperCase(), type: 'OTHER' }),
  );
  expect(tally(answers)).toEqual({ 201: 1, '409 NAME_TAKEN': 9 });
});

test('simultaneous versions of one questionnaire get consecutive numbers, and one stays active', async () => {
  const definition = { elements: [{ type: 'text', name: 'size', inputType: 'number' }] };
  const body = { name: `Race ${uuid()}`, definition, networkSizeQuestion: 'size' };
  const answers = await together(6, () => cast.admin.post('/api/questionnaires', body));
  expect(tally(answers)).toEqual({ 201: 6 });
  expect(answers.map((answer) => answer.body.version).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  const activated = await together(6, (index) =>
    cast.admin.patch(`/api/questionnaires/${answers[index]?.body.id}`, { active: true, confirm: true }),
  );
  expect(tally(activated)).toEqual({ 200: 6 });
  const { data } = (await cast.root.get('/api/questionnaires?limit=200').expect(200)).body;
  expect(data.filter((one: Body) => one.active)).toHaveLength(1);
});
