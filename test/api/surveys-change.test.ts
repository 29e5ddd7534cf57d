/** Changing a survey: allowed changes, transitions, versions, history. */
import { ANSWERS } from '../make.ts';
import {
  castOfFile,
  HOUR,
  ISO,
  NOBODY,
  read,
  refused,
  refusedAt,
  seedCode,
  submit,
  unknownCode,
} from './kit.ts';

const cast = castOfFile();

const patch = (id: string, body: object, ifMatch?: string) =>
  cast.volunteer.patch(`/api/surveys/${id}`, body, ifMatch === undefined ? {} : { 'If-Match': ifMatch });

test('PATCH of responses replaces them and the network size', async () => {
  const survey = await submit(cast);
  const { body } = await patch(survey.id, { responses: { networkSize: 40 } }).expect(200);
  expect(body).toMatchObject({ id: survey.id, networkSize: 40, status: 'COMPLETED' });
  expect(body.responses).toEqual({ networkSize: 40 });
  expect(body.version).toBeGreaterThan(survey.version);
  expect(await read(cast, survey.id)).toEqual(body);
});

test('responses of a completed survey are validated again; an invalid change changes nothing', async () => {
  const survey = await submit(cast);
  refusedAt(await patch(survey.id, { responses: {} }), 'responses.networkSize');
  refusedAt(await patch(survey.id, { responses: { ...ANSWERS, extra: 1 } }), 'responses.extra');
  expect(await read(cast, survey.id)).toEqual(survey);
});

test('400 for an invalid body comes before 409 for a stale version', async () => {
  const survey = await submit(cast);
  refusedAt(await patch(survey.id, { responses: {} }, '"99"'), 'responses.networkSize');
  refused(await patch(survey.id, { referralCode: 'nonsense' }, '"99"'), 400, 'REFERRAL_CODE_MALFORMED');
  refused(await patch(survey.id, { responses: ANSWERS }, '"99"'), 409, 'EDIT_CONFLICT');
});

test('an interview in progress accepts partial answers, and is validated at completion', async () => {
  const survey = await submit(cast, { status: 'IN_PROGRESS', responses: {} });
  await patch(survey.id, { responses: { comment: 'half' } }).expect(200);
  refusedAt(await patch(survey.id, { status: 'COMPLETED' }), 'responses.networkSize');
  expect(await read(cast, survey.id)).toMatchObject({ status: 'IN_PROGRESS', issuedCodes: [] });
  const { body } = await patch(survey.id, { status: 'COMPLETED', responses: ANSWERS }).expect(200);
  expect(body).toMatchObject({
    status: 'COMPLETED',
    networkSize: 12,
    completedAt: expect.stringMatching(ISO),
  });
  expect(body.issuedCodes).toHaveLength(3);
});

test('COMPLETED to IN_PROGRESS is 409 INVALID_TRANSITION; COMPLETED again is 200', async () => {
  const survey = await submit(cast);
  refused(await patch(survey.id, { status: 'IN_PROGRESS' }), 409, 'INVALID_TRANSITION');
  const { body } = await patch(survey.id, { status: 'COMPLETED' }).expect(200);
  expect(body).toMatchObject({ status: 'COMPLETED', completedAt: survey.completedAt });
});

test('an invalid transition rejects the whole PATCH, including answers and coordinates', async () => {
  const survey = await submit(cast);
  const coordinates = { latitude: 1, longitude: 2 };
  refused(
    await patch(survey.id, { status: 'IN_PROGRESS', responses: { networkSize: 1 }, coordinates }),
    409,
    'INVALID_TRANSITION',
  );
  expect(await read(cast, survey.id)).toEqual(survey);
});

test('coordinates can be changed and are validated', async () => {
  const survey = await submit(cast);
  const coordinates = { latitude: -12.5, longitude: 130.8, accuracy: 5 };
  expect((await patch(survey.id, { coordinates }).expect(200)).body.coordinates).toEqual(coordinates);
  refusedAt(await patch(survey.id, { coordinates: { latitude: -91, longitude: 0 } }), 'coordinates.latitude');
});

test('the location can’t be changed without a reason', async () => {
  const survey = await submit(cast);
  const changes = { responses: { networkSize: 1 }, location: NOBODY };
  refusedAt(await cast.root.patch(`/api/surveys/${survey.id}`, changes), 'reason');
});

test.each([
  ['createdBy', NOBODY],
  ['createdAt', '2026-01-01T00:00:00Z'],
  ['seed', NOBODY],
  ['recruiter', NOBODY],
  ['wave', 3],
  ['clientId', '5f0c3c3e-6f0a-4f5e-9d4b-2f2f2f2f2f2f'],
  ['questionnaire', NOBODY],
  ['startedAt', '2026-01-01T00:00:00Z'],
  ['version', 9],
  ['flags', []],
  ['deletedAt', null],
  ['nonsense', true],
])('%s cannot be changed: 400 at its path', async (field, value) => {
  const survey = await submit(cast);
  refusedAt(
    await cast.root.patch(`/api/surveys/${survey.id}`, { responses: { networkSize: 1 }, [field]: value }),
    field,
  );
  expect(await read(cast, survey.id)).toEqual(survey);
});

test('a PATCH with no field is 400; with values that change nothing 200', async () => {
  const survey = await submit(cast);
  refused(await patch(survey.id, {}), 400, 'VALIDATION_ERROR');
  const { body } = await patch(survey.id, { responses: ANSWERS }).expect(200);
  expect(body.responses).toEqual(ANSWERS);
});

