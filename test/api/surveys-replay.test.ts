/** A device resends what may not have arrived: nothing is stored twice, and nothing is lost. */
import { ANSWERS } from '../make.ts';
import { castOfFile, draft, flagsOf, read, refused, seedCode, stateOf, submit, uuid } from './kit.ts';

const cast = castOfFile();

const total = async (path: string) =>
  (await cast.root.get(`${path}?total=true&limit=1`).expect(200)).body.total;

test('the same clientId from the same user returns 200 with the stored survey, and stores nothing', async () => {
  const body = draft(cast, { clientId: uuid(), referralCode: await seedCode(cast) });
  const first = await cast.volunteer.post('/api/surveys', body).expect(201);
  const before = [await total('/api/surveys'), await total('/api/seeds'), await total('/api/referral-codes')];
  const again = await cast.volunteer.post('/api/surveys', body).expect(200);
  expect(again.body).toEqual(first.body);
  expect([
    await total('/api/surveys'),
    await total('/api/seeds'),
    await total('/api/referral-codes'),
  ]).toEqual(before);
});

test('a replay without a code creates no second walk-in seed', async () => {
  const body = draft(cast, { clientId: uuid() });
  const first = await cast.volunteer.post('/api/surveys', body).expect(201);
  const seeds = await total('/api/seeds');
  const again = await cast.volunteer.post('/api/surveys', body).expect(200);
  expect(again.body.seed).toBe(first.body.seed);
  expect(await total('/api/seeds')).toBe(seeds);
});

