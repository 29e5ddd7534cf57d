/** Grants: rights of one user beyond the role, under named conditions, given only by a super-admin. */

import { createMongoAbility, type MongoAbility, type RawRuleOf } from '@casl/ability';
import { type PackRule, unpackRules } from '@casl/ability/extra';
import { insertSurvey, SMALL_QUESTIONNAIRE, smallQuestionnaire } from '../make.ts';
import { type Grant, type Person, type PersonOptions, worldOfFile } from '../people.ts';

let root: Person;
let here: string;
let there: string;

const TODAY = new Date('2027-06-15T18:00:00Z');
const YESTERDAY = new Date('2027-06-14T18:00:00Z');

const world = worldOfFile();
beforeAll(async () => {
  world.clock.set('2027-06-15T19:00:00Z');
  root = await world.person({ role: 'SUPER_ADMIN' });
  [here, there] = [await world.place(), await world.place()];
  await smallQuestionnaire(world);
});

const grant = (action: string, subject: string, ...conditions: string[]): Grant => ({
  action,
  subject,
  conditions,
});

/** A volunteer at `here` with these grants, given through the API. */
async function granted(...permissions: Grant[]): Promise<Person> {
  const person = await world.person({ location: here });
  await root.patch(`/api/users/${person.id}`, { permissions }).expect(200);
  return person;
}

async function surveyAt(location: string, createdAt: Date, createdBy?: string): Promise<string> {
  return insertSurvey(world, { location, createdAt, createdBy: createdBy ?? (await world.person()).id });
}

const statusOf = async (person: Person, url: string) => (await person.get(url)).status;

test('grants are stored and returned as sent', async () => {
  const permissions = [grant('read', 'Survey', 'WAS_CREATED_TODAY'), grant('create', 'Location')];
  const person = await granted(...permissions);
  const { body } = await root.get(`/api/users/${person.id}`).expect(200);
  expect(body.permissions).toEqual(permissions);
});

test.each([
  ['an unknown action', [{ action: 'manage', subject: 'Survey', conditions: [] }], 'permissions.0.action'],
  ['an unknown subject', [{ action: 'read', subject: 'all', conditions: [] }], 'permissions.0.subject'],
  ['an unknown condition', [grant('read', 'Survey', 'IS_FRIDAY')], 'permissions.0.conditions.0'],
  [
    'a condition as a query',
    [{ action: 'read', subject: 'Survey', conditions: [{ $ne: null }] }],
    'permissions.0.conditions.0',
  ],
  ['an unknown field', [{ ...grant('read', 'Survey'), fields: ['role'] }], 'permissions.0.fields'],
  ['no list', grant('read', 'Survey'), 'permissions'],
])('%s in a grant is 400', async (_title, permissions, path) => {
  const person = await world.person();
  const { body } = await root.patch(`/api/users/${person.id}`, { permissions }).expect(400);
  expect(body.code).toBe('VALIDATION_ERROR');
  expect(body.errors.map((error: { path: string }) => error.path)).toContain(path);
});

test('all conditions of one grant must hold', async () => {
  const person = await granted(grant('read', 'Survey', 'WAS_CREATED_TODAY', 'HAS_SAME_LOCATION'));
  expect(await statusOf(person, `/api/surveys/${await surveyAt(here, TODAY)}`)).toBe(200);
  expect(await statusOf(person, `/api/surveys/${await surveyAt(there, TODAY)}`)).toBe(403);
  expect(await statusOf(person, `/api/surveys/${await surveyAt(here, YESTERDAY)}`)).toBe(403);
});

test('each of several grants is enough', async () => {
  const person = await granted(
    grant('read', 'Survey', 'WAS_CREATED_TODAY'),
    grant('read', 'Survey', 'HAS_SAME_LOCATION'),
  );
  expect(await statusOf(person, `/api/surveys/${await surveyAt(there, TODAY)}`)).toBe(200);
  expect(await statusOf(person, `/api/surveys/${await surveyAt(here, YESTERDAY)}`)).toBe(200);
  expect(await statusOf(person, `/api/surveys/${await surveyAt(there, YESTERDAY)}`)).toBe(403);
});

test('a grant without conditions applies to every record', async () => {
  const person = await granted(grant('read', 'Survey'));
  expect(await statusOf(person, `/api/surveys/${await surveyAt(there, YESTERDAY)}`)).toBe(200);
});

