/** Sessions: listing and ending them, and which tokens they carry. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { signToken } from '../../src/platform/rights/token.ts';
import { type Person, testConfig, worldOfFile } from '../people.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';
const PREVIOUS = 'the secret before, which is longer than forty characters';

const world = worldOfFile({ config: { jwtSecretPrevious: PREVIOUS } });
// Later than the real time, because MongoDB deletes expired codes by its own clock.
beforeEach(() => world.clock.set('2027-06-15T19:20:30.250Z'));

const users = () => mongoose.connection.collection('users');
const oid = (hex: string) => new mongoose.Types.ObjectId(hex);
/** Someone who has never signed in. */
async function newcomer(): Promise<Person> {
  const person = await world.person();
  await users().updateOne({ _id: oid(person.id) }, { $set: { sessions: [] } });
  return person;
}
async function signIn({ phone }: Person, agent = PHONE, device?: string) {
  await world.anonymous.post('/api/auth/send-otp-login', { phone }).expect(200);
  const code = world.otps.get(phone);
  const { body } = await world.anonymous
    .post('/api/auth/verify-otp-login', { phone, code, ...(device ? { device } : {}) })
    .set('User-Agent', agent)
    .expect(200);
  return { ...world.bearer(body.token), token: body.token as string, device: body.device as string };
}
type SignedIn = Awaited<ReturnType<typeof signIn>>;
const statusOf = async (token: string) => (await world.bearer(token).get('/api/auth/session')).status;
const listOf = async (one: Pick<SignedIn, 'get'>) =>
  (await one.get('/api/auth/sessions').expect(200)).body.data;
const sidOf = (token: string) => (jwt.decode(token) as { sid: string }).sid;
const eventsOf = (record: string, action: string) =>
  mongoose.connection
    .collection('auditevents')
    .find({ record: oid(record), action })
    .toArray();

describe('GET /api/auth/sessions', () => {
  test('lists the caller’s sessions alone, newest first, with client and hour in words', async () => {
    const [person, other] = [await newcomer(), await newcomer()];
    const first = await signIn(person);
    await signIn(other);
    world.clock.advance(1000);
    const second = await signIn(person, 'curl/8.5.0');
    const hour = '2027-06-15T19:00:00.000Z';
    const rest = { lastSeenAt: hour, secondFactor: false };
    expect(await listOf(second)).toEqual([
      {
        id: sidOf(second.token),
        client: 'Unknown',
        createdAt: '2027-06-15T19:20:31.250Z',
        current: true,
        ...rest,
      },
      {
        id: sidOf(first.token),
        client: 'Chrome, Android',
        createdAt: '2027-06-15T19:20:30.250Z',
        current: false,
        ...rest,
      },
    ]);
  });

  test('a session records whether a text message or a colleague’s code opened it', async () => {
    const [person, admin] = [await newcomer(), await world.person({ role: 'SUPER_ADMIN' })];
    await signIn(person);
    const { body: signInCode } = await admin.post(`/api/users/${person.id}/sign-in-code`).expect(201);
    const { phone } = person;
    await world.anonymous.post('/api/auth/verify-otp-login', { phone, code: signInCode.code }).expect(200);
    const stored = await users().findOne({ _id: oid(person.id) });
    expect(stored?.sessions).toMatchObject([{ method: 'message' }, { method: 'colleague' }]);
  });

  test('works for a pending user, and needs a token', async () => {
    const pending = await world.person({ approvalStatus: 'PENDING' });
    expect(await listOf(pending)).toHaveLength(1);
    await world.anonymous.get('/api/auth/sessions').expect(401);
  });

  test('keeps at most 20 sessions: the oldest goes, and its token with it', async () => {
    const person = await newcomer();
    const signedIn: SignedIn[] = [];
    for (let at = 0; at < 21; at++) signedIn.push(await signIn(person));
    const [first, second] = signedIn;
    expect(await listOf(signedIn[20] as SignedIn)).toHaveLength(20);
    expect([await statusOf(first?.token ?? ''), await statusOf(second?.token ?? '')]).toEqual([401, 200]);
  });

  test('leaves out expired sessions, and forgets them at the next sign-in', async () => {
    const person = await newcomer();
    await signIn(person);
    world.clock.advance(13 * HOUR);
    const later = await signIn(person);
    expect(await listOf(later)).toMatchObject([{ id: sidOf(later.token) }]);
    expect((await users().findOne({ _id: oid(person.id) }))?.sessions).toHaveLength(1);
  });

  test('updates the time of the last request once an hour, not with each request', async () => {
    const person = await newcomer();
    const one = await signIn(person);
    const stored = async () => (await users().findOne({ _id: oid(person.id) }))?.sessions[0].lastSeenAt;
    const before = await stored();
    world.clock.advance(30 * 60_000);
    await one.get('/api/auth/session').expect(200);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await stored()).toEqual(before);
    world.clock.advance(30 * 60_000);
    await one.get('/api/auth/session').expect(200);
    await expectSoon(async () => (await stored()).toISOString(), '2027-06-15T20:00:00.000Z');
  });
});

