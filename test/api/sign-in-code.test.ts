/** A sign-in code created by a colleague: one use, ten minutes, for one person, and always recorded. */
import mongoose from 'mongoose';
import type { OtpProvider } from '../../src/access/auth/otp/otp.ts';
import { problem } from '../../src/platform/http/problems/problem.ts';
import { type Grant, type Person, type PersonOptions, startWorld, type World } from '../people.ts';
import { OTP_INVALID, wrong } from './user-kit.ts';

const MINUTE = 60_000;

let world: World;
let site: string;
beforeAll(async () => {
  world = await startWorld({ config: { publicUrl: 'https://survey.example.org' } });
  site = await world.place();
});
afterAll(() => world.stop());
// Later than the real time, because MongoDB deletes expired codes by its own clock.
beforeEach(() => world.clock.set('2027-06-15T19:00:00Z'));

const volunteer = (more: PersonOptions = {}) => world.person({ location: site, ...more });
const manager = () => world.person({ role: 'MANAGER', location: site, firstName: 'Ana', lastName: 'Lee' });
const make = async (by: Person, whom: Person) =>
  (
    await by
      .post(`/api/users/${whom.id}/sign-in-code`)
      .expect(201)
      .expect('Location', `/api/users/${whom.id}`)
  ).body;
const login = (phone: string, code: string) =>
  world.anonymous.post('/api/auth/verify-otp-login', { phone, code });
const textMessage = async (phone: string) => {
  await world.anonymous.post('/api/auth/send-otp-login', { phone }).expect(200);
  return world.otps.get(phone) ?? '';
};