test('a grant to read does not allow updating or deleting', async () => {
  const person = await granted(grant('read', 'Survey'));
  const id = await surveyAt(here, TODAY);
  await person.patch(`/api/surveys/${id}`, { responses: { networkSize: 1 } }).expect(403);
  await person.delete(`/api/surveys/${id}`).expect(403);
});

test('a grant to update, delete or erase surveys gives nobody their answers', async () => {
  const coordinates = { latitude: 47.6, longitude: -122.3 };
  const actions = ['update', 'delete', 'erase'];
  const person = await granted(...actions.map((action) => grant(action, 'Survey')));
  const reader = await granted(...['read', ...actions].map((action) => grant(action, 'Survey')));
  const interviewer = await world.person({ location: here });
  const body = { location: here, responses: { networkSize: 9 }, coordinates };
  const { id } = (await interviewer.post('/api/surveys', body).expect(201)).body;
  const reply = async (by: Person, change: object = { coordinates }) =>
    (await by.patch(`/api/surveys/${id}`, change).expect(200)).body;
  const secrets = { networkSize: null, coordinates: null };
  expect(await reply(reader)).toMatchObject(body);
  for (const change of [{ coordinates }, { takesPart: false }, { takesPart: true }]) {
    const survey = await reply(person, change);
    expect(survey).toMatchObject({ id, version: expect.any(Number), ...secrets });
    for (const name of ['responses', 'takesPart']) expect(survey).not.toHaveProperty(name);
  }
  await person.delete(`/api/surveys/${id}`).expect(204);
  const { body: restored } = await person.post(`/api/surveys/${id}/restore`).expect(200);
  expect(restored).toMatchObject(secrets);
  expect(restored).not.toHaveProperty('responses');
  const { body: erased } = await person.post(`/api/surveys/${id}/erase`, { reason: 'Asked' }).expect(200);
  expect(erased).toMatchObject({ ...secrets, erasedAt: expect.any(String) });
  expect(await statusOf(person, `/api/surveys/${id}`)).toBe(403);
});

test('IS_CREATED_BY_SELF lets a volunteer delete only their own surveys, of any day and site', async () => {
  const person = await granted(grant('delete', 'Survey', 'IS_CREATED_BY_SELF'));
  const [own, other] = [await surveyAt(there, YESTERDAY, person.id), await surveyAt(here, TODAY)];
  await person.delete(`/api/surveys/${own}`).expect(204);
  await person.delete(`/api/surveys/${other}`).expect(403);
});

test('a caller without a location matches nothing under HAS_SAME_LOCATION, not even users without one', async () => {
  const permissions = [
    grant('read', 'User', 'HAS_SAME_LOCATION'),
    grant('read', 'Survey', 'HAS_SAME_LOCATION'),
  ];
  const person = await world.person({ permissions });
  expect(await statusOf(person, `/api/users/${(await world.person()).id}`)).toBe(403);
  expect(await statusOf(person, `/api/surveys/${await surveyAt(here, TODAY)}`)).toBe(403);
});

test('a condition on a field that the records lack matches nothing, in lists, files and the history', async () => {
  const admin = await world.person({ role: 'ADMIN' });
  await admin.patch('/api/study', { name: 'Another name' }).expect(200);
  await root
    .patch(`/api/surveys/${await surveyAt(here, TODAY)}`, { responses: { networkSize: 1 } })
    .expect(200);
  const person = await granted(
    grant('read', 'Survey', 'HAS_VOLUNTEER_ROLE'),
    grant('review', 'Survey', 'HAS_MANAGER_ROLE'),
    grant('read', 'AuditEvent'),
  );
  for (const path of ['/api/surveys', '/api/exports/interviews.csv', '/api/audit'])
    expect([path, await statusOf(person, path)]).toEqual([path, 200]);
  const { text } = await person.get('/api/exports/interviews.csv');
  expect(text.trim().split('\n')).toHaveLength(1);
});

