/** Concurrent changes run one after another: each sees the result of those before it. */
import mongoose from 'mongoose';
import { type Person, worldOfFile } from '../people.ts';

let root: Person;
const world = worldOfFile();
beforeAll(async () => {
  root = await world.person({ role: 'SUPER_ADMIN', location: await world.place() });
});

const several = [1, 2, 3, 4, 5];
const statuses = async (requests: PromiseLike<{ status: number }>[]) =>
  (await Promise.all(requests)).map(({ status }) => status).sort();

test.each([
  ['locations', async () => await world.place()],
  ['seeds', async () => (await root.post('/api/seeds', { location: await world.place() })).body.id as string],
  ['users', async () => (await world.person({ role: 'VOLUNTEER' })).id],
])('of simultaneous deletions of one of the %s, one is 204 and the others 404', async (kind, make) => {
  for (let round = 0; round < 3; round += 1) {
    const id = await make();
    expect(await statuses(several.map(() => root.delete(`/api/${kind}/${id}`)))).toEqual([
      204, 404, 404, 404, 404,
    ]);
    const eventCount = await mongoose.connection
      .collection('auditevents')
      .countDocuments({ record: new mongoose.Types.ObjectId(id), action: 'delete' });
    expect(eventCount).toBe(1);
  }
});

test('a change of a location racing with its deletion comes before it or is 404', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await world.place();
    const [changed] = await Promise.all([
      root.patch(`/api/locations/${id}`, { address: 'changed' }),
      root.delete(`/api/locations/${id}`).expect(204),
    ]);
    const record = new mongoose.Types.ObjectId(id);
    const events = await mongoose.connection
      .collection('auditevents')
      .find({ record })
      .sort({ _id: 1 })
      .project({ action: 1 })
      .toArray();
    const actions = events.map(({ action }) => String(action));
    expect(actions).toEqual(changed.status === 200 ? ['update', 'delete'] : ['delete']);
  }
});

test('no seed, batch or person can be added to a location after its deletion', async () => {
  const id = await world.place();
  const user = await world.person({ role: 'VOLUNTEER' });
  await root.delete(`/api/locations/${id}`).expect(204);
  await root.post('/api/seeds', { location: id }).expect(400);
  await root.post('/api/referral-codes/batches', { count: 1, location: id }).expect(400);
  await root.patch(`/api/users/${user.id}`, { location: id }).expect(400);
});

test('a grant to read codes of one’s own site shows only batches of that site', async () => {
  const [here, there] = [await world.place(), await world.place()];
  const permissions = [{ action: 'read', subject: 'ReferralCode', conditions: ['HAS_SAME_LOCATION'] }];
  const vera = await world.person({ role: 'VOLUNTEER', location: here, permissions });
  const response = await root.post('/api/referral-codes/batches', { count: 2, location: here }).expect(201);
  await root.post('/api/referral-codes/batches', { count: 2, location: there }).expect(201);
  const { body } = await vera.get('/api/referral-codes/batches').expect(200);
  expect(body.data.map((one: { id: string }) => one.id)).toEqual([response.body.id]);
  await (await world.person({ role: 'VOLUNTEER' })).get('/api/referral-codes/batches').expect(403);
});