test('a replay compares parsed requests: with defaults, canonical codes and any key order', async () => {
  const code = await seedCode(cast);
  const clientId = uuid();
  const first = await cast.volunteer
    .post('/api/surveys', draft(cast, { clientId, referralCode: code }))
    .expect(201);
  const again = await cast.volunteer
    .post('/api/surveys', {
      onCodeProblem: 'REJECT',
      status: 'COMPLETED',
      referralCode: ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4).toLowerCase()} `,
      responses: { comment: ANSWERS.comment, networkSize: ANSWERS.networkSize },
      clientId,
      location: cast.site,
    })
    .expect(200);
  expect(again.body).toEqual(first.body);
});

test('a replay may add the default questionnaire or omit the one sent first', async () => {
  const active = (await cast.volunteer.get('/api/questionnaires/active').expect(200)).body.id;
  for (const [first, second] of [
    [{}, { questionnaire: active }],
    [{ questionnaire: active }, {}],
    [{ questionnaire: active }, { questionnaire: active.toUpperCase() }],
  ]) {
    const body = draft(cast, { clientId: uuid() });
    const { id } = (await cast.volunteer.post('/api/surveys', { ...body, ...first }).expect(201)).body;
    const again = await cast.volunteer.post('/api/surveys', { ...body, ...second }).expect(200);
    expect([again.body.id, again.body.flags]).toEqual([id, []]);
    const other = { ...body, questionnaire: '0123456789abcdef01234567' };
    refused(await cast.volunteer.post('/api/surveys', other), 409, 'EDIT_CONFLICT');
  }
});

test('a replay after a change returns the current survey', async () => {
  const body = draft(cast, { clientId: uuid() });
  const { id } = (await cast.volunteer.post('/api/surveys', body).expect(201)).body;
  await cast.volunteer.patch(`/api/surveys/${id}`, { responses: { networkSize: 99 } }).expect(200);
  const again = await cast.volunteer.post('/api/surveys', body).expect(200);
  expect(again.body).toMatchObject({ id, networkSize: 99 });
});

test('a replay after a deletion returns 200 with the survey, so that the device can clear its outbox', async () => {
  const body = draft(cast, { clientId: uuid() });
  const first = (await cast.volunteer.post('/api/surveys', body).expect(201)).body;
  await cast.admin.delete(`/api/surveys/${first.id}`).expect(204);
  const before = await total('/api/surveys');
  const again = await cast.volunteer.post('/api/surveys', body).expect(200);
  expect(again.body).toMatchObject({ id: first.id, clientId: first.clientId });
  expect(await total('/api/surveys')).toBe(before);
  refused(await cast.root.get(`/api/surveys/${first.id}`), 404);
});

test('a replay on the next day, when the volunteer may no longer read the survey, is still 200', async () => {
  const body = draft(cast, { clientId: uuid() });
  const { id } = (await cast.volunteer.post('/api/surveys', body).expect(201)).body;
  cast.world.clock.advance(48 * 3_600_000);
  try {
    refused(await cast.volunteer.get(`/api/surveys/${id}`), 403);
    expect((await cast.volunteer.post('/api/surveys', body).expect(200)).body.id).toBe(id);
  } finally {
    cast.world.clock.real();
  }
});

test('a replay is 200 even after the site was deleted or another questionnaire activated', async () => {
  const location = await cast.world.place();
  const body = draft(cast, { clientId: uuid(), location });
  const { id } = (await cast.volunteer.post('/api/surveys', body).expect(201)).body;
  await cast.admin.delete(`/api/locations/${location}`).expect(204);
  expect((await cast.volunteer.post('/api/surveys', body).expect(200)).body.id).toBe(id);

  const before = (await cast.admin.get('/api/questionnaires/active').expect(200)).body;
  const definition = { elements: [{ type: 'text', name: 'other', inputType: 'number', isRequired: true }] };
  const other = { name: 'Other', definition, networkSizeQuestion: 'other' };
  const next = (await cast.admin.post('/api/questionnaires', other).expect(201)).body;
  await cast.admin.patch(`/api/questionnaires/${next.id}`, { active: true, confirm: true }).expect(200);
  const again = await cast.volunteer.post('/api/surveys', body);
  await cast.admin.patch(`/api/questionnaires/${before.id}`, { active: true, confirm: true }).expect(200);
  expect([again.status, again.body.id]).toEqual([200, id]);
});

test('a replay by a manager who was assigned to another site is 200', async () => {
  const body = draft(cast, { clientId: uuid() });
  const { id } = (await cast.manager.post('/api/surveys', body).expect(201)).body;
  const location = await cast.world.place();
  await cast.root.patch(`/api/users/${cast.manager.id}`, { location }).expect(200);
  const again = await cast.manager.post('/api/surveys', body);
  await cast.root.patch(`/api/users/${cast.manager.id}`, { location: cast.site }).expect(200);
  expect([again.status, again.body.id]).toEqual([200, id]);
});

test('the same clientId from another user is another survey', async () => {
  const clientId = uuid();
  const other = await cast.world.person({ location: cast.site });
  const first = await submit(cast, { clientId });
  const second = await submit(cast, { clientId }, other);
  expect(second.id).not.toBe(first.id);
  expect(second.clientId).toBe(first.clientId);
});

test('a clientId is case-insensitive', async () => {
  const clientId = uuid();
  const first = await submit(cast, { clientId });
  const again = await cast.volunteer.post('/api/surveys', draft(cast, { clientId: clientId.toUpperCase() }));
  expect([again.status, again.body.id]).toEqual([200, first.id]);
});

test('the same clientId with other content is 409 EDIT_CONFLICT, and a copy is kept', async () => {
  const clientId = uuid();
  const first = await submit(cast, { clientId });
  const other = { networkSize: 31, comment: 'the second copy says otherwise' };
  refused(
    await cast.volunteer.post('/api/surveys', draft(cast, { clientId, responses: other })),
    409,
    'EDIT_CONFLICT',
  );
  const stored = await read(cast, first.id);
  expect(stored.responses).toEqual(first.responses);
  expect(flagsOf(stored)).toEqual(['SECOND_COPY']);
  expect(JSON.stringify(stored.flags[0])).toContain('the second copy says otherwise');
  expect(stored.flags[0].at).toMatch(/^\d{4}-/);
  // A decision by someone who has not seen the copy must not clear its flag.
  expect(stored.version).toBe(first.version + 1);
  const clear = cast.manager
    .patch(`/api/surveys/${first.id}`, { clearFlags: ['SECOND_COPY'] })
    .set('If-Match', `"${first.version}"`);
  refused(await clear, 409, 'EDIT_CONFLICT');
});

test.each([undefined, 'FLAG'])(
  'a code of any length is malformed, and with onCodeProblem %s no interview is lost',
  async (onCodeProblem) => {
    const body = draft(cast, { referralCode: 'A'.repeat(5_000), onCodeProblem });
    const answer = await cast.volunteer.post('/api/surveys', body);
    if (onCodeProblem)
      expect([answer.status, flagsOf(answer.body)]).toEqual([201, ['REFERRAL_CODE_MALFORMED']]);
    else refused(answer, 400, 'REFERRAL_CODE_MALFORMED');
  },
);

test('a clientId may be any UUID, also of no known version', async () => {
  const clientId = '11111111-1111-1111-1111-111111111111';
  const first = await submit(cast, { clientId });
  const again = await cast.volunteer.post('/api/surveys', draft(cast, { clientId })).expect(200);
  expect(again.body.id).toBe(first.id);
});

test('the same second copy sent twice is kept once', async () => {
  const clientId = uuid();
  const { id } = await submit(cast, { clientId });
  const copy = draft(cast, { clientId, responses: { networkSize: 2 } });
  for (const _ of [1, 2, 3]) refused(await cast.volunteer.post('/api/surveys', copy), 409, 'EDIT_CONFLICT');
  expect(flagsOf(await read(cast, id))).toEqual(['SECOND_COPY']);
});

test('a second copy redeems no code', async () => {
  const clientId = uuid();
  const code = await seedCode(cast);
  const { id } = await submit(cast, { clientId });
  refused(
    await cast.volunteer.post('/api/surveys', draft(cast, { clientId, referralCode: code })),
    409,
    'EDIT_CONFLICT',
  );
  expect(await stateOf(cast, code)).toMatchObject({ state: 'LIVE', redeemedBy: null });
  expect(JSON.stringify((await read(cast, id)).flags)).toContain(code);
});

test('the first copy still replays after a second copy arrived', async () => {
  const body = draft(cast, { clientId: uuid() });
  const { id } = (await cast.volunteer.post('/api/surveys', body).expect(201)).body;
  await cast.volunteer.post('/api/surveys', { ...body, responses: { networkSize: 3 } }).expect(409);
  const again = await cast.volunteer.post('/api/surveys', body).expect(200);
  expect(again.body.id).toBe(id);
  expect(flagsOf(again.body)).toEqual(['SECOND_COPY']);
});

test('clearFlags removes the second copy’s flag', async () => {
  const clientId = uuid();
  const { id } = await submit(cast, { clientId });
  await cast.volunteer
    .post('/api/surveys', draft(cast, { clientId, responses: { networkSize: 3 } }))
    .expect(409);
  const cleared = await cast.manager.patch(`/api/surveys/${id}`, { clearFlags: ['SECOND_COPY'] }).expect(200);
  expect(cleared.body.flags).toEqual([]);
});

test('a cleared second copy stays in the history; a copy not cleared is not repeated there', async () => {
  const clientId = uuid();
  const { id } = await submit(cast, { clientId });
  const copy = (networkSize: number) =>
    cast.volunteer.post('/api/surveys', draft(cast, { clientId, responses: { networkSize } })).expect(409);
  await copy(77);
  await cast.volunteer.patch(`/api/surveys/${id}`, { clearFlags: ['SECOND_COPY'] }).expect(200);
  const history = (await cast.root.get(`/api/surveys/${id}/history`).expect(200)).body;
  expect(history.at(-1).changes[0].before).toMatchObject([{ copy: { responses: { networkSize: 77 } } }]);
  await copy(78);
  await cast.volunteer.patch(`/api/surveys/${id}`, { clearFlags: ['CLOCK_ODD'] }).expect(200);
  expect((await read(cast, id)).flags).toMatchObject([{ copy: { responses: { networkSize: 78 } } }]);
});

test.each([
  [
    'of no question',
    400,
    'VALIDATION_ERROR',
    { status: 'COMPLETED', responses: { networkSize: 3, junk: 'x' } },
  ],
  ['of no question', 400, 'VALIDATION_ERROR', { status: 'IN_PROGRESS', responses: { junk: 'x' } }],
  ['too large', 413, 'TOO_LARGE', { status: 'IN_PROGRESS', responses: { comment: 'x'.repeat(100_000) } }],
])('an invalid second copy is rejected and not kept: %s, %d', async (_, status, code, fault) => {
  const clientId = uuid();
  const { id } = await submit(cast, { clientId });
  cast.world.clock.advance(24 * 3_600_000);
  try {
    refused(await cast.volunteer.post('/api/surveys', draft(cast, { clientId, ...fault })), status, code);
  } finally {
    cast.world.clock.real();
  }
  expect((await read(cast, id)).flags).toEqual([]);
});