async function expectSoon(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  for (let tries = 0; tries < 50 && (await read()) !== expected; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await read()).toEqual(expected);
}

describe('DELETE /api/auth/sessions/:id', () => {
  test('ends that session and no other, and is in the audit trail without an address', async () => {
    const person = await newcomer();
    const [phone, computer] = [await signIn(person), await signIn(person, 'curl/8.5.0')];
    await computer.delete(`/api/auth/sessions/${sidOf(phone.token)}`).expect(204);
    expect([await statusOf(phone.token), await statusOf(computer.token)]).toEqual([401, 200]);
    const events = await eventsOf(person.id, 'endSession');
    expect(events).toMatchObject([
      { by: oid(person.id), changes: [{ path: 'sessions', before: 'Chrome, Android', after: null }] },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/127\.0\.0\.1|::1/);
  });

  test('is 404 for another user’s session, an unknown one and a malformed id', async () => {
    const [one, other] = [await signIn(await newcomer()), await signIn(await newcomer())];
    for (const id of [sidOf(other.token), '0123456789abcdef01234567', 'x'])
      await one.delete(`/api/auth/sessions/${id}`).expect(404);
    expect(await statusOf(other.token)).toBe(200);
  });
});

describe('POST /api/auth/sign-out', () => {
  test('ends the session of this token and no other, and is in the audit trail', async () => {
    const person = await newcomer();
    const [phone, computer] = [await signIn(person), await signIn(person)];
    await phone.post('/api/auth/sign-out').expect(204);
    await phone.post('/api/auth/sign-out').expect(401);
    expect([await statusOf(phone.token), await statusOf(computer.token)]).toEqual([401, 200]);
    expect(await listOf(computer)).toHaveLength(1);
    expect(await eventsOf(person.id, 'endSession')).toHaveLength(1);
  });

  test('applies to every process from the next request on', async () => {
    const other = createApp(world.deps).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const there = supertest(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    const one = await signIn(await newcomer());
    const ask = () => there.get('/api/auth/session').set('Authorization', `Bearer ${one.token}`);
    await ask().expect(200);
    await one.post('/api/auth/sign-out').expect(204);
    await ask().expect(401);
    other.closeAllConnections();
    other.close();
  });
});

describe('GET /api/users/:id/sessions', () => {
  test('lists a user’s sessions, none of them as current', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await newcomer()];
    const { token } = await signIn(person);
    const { body } = await root.get(`/api/users/${person.id}/sessions`).expect(200);
    expect(body.data).toMatchObject([{ id: sidOf(token), client: 'Chrome, Android', current: false }]);
  });
});

describe('sessions end', () => {
  test.each<[string, (root: Person, id: string, own: SignedIn) => Promise<unknown>]>([
    ['with signing out everywhere', (_, __, own) => own.post('/api/auth/sign-out-everywhere').expect(204)],
    ['by a colleague', (root, id) => root.post(`/api/users/${id}/sign-out`).expect(204)],
    ['with deletion', (root, id) => root.delete(`/api/users/${id}`).expect(204)],
    [
      'with rejection',
      async (root, id) => {
        for (const approvalStatus of ['PENDING', 'REJECTED'])
          await root.patch(`/api/users/${id}`, { approvalStatus }).expect(200);
      },
    ],
  ])('%s', async (_title, end) => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await newcomer()];
    const own = await signIn(person);
    await end(root, person.id, own);
    expect(await statusOf(own.token)).toBe(401);
    expect((await users().findOne({ _id: oid(person.id) }))?.sessions).toEqual([]);
  });

  test('but moving an account back to pending ends none', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await newcomer()];
    const own = await signIn(person);
    await root.patch(`/api/users/${person.id}`, { approvalStatus: 'PENDING' }).expect(200);
    expect(await statusOf(own.token)).toBe(200);
  });
});

