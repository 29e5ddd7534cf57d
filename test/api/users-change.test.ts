/** Changing a user field by field, and deleting one. Permissions are tested in test/access. */
import mongoose from 'mongoose';
import { type Person, worldOfFile } from '../people.ts';
import { draftOf, GRANT, NOBODY, paths } from './user-kit.ts';

let root: Person;
const world = worldOfFile();

beforeEach(async () => {
  await mongoose.connection.collection('users').deleteMany({});
  world.clock.set('2027-06-15T19:00:00Z');
  root = await world.person({ role: 'SUPER_ADMIN', firstName: 'Root', lastName: 'Zero' });
});

const draft = (more: object = {}) => draftOf(world, more);

describe('changing a user', () => {
  test.each([
    ['firstName', 'Grace'],
    ['lastName', 'Hopper'],
    ['email', 'grace@example.org'],
    ['email', null],
    ['role', 'MANAGER'],
    ['approvalStatus', 'PENDING'],
    ['permissions', [GRANT]],
  ])('%s can become %j, and nothing else changes', async (field, value) => {
    const person = await world.person({ email: 'old@example.org' });
    const before = (await root.get(`/api/users/${person.id}`).expect(200)).body;
    world.clock.advance(60_000);
    const { body } = await root.patch(`/api/users/${person.id}`, { [field]: value }).expect(200);
    const { updatedAt, approvedBy, ...rest } = body;
    expect(rest).toEqual({ ...rest, ...withoutTimes(before), [field]: value });
    expect(updatedAt).toBe('2027-06-15T19:01:00.000Z');
    expect((await root.get(`/api/users/${person.id}`).expect(200)).body).toEqual(body);
    expect(approvedBy).toBe(before.approvedBy);
  });

  const withoutTimes = ({ updatedAt, approvedBy, ...rest }: Record<string, unknown>) => rest;

  test('location can be assigned and removed', async () => {
    const [person, location] = [await world.person(), await world.place()];
    const url = `/api/users/${person.id}`;
    expect((await root.patch(url, { location }).expect(200)).body.location).toBe(location);
    expect((await root.patch(url, { location: null }).expect(200)).body.location).toBeNull();
  });

  test.each([
    ['no field', {}, undefined],
    ['a phone', { phone: '+12067008888' }, 'phone'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['an approver', { approvedBy: NOBODY }, 'approvedBy'],
    ['a blank name', { firstName: '' }, 'firstName'],
    ['a name that is null', { firstName: null }, 'firstName'],
    ['an unknown role', { role: 'KING' }, 'role'],
    ['an unknown status', { approvalStatus: 'SLEEPING' }, 'approvalStatus'],
    ['an unknown location', { location: NOBODY }, 'location'],
    ['an operator', { $set: { role: 'SUPER_ADMIN' } }, '$set'],
    ['a dotted field', { 'permissions.0': {} }, 'permissions.0'],
  ])('with %s is 400 and changes nothing', async (_title, changes, path) => {
    const person = await world.person();
    const before = (await root.get(`/api/users/${person.id}`).expect(200)).body;
    const { body } = await root.patch(`/api/users/${person.id}`, changes).expect(400);
    expect(body.code).toBe('VALIDATION_ERROR');
    if (path) expect(paths(body)).toContain(path);
    expect((await root.get(`/api/users/${person.id}`).expect(200)).body).toEqual(before);
  });

  test('with its current values is 200', async () => {
    const person = await world.person({ firstName: 'Ada' });
    const { body } = await root
      .patch(`/api/users/${person.id}`, { firstName: 'Ada', role: 'VOLUNTEER' })
      .expect(200);
    expect(body).toMatchObject({ firstName: 'Ada', role: 'VOLUNTEER' });
  });

  test('with one forbidden field among others is 403 and changes nothing', async () => {
    const person = await world.person({ location: await world.place() });
    for (const forbidden of [
      { role: 'ADMIN' },
      { approvalStatus: 'PENDING' },
      { permissions: [GRANT] },
      { location: null },
    ]) {
      await person.patch(`/api/users/${person.id}`, { firstName: 'Changed', ...forbidden }).expect(403);
    }
    const { body } = await person.get(`/api/users/${person.id}`).expect(200);
    expect(body).toMatchObject({ firstName: 'Test', role: 'VOLUNTEER', approvalStatus: 'APPROVED' });
  });

  test('to a role that the caller may not give is 403', async () => {
    const [admin, person] = [await world.person({ role: 'ADMIN' }), await world.person()];
    await admin.patch(`/api/users/${person.id}`, { role: 'SUPER_ADMIN' }).expect(403);
    await admin.patch(`/api/users/${person.id}`, { role: 'ADMIN' }).expect(200);
  });

  test('takes effect immediately, with the existing token', async () => {
    const person = await world.person({ location: await world.place() });
    const { token } = person;
    await world.bearer(token).get('/api/users').expect(403);
    await root.patch(`/api/users/${person.id}`, { role: 'MANAGER' }).expect(200);
    await world.bearer(token).get('/api/users').expect(200);
  });
});

describe('deleting a user', () => {
  test('is 204 without a body; then the user is 404 on all routes', async () => {
    const person = await world.person();
    const { text } = await root.delete(`/api/users/${person.id}`).expect(204);
    expect(text).toBe('');
    await root.get(`/api/users/${person.id}`).expect(404);
    await root.patch(`/api/users/${person.id}`, { firstName: 'A' }).expect(404);
    await root.delete(`/api/users/${person.id}`).expect(404);
  });

  test('keeps the record with its deletion time', async () => {
    const person = await world.person();
    await root.delete(`/api/users/${person.id}`).expect(204);
    const _id = new mongoose.Types.ObjectId(person.id);
    const storedUser = await mongoose.connection.collection('users').findOne({ _id });
    expect(storedUser?.deletedAt).toEqual(world.clock.now());
  });

  test('frees the phone for a new account, repeatedly', async () => {
    const person = await world.person();
    let { id } = person;
    for (let time = 0; time < 2; time++) {
      await root.delete(`/api/users/${id}`).expect(204);
      const { body } = await root.post('/api/users', draft({ phone: person.phone })).expect(201);
      expect(body.id).not.toBe(id);
      id = body.id;
    }
  });

  test('is 403 for oneself', async () => {
    await world.person({ role: 'SUPER_ADMIN' });
    await root.delete(`/api/users/${root.id}`).expect(403);
    await root.get(`/api/users/${root.id}`).expect(200);
  });

  test('twice at once is 204 and 404', async () => {
    const person = await world.person();
    const url = `/api/users/${person.id}`;
    const answers = await Promise.all([root.delete(url), root.delete(url)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  });
});
