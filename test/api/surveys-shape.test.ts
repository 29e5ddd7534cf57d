/** A survey in the API: its fields, defaults, and what is rejected. */
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { ANSWERS, smallQuestionnaire } from '../make.ts';
import {
  CODE,
  castOfFile,
  draft,
  HEX_ID,
  HOUR,
  ISO,
  NOBODY,
  read,
  refused,
  refusedAt,
  seedCode,
  submit,
  UUID,
  uuid,
} from './kit.ts';

const cast = castOfFile();

test('a survey has exactly these fields, and reading returns the same as creating', async () => {
  const code = await seedCode(cast);
  const coordinates = { latitude: 47.6, longitude: -122.3, accuracy: 8 };
  const clientId = uuid();
  const answer = await cast.volunteer.post(
    '/api/surveys',
    draft(cast, { referralCode: code, clientId, coordinates }),
  );
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.stringMatching(HEX_ID),
    clientId,
    contact: null,
    referralCode: code,
    seed: expect.stringMatching(HEX_ID),
    recruiter: null,
    wave: 0,
    round: FIRST_ROUND_ID.toHexString(),
    issuedCodes: [expect.stringMatching(CODE), expect.stringMatching(CODE), expect.stringMatching(CODE)],
    questionnaire: await smallQuestionnaire(cast.world),
    responses: ANSWERS,
    networkSize: 12,
    status: 'COMPLETED',
    review: { state: 'RECEIVED', by: null, at: null },
    flags: [],
    coordinates,
    location: cast.site,
    createdBy: cast.volunteer.id,
    startedAt: expect.stringMatching(ISO),
    completedAt: expect.stringMatching(ISO),
    heldAt: expect.stringMatching(ISO),
    createdAt: expect.stringMatching(ISO),
    updatedAt: expect.stringMatching(ISO),
    version: expect.any(Number),
  });
  expect(answer.headers.location).toBe(`/api/surveys/${answer.body.id}`);
  expect((await cast.volunteer.get(`/api/surveys/${answer.body.id}`).expect(200)).body).toEqual(answer.body);
});

test('location and responses suffice: the survey is completed, with the active questionnaire and a clientId', async () => {
  const survey = await submit(cast);
  expect(survey).toMatchObject({
    status: 'COMPLETED',
    coordinates: null,
    wave: 0,
    recruiter: null,
    flags: [],
  });
  expect(survey.questionnaire).toBe(await smallQuestionnaire(cast.world));
  expect(survey.clientId).toMatch(UUID);
  expect(survey.startedAt).toMatch(ISO);
  expect(survey.completedAt).toMatch(ISO);
});

test.each(['location', 'responses'])('a survey without %s is 400 at that path', async (field) => {
  refusedAt(await cast.volunteer.post('/api/surveys', { ...draft(cast), [field]: undefined }), field);
});

test.each([
  ['createdBy', NOBODY],
  ['createdAt', '2026-01-01T00:00:00Z'],
  ['updatedAt', '2026-01-01T00:00:00Z'],
  ['seed', NOBODY],
  ['recruiter', NOBODY],
  ['wave', 0],
  ['id', NOBODY],
  ['_id', NOBODY],
  ['version', 7],
  ['flags', []],
  ['networkSize', 5],
  ['deletedAt', null],
  ['requestHash', 'x'],
  ['anything', 1],
])('%s is set by the server or unknown: sending it is 400 at its path', async (field, value) => {
  refusedAt(await cast.root.post('/api/surveys', draft(cast, { [field]: value })), field);
});

test.each([
  ['clientId', 'not-a-uuid'],
  ['status', 'DONE'],
  ['onCodeProblem', 'IGNORE'],
  ['startedAt', 'yesterday'],
  ['completedAt', 5],
  ['referralCode', 12345678],
  ['issuedCodes', 'ABCDEFGC'],
  ['responses', 'text'],
  ['responses', ['a']],
  ['location', 'nowhere'],
  ['location', { $ne: null }],
  ['questionnaire', 'none'],
  ['coordinates', [1, 2]],
])('%s of the wrong type is 400 at its path (%j)', async (field, value) => {
  refusedAt(await cast.volunteer.post('/api/surveys', draft(cast, { [field]: value })), field);
});