describe('a token', () => {
  const config = testConfig();
  const withoutSession = ({ id }: Person, secret: string, hours: number) => {
    const iat = Math.floor(world.clock.now().getTime() / 1000);
    return jwt.sign({ sub: id, iat, exp: iat + hours * 3600 }, secret, { algorithm: 'HS256' });
  };
  const migrated = async () =>
    (
      await mongoose.connection
        .collection<{ _id: string; createdAt: Date }>('migrations')
        .findOne({ _id: '2026-11-28-sessions' })
    )?.createdAt ?? new Date(0);

  test('without a session is good until it expires, at most JWT_TTL after the migration', async () => {
    const person = await world.person();
    world.clock.set(new Date((await migrated()).getTime() + 1000));
    const [short, long] = [
      withoutSession(person, config.jwtSecret, 1),
      withoutSession(person, config.jwtSecret, 48),
    ];
    expect([await statusOf(short), await statusOf(long)]).toEqual([200, 200]);
    world.clock.advance(2 * HOUR);
    expect([await statusOf(short), await statusOf(long)]).toEqual([401, 200]);
    world.clock.advance(10 * HOUR);
    expect(await statusOf(long)).toBe(401);
  });

  test('without a session can list sessions and sign out, but gets no send token', async () => {
    const person = await world.person();
    world.clock.set(new Date((await migrated()).getTime() + 1000));
    const old = world.bearer(withoutSession(person, config.jwtSecret, 1));
    expect((await listOf(old)).map(({ current }: { current: boolean }) => current)).toEqual([false]);
    await old.post('/api/auth/send-token').expect(403);
    await old.post('/api/auth/sign-out').expect(204);
    await person.get('/api/auth/session').expect(200);
  });

  test('of the former secret needs a live session', async () => {
    const person = await newcomer();
    const { token } = await signIn(person);
    const former = { ...config, jwtSecret: PREVIOUS };
    const session = { id: oid(sidOf(token)) };
    const renewed = signToken(former, { _id: oid(person.id) }, session as never, world.clock.now());
    expect(await statusOf(renewed)).toBe(200);
    await world.bearer(token).post('/api/auth/sign-out').expect(204);
    expect(await statusOf(renewed)).toBe(401);
    world.clock.set(new Date((await migrated()).getTime() + 1000));
    expect(await statusOf(withoutSession(person, PREVIOUS, 1))).toBe(401);
  });

  test('of a session that is not an id, or another user’s, is 401', async () => {
    const [one, other] = [await world.person(), await world.person()];
    for (const sid of [other.id, 'x', 7, '0123456789abcdef01234567']) {
      const exp = Math.floor(world.clock.now().getTime() / 1000) + 60;
      expect(await statusOf(jwt.sign({ sub: one.id, sid, exp }, config.jwtSecret))).toBe(401);
    }
  });
});

describe('signing in again on the same device', () => {
  test('replaces its earlier session that could only send', async () => {
    const person = await newcomer();
    const first = await signIn(person);
    const { body } = await first.post('/api/auth/send-token').expect(201);
    world.clock.advance(13 * HOUR);
    const second = await signIn(person, PHONE, first.device);
    expect(await listOf(second)).toHaveLength(1);
    await world.bearer(body.token).post('/api/referral-codes/blocks', { count: 1 }).expect(401);
  });

  test('keeps one that is still signed in', async () => {
    const person = await newcomer();
    const first = await signIn(person);
    await signIn(person, PHONE, first.device);
    expect(await statusOf(first.token)).toBe(200);
  });
});

test('a send token keeps its session in the list after the session has expired', async () => {
  const person = await newcomer();
  const phone = await signIn(person);
  await phone.post('/api/auth/send-token').expect(201);
  world.clock.advance(2 * DAY);
  const computer = await signIn(person);
  expect((await listOf(computer)).map(({ id }: { id: string }) => id)).toContain(sidOf(phone.token));
});