describe('a sign-in code', () => {
  test('signs its person in once, like a code by text message', async () => {
    const [giver, person] = [await manager(), await volunteer()];
    const { code } = await make(giver, person);
    const { body } = await login(person.phone, code).expect(200);
    expect(body.user.id).toBe(person.id);
    await world.bearer(body.token).get('/api/surveys').expect(200);
    expect((await login(person.phone, code).expect(400)).body).toEqual(OTP_INVALID);
  });

  test('comes with its expiry time and a link with phone and code after #', async () => {
    const [giver, person] = [await manager(), await volunteer()];
    const answer = await make(giver, person);
    expect(answer).toEqual({
      code: expect.stringMatching(/^\d{6}$/),
      url: expect.stringMatching(
        new RegExp(
          `^https://survey\\.example\\.org/sign-in#phone=%2B${person.phone.slice(1)}&code=[0-9A-Z]{12}$`,
        ),
      ),
      expiresAt: '2027-06-15T19:10:00.000Z',
    });
  });

  test('expires after ten minutes', async () => {
    const [giver, person] = [await manager(), await volunteer()];
    const { code } = await make(giver, person);
    world.clock.advance(10 * MINUTE);
    expect((await login(person.phone, code).expect(400)).body).toEqual(OTP_INVALID);
  });

  test('is replaced by a later one, whoever creates it', async () => {
    const [giver, other, person] = [await manager(), await manager(), await volunteer()];
    const { code: former } = await make(giver, person);
    let { code: later } = await make(other, person);
    while (later === former) later = (await make(other, person)).code;
    await login(person.phone, former).expect(400);
    await login(person.phone, later).expect(200);
  });

  test('of several created simultaneously exactly one is valid', async () => {
    const [giver, person] = [await manager(), await volunteer()];
    const codes = await Promise.all(Array.from({ length: 5 }, () => make(giver, person)));
    const answers = await Promise.all(codes.map(({ code }) => login(person.phone, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is used once by ten simultaneous requests', async () => {
    const [giver, person] = [await manager(), await volunteer()];
    const { code } = await make(giver, person);
    const answers = await Promise.all(Array.from({ length: 10 }, () => login(person.phone, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
  });

  test('is void after five wrong tries', async () => {
    const [giver, person] = [await manager(), await volunteer()];
    const { code } = await make(giver, person);
    for (let time = 0; time < 5; time++) await login(person.phone, wrong(code)).expect(400);
    expect((await login(person.phone, code).expect(400)).body).toEqual(OTP_INVALID);
  });

  test('and a code by text message do not invalidate each other', async () => {
    const [giver, person] = [await manager(), await volunteer()];
    const { code } = await make(giver, person);
    const texted = await textMessage(person.phone);
    await login(person.phone, texted).expect(200);
    await login(person.phone, code).expect(200);
  });

  test('does not work for another phone or for sign-up', async () => {
    const [giver, person, other] = [await manager(), await volunteer(), await volunteer()];
    const { code } = await make(giver, person);
    await login(other.phone, code).expect(400);
    const signUp = { phone: person.phone, code, firstName: 'Ada', lastName: 'Field' };
    expect((await world.anonymous.post('/api/auth/verify-otp-signup', signUp).expect(400)).body).toEqual(
      OTP_INVALID,
    );
  });

  test.each<[string, (root: Person, person: Person) => PromiseLike<unknown>]>([
    ['is signed out everywhere', (root, { id }) => root.post(`/api/users/${id}/sign-out`).expect(204)],
    ['has another role', (root, { id }) => root.patch(`/api/users/${id}`, { role: 'ADMIN' }).expect(200)],
    ['is deleted', (root, { id }) => root.delete(`/api/users/${id}`).expect(204)],
  ])('is void once the person %s', async (_what, change) => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await volunteer()];
    const { code } = await make(root, person);
    await change(root, person);
    expect((await login(person.phone, code).expect(400)).body).toEqual(OTP_INVALID);
  });

  test('is stored only as a hash', async () => {
    const [giver, person] = [await manager(), await volunteer()];
    const { code } = await make(giver, person);
    const stored = await mongoose.connection.collection('signincodes').findOne({ phone: person.phone });
    expect(stored).not.toBeNull();
    expect(JSON.stringify(stored)).not.toContain(code);
    const events = await mongoose.connection.collection('auditevents').find().toArray();
    expect(JSON.stringify(events)).not.toMatch(new RegExp(`"${code}"`));
  });
});

const READ: Grant = { action: 'read', subject: 'Survey', conditions: [] };

describe('grants', () => {
  test.each(['MANAGER', 'ADMIN'] as const)('are never handed to a %s by a code', async (role) => {
    const giver = await world.person({ role, location: site });
    const person = await volunteer({ permissions: [READ] });
    await giver.post(`/api/users/${person.id}/sign-in-code`).expect(403);
  });

  test('a super-admin’s code signs in someone with grants', async () => {
    const [root, person] = [
      await world.person({ role: 'SUPER_ADMIN' }),
      await volunteer({ permissions: [READ] }),
    ];
    const { code } = await make(root, person);
    await login(person.phone, code).expect(200);
  });

  test('a grant made meanwhile ends the code', async () => {
    const [root, giver, person] = [
      await world.person({ role: 'SUPER_ADMIN' }),
      await manager(),
      await volunteer(),
    ];
    const { code } = await make(giver, person);
    await root.patch(`/api/users/${person.id}`, { permissions: [READ] }).expect(200);
    expect((await login(person.phone, code).expect(400)).body).toEqual(OTP_INVALID);
  });

  test.each<[string, object]>([
    ['a grant', { permissions: [READ] }],
    ['a higher role', { role: 'MANAGER' }],
  ])('%s ends the session that a colleague’s code opened', async (_what, change) => {
    const [root, giver, person] = [
      await world.person({ role: 'SUPER_ADMIN' }),
      await manager(),
      await volunteer(),
    ];
    const { code } = await make(giver, person);
    const { token } = (await login(person.phone, code).expect(200)).body;
    await world.bearer(token).get('/api/surveys').expect(200);
    await root.patch(`/api/users/${person.id}`, change).expect(200);
    await world.bearer(token).get('/api/surveys').expect(401);
    const { body } = await root.get(`/api/audit?record=${person.id}&action=signOut`).expect(200);
    expect(body.data).toMatchObject([{ by: root.id }]);
  });

  test('a session by a super-admin’s code or a text message gains the grant', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await volunteer()];
    const { token } = (await login(person.phone, (await make(root, person)).code).expect(200)).body;
    await root.patch(`/api/users/${person.id}`, { permissions: [READ] }).expect(200);
    await world.bearer(token).get('/api/surveys').expect(200);
  });
});

describe('a phone that never returned a code by SMS', () => {
  const ghost = () => volunteer({ phoneProved: false });

  test('gets none from a manager or admin: 409', async () => {
    for (const giver of [await manager(), await world.person({ role: 'ADMIN' })]) {
      const { body } = await giver.post(`/api/users/${(await ghost()).id}/sign-in-code`).expect(409);
      expect(body).toMatchObject({ code: 'INVALID_TRANSITION', reason: 'PHONE_NOT_PROVED' });
    }
  });

  test('gets one from a super-admin, which does not prove the phone', async () => {
    const [root, giver, person] = [
      await world.person({ role: 'SUPER_ADMIN' }),
      await manager(),
      await ghost(),
    ];
    await login(person.phone, (await make(root, person)).code).expect(200);
    await giver.post(`/api/users/${person.id}/sign-in-code`).expect(409);
  });

  test('is proved by signing in with a message', async () => {
    const [giver, person] = [await manager(), await ghost()];
    await login(person.phone, await textMessage(person.phone)).expect(200);
    await make(giver, person);
  });

  test('is proved by signing up, not by an account that a colleague created', async () => {
    const root = await world.person({ role: 'SUPER_ADMIN' });
    const giver = await manager();
    const phone = world.newPhone();
    await world.anonymous.post('/api/auth/send-otp-signup', { phone }).expect(200);
    const signUp = {
      phone,
      code: world.otps.get(phone),
      firstName: 'Ada',
      lastName: 'Field',
      location: site,
    };
    const { body } = await world.anonymous.post('/api/auth/verify-otp-signup', signUp).expect(201);
    await root.patch(`/api/users/${body.user.id}`, { approvalStatus: 'APPROVED' }).expect(200);
    await giver.post(`/api/users/${body.user.id}/sign-in-code`).expect(201);
    const fields = {
      phone: world.newPhone(),
      firstName: 'Ghost',
      lastName: 'Lee',
      role: 'VOLUNTEER',
      approvalStatus: 'APPROVED',
    };
    const account = (await giver.post('/api/users', fields).expect(201)).body;
    await giver.post(`/api/users/${account.id}/sign-in-code`).expect(409);
  });
});

describe('people who can get one', () => {
  test.each(['PENDING', 'REJECTED'] as const)('a %s user is 409', async (approvalStatus) => {
    const [giver, person] = [await manager(), await volunteer({ approvalStatus })];
    const { body } = await giver.post(`/api/users/${person.id}/sign-in-code`).expect(409);
    expect(body).toMatchObject({ code: 'INVALID_TRANSITION', reason: 'ONLY_APPROVED' });
  });

  test('an unknown or deleted user is 404', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await volunteer()];
    await root.delete(`/api/users/${person.id}`).expect(204);
    for (const id of [person.id, '0123456789abcdef01234567', 'nobody'])
      await root.post(`/api/users/${id}/sign-in-code`).expect(404);
  });
});