test.each([
  ['coordinates.latitude', { latitude: 91, longitude: 0 }],
  ['coordinates.longitude', { latitude: 0, longitude: -181 }],
  ['coordinates.longitude', { latitude: 0 }],
  ['coordinates.accuracy', { latitude: 0, longitude: 0, accuracy: -1 }],
  ['coordinates.altitude', { latitude: 0, longitude: 0, altitude: 3 }],
])('an error inside coordinates is 400 at %s', async (path, coordinates) => {
  refusedAt(await cast.volunteer.post('/api/surveys', draft(cast, { coordinates })), path);
});

test.each(['location', 'questionnaire'])('an unknown %s is 400 at its path, not 404', async (field) => {
  refusedAt(await cast.volunteer.post('/api/surveys', draft(cast, { [field]: NOBODY })), field);
});

test('past times are stored as given', async () => {
  const startedAt = new Date(Date.now() - 5 * HOUR).toISOString();
  const completedAt = new Date(Date.now() - 4 * HOUR).toISOString();
  expect(await submit(cast, { startedAt, completedAt })).toMatchObject({ startedAt, completedAt });
});

test('future times are stored as the server’s time', async () => {
  const ahead = new Date(Date.now() + 48 * HOUR).toISOString();
  const survey = await submit(cast, { startedAt: ahead, completedAt: ahead });
  for (const at of [survey.startedAt, survey.completedAt]) {
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(HOUR);
  }
});

test.each(['0000-01-01T00:00:00+01:00', '9999-12-31T23:30:00-01:00'])(
  'a time whose year in UTC does not have four digits is 400: %s',
  async (startedAt) => {
    refusedAt(await cast.volunteer.post('/api/surveys', draft(cast, { startedAt })), 'startedAt');
    refused(await cast.root.get(`/api/surveys?from=${encodeURIComponent(startedAt)}`), 400, 'INVALID_QUERY');
  },
);

test('answers of a completed survey are validated, with errors at the questions’ paths', async () => {
  const wrong = { networkSize: -3, shoeSize: 44 };
  const answer = await cast.volunteer.post('/api/surveys', draft(cast, { responses: wrong }));
  refusedAt(answer, 'responses.networkSize');
  refusedAt(answer, 'responses.shoeSize');
});

test('a required question without an answer is 400 at its path', async () => {
  refusedAt(
    await cast.volunteer.post('/api/surveys', draft(cast, { responses: { comment: 'hello' } })),
    'responses.networkSize',
  );
});

test('a survey with invalid answers stores no survey or seed and uses no code', async () => {
  const code = await seedCode(cast);
  const before = await counts();
  refused(
    await cast.volunteer.post('/api/surveys', draft(cast, { referralCode: code, responses: {} })),
    400,
    'VALIDATION_ERROR',
  );
  refused(await cast.volunteer.post('/api/surveys', draft(cast, { responses: {} })), 400, 'VALIDATION_ERROR');
  expect(await counts()).toEqual(before);
  expect(await submit(cast, { referralCode: code })).toMatchObject({ wave: 0 });
});

async function counts() {
  const surveys = await cast.root.get('/api/surveys?total=true&limit=1').expect(200);
  const seeds = await cast.root.get('/api/seeds?total=true&limit=1').expect(200);
  return [surveys.body.total, seeds.body.total];
}

test('a survey in progress is stored with partial answers, no codes and no completedAt', async () => {
  const survey = await submit(cast, { status: 'IN_PROGRESS', responses: {} });
  expect(survey).toMatchObject({
    status: 'IN_PROGRESS',
    responses: {},
    networkSize: null,
    completedAt: null,
    issuedCodes: [],
  });
  expect(await read(cast, survey.id)).toEqual(survey);
});

test('networkSize is the answer to the questionnaire’s network size question', async () => {
  expect(await submit(cast, { responses: { networkSize: 0 } })).toMatchObject({ networkSize: 0 });
  expect(await submit(cast, { responses: { networkSize: 250 } })).toMatchObject({ networkSize: 250 });
});

test('a survey can use another questionnaire, and is validated by it', async () => {
  const definition = { elements: [{ type: 'text', name: 'friends', inputType: 'number', isRequired: true }] };
  const response = await cast.admin.post('/api/questionnaires', {
    name: 'Other',
    definition,
    networkSizeQuestion: 'friends',
  });
  expect(response.status).toBe(201);
  const survey = await submit(cast, { questionnaire: response.body.id, responses: { friends: 9 } });
  expect(survey).toMatchObject({ questionnaire: response.body.id, networkSize: 9 });
  refusedAt(
    await cast.volunteer.post('/api/surveys', draft(cast, { questionnaire: response.body.id })),
    'responses.friends',
  );
});