describe('If-Match', () => {
  test('with the current version changes the survey; the same version again is 409 EDIT_CONFLICT', async () => {
    const survey = await submit(cast);
    const tag = `"${survey.version}"`;
    await patch(survey.id, { responses: { networkSize: 1 } }, tag).expect(200);
    refused(await patch(survey.id, { responses: { networkSize: 2 } }, tag), 409, 'EDIT_CONFLICT');
    expect((await read(cast, survey.id)).responses).toEqual({ networkSize: 1 });
  });

  test('of a future version is 409 EDIT_CONFLICT', async () => {
    const survey = await submit(cast);
    refused(
      await patch(survey.id, { responses: { networkSize: 2 } }, `"${survey.version + 1}"`),
      409,
      'EDIT_CONFLICT',
    );
  });

  test('* accepts any version', async () => {
    const survey = await submit(cast);
    await patch(survey.id, { responses: { networkSize: 2 } }, '*').expect(200);
    await patch(survey.id, { responses: { networkSize: 3 } }, '*').expect(200);
  });

  test.each(['1', '"one"', 'W/"x', '""', "'1'", '"1'])(
    'that is not a quoted number is 400: %s',
    async (tag) => {
      const survey = await submit(cast);
      const answer = await patch(survey.id, { responses: { networkSize: 2 } }, tag);
      expect(answer.status).toBe(400);
      expect(await read(cast, survey.id)).toEqual(survey);
    },
  );

  test('is optional: without it the last writer wins', async () => {
    const survey = await submit(cast);
    await patch(survey.id, { responses: { networkSize: 1 } }).expect(200);
    await patch(survey.id, { responses: { networkSize: 2 } }).expect(200);
    expect((await read(cast, survey.id)).networkSize).toBe(2);
  });

  test('every change increments the version, including a redemption by PATCH', async () => {
    const survey = await submit(cast, { referralCode: unknownCode(), onCodeProblem: 'FLAG' });
    const { body } = await patch(
      survey.id,
      { referralCode: await seedCode(cast) },
      `"${survey.version}"`,
    ).expect(200);
    expect(body.version).toBeGreaterThan(survey.version);
    refused(
      await patch(survey.id, { responses: { networkSize: 1 } }, `"${survey.version}"`),
      409,
      'EDIT_CONFLICT',
    );
  });
});

describe('history', () => {
  const history = async (id: string) =>
    (await cast.manager.get(`/api/surveys/${id}/history`).expect(200)).body;

  test('has person, time, before and after of each change', async () => {
    const survey = await submit(cast);
    await patch(survey.id, { responses: { networkSize: 20, comment: 'none' } }).expect(200);
    await cast.manager
      .patch(`/api/surveys/${survey.id}`, { coordinates: { latitude: 1, longitude: 2 } })
      .expect(200);
    const entries = await history(survey.id);
    expect(Array.isArray(entries)).toBe(true);
    for (const entry of entries) {
      expect(entry).toEqual({
        at: expect.stringMatching(ISO),
        by: expect.any(String),
        changes: expect.any(Array),
        names: expect.any(Object),
      });
      for (const change of entry.changes)
        expect(Object.keys(change).sort()).toEqual(['after', 'before', 'path']);
    }
    const edits = entries.filter((entry: { changes: { path: string }[] }) =>
      entry.changes.some(({ path }) => /^(responses|coordinates)/.test(path)),
    );
    const people = edits.map((entry: { by: string }) => entry.by);
    expect(people).toEqual(expect.arrayContaining([cast.volunteer.id, cast.manager.id]));
    const text = JSON.stringify(edits);
    expect(text).toContain('20');
    expect(text).toContain('12');
  });

  test('has the changed answer with its value before and after', async () => {
    const survey = await submit(cast);
    await patch(survey.id, { responses: { networkSize: 77, comment: 'none' } }).expect(200);
    const changes = (await history(survey.id)).flatMap((entry: { changes: unknown[] }) => entry.changes);
    expect(changes).toContainEqual({ path: 'responses.networkSize', before: 12, after: 77 });
  });

  test('has no rejected changes', async () => {
    const survey = await submit(cast);
    const before = await history(survey.id);
    await patch(survey.id, { responses: {} }).expect(400);
    await patch(survey.id, { responses: { networkSize: 1 } }, '"99"').expect(409);
    expect(await history(survey.id)).toEqual(before);
  });

  test('is for people who may read the survey: 403 for others, 404 for an unknown one, 401 without a token', async () => {
    const survey = await submit(cast);
    const elsewhere = await cast.world.person({ role: 'MANAGER', location: await cast.world.place() });
    refused(await elsewhere.get(`/api/surveys/${survey.id}/history`), 403);
    refused(await cast.manager.get(`/api/surveys/${NOBODY}/history`), 404);
    refused(await cast.world.anonymous.get(`/api/surveys/${survey.id}/history`), 401);
  });
});

test('a change updates updatedAt, but never createdAt, startedAt or createdBy', async () => {
  const survey = await submit(cast);
  cast.world.clock.set(new Date(Date.parse(survey.createdAt) + 1_000));
  const { body } = await cast.root
    .patch(`/api/surveys/${survey.id}`, { responses: { networkSize: 5 } })
    .expect(200);
  cast.world.clock.real();
  expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(survey.updatedAt));
  const { createdAt, startedAt, createdBy } = survey;
  expect(body).toMatchObject({ createdAt, startedAt, createdBy });
  expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(HOUR);
});