describe('records of its use', () => {
  test('the audit trail has who created the code, and whose code a sign-in used', async () => {
    const [root, giver, person] = [
      await world.person({ role: 'SUPER_ADMIN' }),
      await manager(),
      await volunteer(),
    ];
    const { code } = await make(giver, person);
    world.clock.advance(MINUTE);
    await login(person.phone, code).expect(200);
    const { body } = await root.get(`/api/audit?record=${person.id}`).expect(200);
    expect(body.data).toMatchObject([
      { action: 'signIn', by: person.id, changes: [{ path: 'codeSignIn', before: null, after: giver.id }] },
      { action: 'signInCode', by: giver.id, changes: [] },
    ]);
  });

  test('the session has whose code was last used and when', async () => {
    const [giver, person] = [await manager(), await volunteer()];
    expect((await person.get('/api/auth/session').expect(200)).body).not.toHaveProperty('codeSignIn');
    const { code } = await make(giver, person);
    expect((await person.get('/api/auth/session').expect(200)).body).not.toHaveProperty('codeSignIn');
    await login(person.phone, code).expect(200);
    const expected = { name: 'Ana Lee', at: '2027-06-15T19:00:00.000Z' };
    expect((await person.get('/api/auth/session').expect(200)).body.codeSignIn).toEqual(expected);
    await login(person.phone, await textMessage(person.phone)).expect(200);
    expect((await person.get('/api/auth/session').expect(200)).body.codeSignIn).toEqual(expected);
  });

  test('a user record does not include codeSignIn', async () => {
    const [giver, person] = [await manager(), await volunteer()];
    const { code } = await make(giver, person);
    await login(person.phone, code).expect(200);
    const { body } = await giver.get(`/api/users/${person.id}`).expect(200);
    expect(body).not.toHaveProperty('codeSignIn');
  });
});

/** Text messages are not sent. */
const unreachable: OtpProvider = {
  name: 'twilio',
  send: () => Promise.reject(problem('UNAVAILABLE')),
  check: () => Promise.reject(problem('UNAVAILABLE')),
  checkHealth: () => Promise.reject(problem('UNAVAILABLE')),
};

describe('with rate limits, and no text message provider', () => {
  beforeAll(async () => {
    await world.stop();
    world = await startWorld({ config: { rateLimits: true }, otp: unreachable });
  });

  test('a code still signs in', async () => {
    const [giver, person] = [await world.person({ role: 'ADMIN' }), await world.person()];
    const { code } = await make(giver, person);
    await login(person.phone, wrong(code)).expect(503);
    await login(person.phone, code).expect(200);
  });

  test('a caller can create 20 an hour, not counting rejected requests', async () => {
    world.clock.real();
    const root = await world.person({ role: 'SUPER_ADMIN' });
    const [person, pending] = [await world.person(), await world.person({ approvalStatus: 'PENDING' })];
    for (let time = 0; time < 3; time++) await root.post(`/api/users/${pending.id}/sign-in-code`).expect(409);
    for (let time = 0; time < 20; time++) await make(root, person);
    const { body } = await root.post(`/api/users/${person.id}/sign-in-code`).expect(429);
    expect(body.code).toBe('RATE_LIMITED');
    await make(await world.person({ role: 'ADMIN' }), person);
  });
});