describe('a grant to update users', () => {
  const target = (options: PersonOptions = {}) => world.person({ location: there, ...options });

  test('applies to names, email and location of users matching its conditions', async () => {
    const person = await granted(grant('update', 'User', 'HAS_VOLUNTEER_ROLE'));
    const url = `/api/users/${(await target()).id}`;
    await person.patch(url, { firstName: 'Renamed', email: 'a@example.org', location: here }).expect(200);
    const manager = await target({ role: 'MANAGER' });
    await person.patch(`/api/users/${manager.id}`, { firstName: 'Renamed' }).expect(403);
  });

  test.each([
    ['role', { role: 'MANAGER' }],
    ['approvalStatus', { approvalStatus: 'PENDING' }],
    ['permissions', { permissions: [grant('read', 'Survey')] }],
  ])('never applies to %s, of others or oneself', async (_field, changes) => {
    const person = await granted(grant('update', 'User'));
    await person.patch(`/api/users/${(await target()).id}`, changes).expect(403);
    await person.patch(`/api/users/${person.id}`, changes).expect(403);
  });

  test('with conditions for two roles applies to nobody', async () => {
    const person = await granted(grant('update', 'User', 'HAS_VOLUNTEER_ROLE', 'HAS_MANAGER_ROLE'));
    await person.patch(`/api/users/${(await target()).id}`, { firstName: 'Renamed' }).expect(403);
  });
});

test('a grant to create users is limited by its conditions and cannot create approved users', async () => {
  const person = await granted(grant('create', 'User', 'HAS_VOLUNTEER_ROLE'));
  const draft = (more: object) => ({ phone: world.newPhone(), firstName: 'A', lastName: 'B', ...more });
  const { body } = await person.post('/api/users', draft({ role: 'VOLUNTEER' })).expect(201);
  expect(body.approvalStatus).toBe('PENDING');
  await person.post('/api/users', draft({ role: 'MANAGER' })).expect(403);
  await person.post('/api/users', draft({ role: 'VOLUNTEER', approvalStatus: 'APPROVED' })).expect(403);
});

test('nobody can delete themselves, even with a grant', async () => {
  const person = await granted(grant('delete', 'User'), grant('delete', 'User', 'IS_SELF'));
  await person.delete(`/api/users/${person.id}`).expect(403);
  await person.delete(`/api/users/${(await world.person()).id}`).expect(204);
});

test('a grant to list users returns only users that the caller may read', async () => {
  const person = await granted(grant('list', 'User'));
  const { body } = await person.get('/api/users').expect(200);
  expect(body.data.map((user: { id: string }) => user.id)).toEqual([person.id]);
});

test('other subjects can be granted too', async () => {
  const person = await granted(
    grant('create', 'Location'),
    grant('update', 'Study'),
    grant('create', 'Questionnaire'),
    grant('delete', 'Seed', 'IS_CREATED_BY_SELF'),
    grant('read', 'ReferralCode'),
    grant('list', 'ReferralCode'),
  );
  await person.post('/api/locations', { name: 'Granted', type: 'STREET' }).expect(201);
  await person.patch('/api/study', { contact: 'room 5' }).expect(200);
  await person.post('/api/questionnaires', SMALL_QUESTIONNAIRE).expect(201);
  await person.get('/api/referral-codes').expect(200);
  const own = await person.post('/api/seeds', { location: here }).expect(201);
  const other = await root.post('/api/seeds', { location: here }).expect(201);
  await person.delete(`/api/seeds/${own.body.id}`).expect(204);
  await person.delete(`/api/seeds/${other.body.id}`).expect(403);
});

test('a grant does not apply to a person who is not approved, and ends when removed', async () => {
  const person = await granted(grant('create', 'Location'));
  const place = () => ({ name: `Place ${world.newPhone()}`, type: 'STREET' });
  await person.post('/api/locations', place()).expect(201);
  await root.patch(`/api/users/${person.id}`, { approvalStatus: 'PENDING' }).expect(200);
  await person.post('/api/locations', place()).expect(403);
  await root.patch(`/api/users/${person.id}`, { approvalStatus: 'APPROVED', permissions: [] }).expect(200);
  await person.post('/api/locations', place()).expect(403);
});

test('the session includes granted permissions', async () => {
  const rulesOf = async (person: Person) => (await person.get('/api/auth/session').expect(200)).body.rules;
  const can = (rules: PackRule<RawRuleOf<MongoAbility>>[]) =>
    createMongoAbility(unpackRules(rules)).can('create', 'Location');
  expect(can(await rulesOf(await granted(grant('create', 'Location'))))).toBe(true);
  expect(can(await rulesOf(await granted()))).toBe(false);
});
