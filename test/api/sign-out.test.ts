/** Signing out: which tokens become invalid, and which do not. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { signToken } from '../../src/platform/rights/token.ts';
import { apiRoutes } from '../../src/routes.ts';
import { type Person, sessionOf, testConfig, worldOfFile } from '../people.ts';

const PREVIOUS = 'the secret before, which is longer than forty characters';

const world = worldOfFile({ config: { jwtSecretPrevious: PREVIOUS } });
// Later than the real time, because MongoDB deletes expired codes by its own clock.
beforeEach(() => world.clock.set('2027-06-15T19:00:00.250Z'));

async function signIn(person: Person): Promise<string> {
  await world.anonymous.post('/api/auth/send-otp-login', { phone: person.phone }).expect(200);
  const code = world.otps.get(person.phone);
  const { body } = await world.anonymous
    .post('/api/auth/verify-otp-login', { phone: person.phone, code })
    .expect(200);
  return body.token;
}
const statusOf = async (token: string) => (await world.bearer(token).get('/api/auth/session')).status;
const events = (record: string) =>
  mongoose.connection
    .collection('auditevents')
    .find({ record: new mongoose.Types.ObjectId(record), action: 'signOut' })
    .toArray();

describe('POST /api/auth/sign-out-everywhere', () => {
  test('revokes every token issued before, but none issued later in the same second', async () => {
    const person = await world.person();
    const before = [await signIn(person), await signIn(person)];
    await world
      .bearer(before[0] ?? '')
      .post('/api/auth/sign-out-everywhere')
      .expect(204);
    world.clock.advance(100);
    const after = await signIn(person);
    const { iat: earlier } = jwt.decode(before[0] ?? '') as jwt.JwtPayload;
    const { iat: later } = jwt.decode(after) as jwt.JwtPayload;
    expect(later).toBe(earlier);
    expect(await Promise.all([...before, after].map(statusOf))).toEqual([401, 401, 200]);
    await world.bearer(after).post('/api/auth/sign-out-everywhere').expect(204);
    expect(await statusOf(after)).toBe(401);
  });

  test('applies to every process', async () => {
    const other = createApp(world.deps).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const there = supertest(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    const person = await world.person();
    const token = await signIn(person);
    const ask = () => there.get('/api/auth/session').set('Authorization', `Bearer ${token}`);
    await ask().expect(200);
    await world.bearer(token).post('/api/auth/sign-out-everywhere').expect(204);
    await ask().expect(401);
    other.closeAllConnections();
    other.close();
  });

  test('revokes no one else’s tokens', async () => {
    const [one, another] = [await world.person(), await world.person()];
    const token = await signIn(another);
    await one.post('/api/auth/sign-out-everywhere').expect(204);
    expect(await statusOf(token)).toBe(200);
  });

  test('works for a pending user, and needs a token', async () => {
    const pending = await world.person({ approvalStatus: 'PENDING' });
    await pending.post('/api/auth/sign-out-everywhere').expect(204);
    await pending.get('/api/auth/session').expect(401);
    await world.anonymous.post('/api/auth/sign-out-everywhere').expect(401);
  });

  test('is in the audit trail, as done by the person', async () => {
    const person = await world.person();
    await person.post('/api/auth/sign-out-everywhere').expect(204);
    expect((await events(person.id)).map(({ by }) => String(by))).toEqual([person.id]);
  });
});

describe('a sign-out token', () => {
  const tokenToEnd = async (token: string): Promise<string> =>
    (await world.bearer(token).get('/api/auth/session').expect(200)).body.signOutToken;
  const OTHERS = apiRoutes
    .filter(({ access, path }) => access !== 'public' && path !== '/api/auth/sign-out')
    .map(({ method, path }) => `${method} ${path}`);

  test('ends its session and no other, is the same each time, and ends with its session', async () => {
    const person = await world.person();
    const [one, other] = [await signIn(person), await signIn(person)];
    const end = await tokenToEnd(one);
    world.clock.advance(3_600_000);
    expect(await tokenToEnd(one)).toBe(end);
    const { exp } = jwt.decode(end) as jwt.JwtPayload;
    expect(exp).toBe((jwt.decode(one) as jwt.JwtPayload).exp);
    await world.bearer(end).post('/api/auth/sign-out').expect(204);
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200]);
    await world.bearer(end).post('/api/auth/sign-out').expect(401);
  });

  test('leaves the send token of its session as it is', async () => {
    const person = await world.person({ location: await world.place() });
    const token = await signIn(person);
    const { body } = await world.bearer(token).post('/api/auth/send-token').expect(201);
    await world
      .bearer(await tokenToEnd(token))
      .post('/api/auth/sign-out')
      .expect(204);
    await world.bearer(body.token).post('/api/referral-codes/blocks', { count: 1 }).expect(201);
  });

  test('is refused once its session has ended elsewhere', async () => {
    const person = await world.person();
    const token = await signIn(person);
    const end = await tokenToEnd(token);
    await world.bearer(token).post('/api/auth/sign-out-everywhere').expect(204);
    await world.bearer(end).post('/api/auth/sign-out').expect(401);
  });

  describe('of a super-admin gets 403', () => {
    let end: string;
    beforeAll(async () => {
      world.clock.set('2027-06-15T19:00:00.250Z');
      end = await tokenToEnd(await signIn(await world.person({ role: 'SUPER_ADMIN' })));
    });
    test.each(OTHERS)('from %s', async (name) => {
      const [method = 'get', path = ''] = name.split(' ');
      const url = path.replace(/:\w+/g, '0123456789abcdef01234567');
      const { status, body } = await world.bearer(end)[method as 'get'](url);
      expect({ status, keys: Object.keys(body) }).toEqual({ status: 403, keys: ['message'] });
    });
  });

  test('for a purpose that this version doesn’t know works nowhere', async () => {
    const person = await world.person();
    const { iat: _, ...claims } = jwt.decode(await signIn(person)) as jwt.JwtPayload;
    const unknown = jwt.sign({ ...claims, use: 'something else' }, testConfig().jwtSecret);
    await world.bearer(unknown).get('/api/auth/session').expect(403);
    await world.bearer(unknown).post('/api/auth/sign-out').expect(403);
  });
});

describe('POST /api/users/:id/sign-out', () => {
  test('revokes the user’s tokens, allows signing in again, and is in the audit trail', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await world.person()];
    const token = await signIn(person);
    await root.post(`/api/users/${person.id}/sign-out`).expect(204);
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(await signIn(person))).toBe(200);
    expect((await events(person.id)).map(({ by }) => String(by))).toEqual([root.id]);
    const { body } = await root.get(`/api/audit?record=${person.id}&action=signOut`).expect(200);
    expect(body.data).toMatchObject([{ by: root.id, action: 'signOut', changes: [] }]);
  });

  test('changes nothing else of the user', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await world.person()];
    const { body: before } = await root.get(`/api/users/${person.id}`).expect(200);
    await root.post(`/api/users/${person.id}/sign-out`).expect(204);
    const { body: after } = await root.get(`/api/users/${person.id}`).expect(200);
    expect(after).toEqual(before);
  });

  test('is not undone by a simultaneous change of the account', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await world.person()];
    const old = person.token;
    await Promise.all([
      root.post(`/api/users/${person.id}/sign-out`).expect(204),
      ...['A', 'B', 'C'].map((firstName) => root.patch(`/api/users/${person.id}`, { firstName }).expect(200)),
    ]);
    expect(await statusOf(old)).toBe(401);
  });

  test('returns 404 for an unknown user', async () => {
    const root = await world.person({ role: 'SUPER_ADMIN' });
    await root.post('/api/users/0123456789abcdef01234567/sign-out').expect(404);
  });
});

describe('JWT_SECRET_PREVIOUS', () => {
  const signedBefore = (person: Person) => {
    const _id = new mongoose.Types.ObjectId(person.id);
    const now = world.clock.now();
    return signToken({ ...testConfig(), jwtSecret: PREVIOUS }, { _id }, sessionOf(_id, now), now);
  };

  test('keeps its tokens valid until they expire or are signed out', async () => {
    const [one, another] = [await world.person(), await world.person()];
    const tokens = [one, another].map(signedBefore);
    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200]);
    await another.post('/api/auth/sign-out-everywhere').expect(204);
    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 401]);
    world.clock.advance(12 * 3_600_000);
    expect(await statusOf(tokens[0] ?? '')).toBe(401);
  });

  test('signs no new token', async () => {
    const token = await signIn(await world.person());
    expect(() => jwt.verify(token, PREVIOUS, { ignoreExpiration: true })).toThrow('invalid signature');
  });
});
