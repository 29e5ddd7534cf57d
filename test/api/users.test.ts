/** Reading and creating a user: shapes and errors. Permissions are tested in test/access. */
import mongoose from 'mongoose';
import { type Person, worldOfFile } from '../people.ts';
import { draftOf, NOBODY, paths, USER_KEYS } from './user-kit.ts';

let root: Person;
const world = worldOfFile();

beforeEach(async () => {
  await mongoose.connection.collection('users').deleteMany({});
  world.clock.set('2027-06-15T19:00:00Z');
  root = await world.person({ role: 'SUPER_ADMIN', firstName: 'Root', lastName: 'Zero' });
});

const draft = (more: object = {}) => draftOf(world, more);

describe('one user', () => {
  test('has the full shape, times in ISO 8601', async () => {
    const { body } = await root.get(`/api/users/${root.id}`).expect(200);
    expect(Object.keys(body).sort()).toEqual(USER_KEYS);
    expect(body).toMatchObject({ id: root.id, phone: root.phone, createdAt: '2027-06-15T19:00:00.000Z' });
  });

  test.each([NOBODY, 'nonsense', 'undefined', '0123456789abcdef0123456', '%00', 'x'.repeat(500)])(
    'under the id %s is 404 for GET, PATCH and DELETE',
    async (id) => {
      await root.get(`/api/users/${id}`).expect(404);
      await root.patch(`/api/users/${id}`, { firstName: 'A' }).expect(404);
      await root.delete(`/api/users/${id}`).expect(404);
    },
  );
});

describe('creating a user', () => {
  test('returns 201 with the record and its URL; PENDING by default', async () => {
    const fields = draft();
    const { body, headers } = await root.post('/api/users', fields).expect(201);
    expect(Object.keys(body).sort()).toEqual(USER_KEYS);
    expect(body).toMatchObject({
      ...fields,
      approvalStatus: 'PENDING',
      approvedBy: null,
      email: null,
      location: null,
    });
    expect(headers.location).toBe(`/api/users/${body.id}`);
    expect((await root.get(headers.location ?? '').expect(200)).body).toEqual(body);
  });

  test('stores location and email; an account approved at once records its approver', async () => {
    const location = await world.place();
    const fields = draft({ location, email: 'ada@example.org', approvalStatus: 'APPROVED', role: 'ADMIN' });
    const { body } = await root.post('/api/users', fields).expect(201);
    expect(body).toMatchObject({ ...fields, approvedBy: root.id });
  });

  test('by a manager without a location uses the manager’s current one', async () => {
    const location = await world.place();
    const manager = await world.person({ role: 'MANAGER', location });
    const { body } = await manager.post('/api/users', draft()).expect(201);
    expect(body.location).toBe(location);
  });

  test('stores the phone as E.164, and rejects it in any form once taken', async () => {
    const { body } = await root.post('/api/users', draft({ phone: '(206) 700-4321' })).expect(201);
    expect(body.phone).toBe('+12067004321');
    for (const phone of ['+12067004321', '206-700-4321']) {
      const refused = await root.post('/api/users', draft({ phone })).expect(409);
      expect(refused.body.code).toBe('PHONE_TAKEN');
    }
  });

  test('twenty times at once with one phone creates one', async () => {
    const fields = draft();
    const answers = await Promise.all(Array.from({ length: 20 }, () => root.post('/api/users', fields)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  test('trims the text and accepts names of 100 characters', async () => {
    const fields = draft({ firstName: '  Ada ', lastName: 'x'.repeat(100), email: ' ada@example.org ' });
    const { body } = await root.post('/api/users', fields).expect(201);
    expect(body).toMatchObject({ firstName: 'Ada', lastName: 'x'.repeat(100), email: 'ada@example.org' });
  });

  test.each([
    ['no phone', { phone: undefined }, 'phone'],
    ['an invalid phone', { phone: '12345' }, 'phone'],
    ['no first name', { firstName: undefined }, 'firstName'],
    ['a blank last name', { lastName: ' ' }, 'lastName'],
    ['an invisible last name', { lastName: '\u200b\u2060' }, 'lastName'],
    ['a first name of two lines', { firstName: 'Ada\nBob' }, 'firstName'],
    ['a first name with a bidirectional override', { firstName: 'Ada\u202e' }, 'firstName'],
    ['a name of 101 characters', { firstName: 'x'.repeat(101) }, 'firstName'],
    ['a name that is a number', { firstName: 5 }, 'firstName'],
    ['no role', { role: undefined }, 'role'],
    ['an unknown role', { role: 'KING' }, 'role'],
    ['an invalid email', { email: 'a@b' }, 'email'],
    ['an email of 255 characters', { email: `${'x'.repeat(64)}@${'y.'.repeat(91)}examples` }, 'email'],
    ['an unknown location', { location: NOBODY }, 'location'],
    ['a malformed location', { location: 'x' }, 'location'],
    ['REJECTED', { approvalStatus: 'REJECTED' }, 'approvalStatus'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['an id', { id: NOBODY }, 'id'],
    ['an approver', { approvedBy: NOBODY }, 'approvedBy'],
    ['grants', { permissions: [] }, 'permissions'],
    ['a creation time', { createdAt: '2020-01-01T00:00:00Z' }, 'createdAt'],
    ['a deletion time', { deletedAt: null }, 'deletedAt'],
  ])('with %s is 400 at its path, and stores nothing', async (_title, fault, path) => {
    const { body } = await root.post('/api/users', draft(fault)).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.any(String) });
    expect(paths(body)).toContain(path);
    expect(await mongoose.connection.collection('users').countDocuments()).toBe(1);
  });

  test('lists all errors at once', async () => {
    const { body } = await root.post('/api/users', { role: 'KING', email: 'x' }).expect(400);
    expect(paths(body).sort()).toEqual(['email', 'firstName', 'lastName', 'phone', 'role']);
  });

  test('at a deleted location is 400', async () => {
    const location = await world.place();
    await root.delete(`/api/locations/${location}`).expect(204);
    expect(paths((await root.post('/api/users', draft({ location })).expect(400)).body)).toEqual([
      'location',
    ]);
  });
});

test('whoever adds a phone that gets no codes is told so', async () => {
  const admin = await world.person({ role: 'ADMIN' });
  const add = (phone: string) =>
    admin.post('/api/users', { phone, firstName: 'Ada', lastName: 'Field', role: 'VOLUNTEER' }).expect(201);
  for (const phone of ['+18765550123', '+19002345678', '+12215550123'])
    expect((await add(phone)).body.warnings).toMatchObject([{ path: 'phone', code: 'PHONE_NOT_SERVED' }]);
  for (const phone of ['+18615550123', '+14365550124'])
    expect((await add(phone)).body).not.toHaveProperty('warnings');
});
