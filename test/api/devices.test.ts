/** What phones report of themselves, and who sees it. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { type Person, worldOfFile } from '../people.ts';

const world = worldOfFile();
let here: string;
let there: string;
let root: Person;
beforeAll(async () => {
  here = await world.place();
  there = await world.place();
  root = await world.person({ role: 'SUPER_ADMIN' });
});
beforeEach(() => world.clock.set('2027-06-15T12:00:00.000Z'));

const report = (extra: object = {}) => ({
  ...{ device: randomUUID(), appVersion: '1.2.3', drafts: 1, unsent: 0, refused: 0 },
  ...{ oldestUnsentAt: null, codesLeft: 5, persisted: true, ...extra },
});
const send = async (person: Person, extra: object = {}) =>
  await person.post('/api/devices/report', report(extra)).expect(204);
const listOf = async (person: Person, query = '') =>
  (await person.get(`/api/devices?${query}`).expect(200)).body.data as {
    id: string;
    user: string;
    location: string;
    unsent: number;
  }[];
const stored = () => mongoose.connection.collection('devices');

test('a report replaces the last one of the same person on the same device', async () => {
  const ana = await world.person({ location: here });
  const device = randomUUID();
  await send(ana, { device, unsent: 2, oldestUnsentAt: '2027-06-14T08:00:00.000Z' });
  await send(ana, { device: device.toUpperCase(), unsent: 1, oldestUnsentAt: '2027-06-14T09:00:00.000Z' });
  const [only, ...others] = await listOf(root, `user=${ana.id}`);
  expect(others).toEqual([]);
  expect(only).toEqual({
    ...{ id: expect.any(String), user: ana.id, location: here, appVersion: '1.2.3' },
    ...{ drafts: 1, unsent: 1, refused: 0, oldestUnsentAt: '2027-06-14T09:00:00.000Z' },
    ...{ codesLeft: 5, persisted: true, reportedAt: '2027-06-15T12:00:00.000Z' },
  });
});

test('two people on one phone are two entries', async () => {
  const [ana, bo] = [await world.person({ location: here }), await world.person({ location: here })];
  const device = randomUUID();
  for (const person of [ana, bo]) await send(person, { device, unsent: 1 });
  for (const person of [ana, bo]) expect(await listOf(root, `user=${person.id}`)).toHaveLength(1);
});

test('a fast clock of a phone can’t put its interviews into the future', async () => {
  const ana = await world.person({ location: here });
  await send(ana, { unsent: 1, oldestUnsentAt: '2030-01-01T00:00:00.000Z' });
  const [one] = await listOf(root, `user=${ana.id}`);
  expect(one).toMatchObject({ oldestUnsentAt: '2027-06-15T12:00:00.000Z' });
});

test('the list is paged, with the oldest unsent interviews first; pending=true leaves out devices with nothing unsent', async () => {
  await stored().deleteMany({});
  const ana = await world.person({ location: here });
  await send(ana);
  await send(ana, { refused: 1, oldestUnsentAt: '2027-06-15T10:00:00.000Z' });
  await send(ana, { unsent: 9, oldestUnsentAt: '2027-06-13T10:00:00.000Z' });
  const counts = (await listOf(root)).map(({ unsent }) => unsent);
  expect(counts).toEqual([9, 0, 0]);
  const pending = await listOf(root, 'pending=true');
  expect(pending).toHaveLength(2);
  const { body: first } = await root.get('/api/devices?limit=2').expect(200);
  const { body: rest } = await root.get(`/api/devices?limit=2&cursor=${first.nextCursor}`).expect(200);
  expect([...first.data, ...rest.data]).toEqual(await listOf(root));
});

test('a manager sees the people of their own site, and a volunteer nobody', async () => {
  const manager = await world.person({ role: 'MANAGER', location: here });
  const [near, far] = [await world.person({ location: here }), await world.person({ location: there })];
  for (const person of [near, far]) await send(person, { unsent: 1 });
  const users = (await listOf(manager)).map(({ user }) => user);
  expect(users).toContain(near.id);
  expect(users).not.toContain(far.id);
  expect(await listOf(manager, `location=${there}`)).toEqual([]);
  await near.get('/api/devices').expect(403);
  await root.patch(`/api/users/${far.id}`, { location: here }).expect(200);
  expect((await listOf(manager)).map(({ user }) => user)).toContain(far.id);
});

test('a device with nothing unsent is removed 30 days after its report, others never', async () => {
  const ana = await world.person({ location: here });
  const [idle, busy] = [randomUUID(), randomUUID()];
  await send(ana, { device: idle });
  await send(ana, { device: busy, refused: 1 });
  const expiry = async (device: string) => (await stored().findOne({ device }))?.expiresAt;
  expect(await expiry(idle)).toEqual(new Date('2027-07-15T12:00:00.000Z'));
  expect(await expiry(busy)).toBeNull();
  const indexes = await stored().indexes();
  expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
});

test('a user has at most 20 devices, and those with unsent interviews stay longest', async () => {
  const ana = await world.person({ location: here });
  const first = randomUUID();
  await send(ana, { device: first, unsent: 1 });
  for (let at = 0; at < 25; at += 1) {
    world.clock.advance(60_000);
    await send(ana);
  }
  expect(await stored().countDocuments({ user: new mongoose.Types.ObjectId(ana.id) })).toBe(20);
  expect(await stored().findOne({ device: first })).not.toBeNull();
});

test('ten reports of a new device at the same time make one entry', async () => {
  const ana = await world.person({ location: here });
  const device = randomUUID();
  await Promise.all(Array.from({ length: 10 }, () => send(ana, { device })));
  expect(await listOf(root, `user=${ana.id}`)).toHaveLength(1);
});

test.each([
  ['device', { device: 'my phone' }],
  ['unsent', { unsent: -1 }],
  ['drafts', { drafts: 1e9 }],
  ['appVersion', { appVersion: 'x'.repeat(51) }],
  ['answers', { answers: {} }],
])('a report with a wrong %s is refused', async (path, extra) => {
  const ana = await world.person({ location: here });
  const { body } = await ana.post('/api/devices/report', report(extra)).expect(400);
  expect(body.errors[0].path).toBe(path);
});

test('a send token can report, but not read the list', async () => {
  const ana = await world.person({ location: here });
  await world.anonymous.post('/api/auth/send-otp-login', { phone: ana.phone }).expect(200);
  const code = world.otps.get(ana.phone);
  const { body } = await world.anonymous
    .post('/api/auth/verify-otp-login', { phone: ana.phone, code })
    .expect(200);
  const { body: sending } = await world.bearer(body.token).post('/api/auth/send-token').expect(201);
  const sender = world.bearer(sending.token);
  await sender.post('/api/devices/report', report({ unsent: 3 })).expect(204);
  await sender.get('/api/devices').expect(403);
  expect(await listOf(root, `user=${ana.id}`)).toMatchObject([{ unsent: 3 }]);
});

test('devices of a deleted account are removed 30 days later, even with unsent interviews', async () => {
  const ana = await world.person({ location: here });
  await send(ana, { unsent: 1 });
  await root.delete(`/api/users/${ana.id}`).expect(204);
  const storedReport = await stored().findOne({ user: new mongoose.Types.ObjectId(ana.id) });
  expect(storedReport?.expiresAt).toEqual(new Date('2027-07-15T12:00:00.000Z'));
});
