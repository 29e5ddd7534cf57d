/** Send tokens: what they are good for, what they learn, and when they end. */
import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import { MINIMAL_RESPONSES } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { apiRoutes } from '../../src/routes.ts';
import { type Person, type Verbs, worldOfFile } from '../people.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RECEIPT = ['clientId', 'createdAt', 'flags', 'id', 'issuedCodes', 'status', 'version'];

const world = worldOfFile();
let site: string;
beforeAll(async () => {
  site = await world.place();
});
beforeEach(() => world.clock.set('2027-06-15T19:20:30.250Z'));

interface Phone {
  person: Person;
  /** With the token of the sign-in. */
  app: Verbs;
  /** With the send token. */
  sender: Verbs;
  token: string;
}
async function phoneOf(person: Person): Promise<Phone> {
  await world.anonymous.post('/api/auth/send-otp-login', { phone: person.phone }).expect(200);
  const code = world.otps.get(person.phone);
  const signIn = await world.anonymous
    .post('/api/auth/verify-otp-login', { phone: person.phone, code })
    .expect(200);
  const app = world.bearer(signIn.body.token);
  const { token } = (await app.post('/api/auth/send-token').expect(201)).body;
  return { person, app, sender: world.bearer(token), token };
}
const newPhone = async (role: 'VOLUNTEER' | 'SUPER_ADMIN' = 'VOLUNTEER') =>
  await phoneOf(await world.person({ role, location: site }));
const interview = (extra: object = {}) => ({
  clientId: randomUUID(),
  location: site,
  responses: { ...MINIMAL_RESPONSES },
  onCodeProblem: 'FLAG',
  ...extra,
});
const block = async ({ app }: Phone): Promise<string[]> =>
  (await app.post('/api/referral-codes/blocks', { count: 2 }).expect(201)).body.codes;
const worksAt = async ({ sender }: Phone) =>
  (await sender.post('/api/referral-codes/blocks', { count: 1 })).status;

test('a send token is valid for 30 days, for the same session, and says when it ends', async () => {
  const { app } = await newPhone();
  const { body } = await app.post('/api/auth/send-token').expect(201);
  expect(body.expiresAt).toBe('2027-07-15T19:20:30.250Z');
  const { body: sessions } = await app.get('/api/auth/sessions').expect(200);
  const { sid, exp, iat } = jwt.decode(body.token) as jwt.JwtPayload;
  expect(sessions.data.some(({ id }: { id: string }) => id === sid)).toBe(true);
  expect(Number(exp) - Number(iat)).toBe(30 * 24 * 3600);
});

describe('a stolen send token', () => {
  const named = (some: typeof apiRoutes) => some.map(({ method, path }) => `${method} ${path}`);
  const isPublic = ({ access }: (typeof apiRoutes)[number]) => access === 'public';
  const GOOD_FOR = [
    'patch /api/surveys/:id',
    'post /api/devices/report',
    'post /api/referral-codes/blocks',
    'post /api/surveys',
  ];
  const CLOSED = named(apiRoutes.filter((one) => !isPublic(one))).filter((name) => !GOOD_FOR.includes(name));
  const OPEN = named(apiRoutes.filter(isPublic)).filter((name) => name.startsWith('get '));
  let thief: Verbs;
  let owner: Person;
  beforeAll(async () => {
    world.clock.set('2027-06-15T19:20:30.250Z');
    const stolen = await newPhone('SUPER_ADMIN');
    thief = stolen.sender;
    owner = stolen.person;
  });

  test('works on four routes, and every other one is tested', () => {
    expect(named(apiRoutes.filter(({ sendToken }) => sendToken)).toSorted()).toEqual(GOOD_FOR);
    expect(CLOSED.length + GOOD_FOR.length + apiRoutes.filter(isPublic).length).toBe(apiRoutes.length);
  });

  test.each(CLOSED)('gets 403 from %s, even a super admin’s', async (name) => {
    const [method = 'get', path = ''] = name.split(' ');
    const url = path.replace(/:\w+/g, owner.id);
    const { status, body } = await thief[method as 'get'](url);
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 403, keys: ['message'] });
  });

  test.each(OPEN)('learns no more from %s than somebody without a token', async (name) => {
    const url = name.replace('get ', '').replace(/:\w+/g, 'ABCDEFGC');
    const [stolen, without] = [await thief.get(url), await world.anonymous.get(url)];
    expect([stolen.status, stolen.body]).toEqual([without.status, without.body]);
  });

  test.each(['/metrics', '/api/metrics', '/api', '/api/unknown'])('opens nothing at %s', async (path) => {
    expect([401, 404]).toContain((await thief.get(path)).status);
  });

  test('reports devices as its owner’s alone', async () => {
    const report = { drafts: 0, unsent: 3, refused: 0, codesLeft: 0, oldestUnsentAt: null, persisted: null };
    const device = randomUUID();
    await thief.post('/api/devices/report', { device, appVersion: '1.0.0', ...report }).expect(204);
    const stored = await mongoose.connection.collection('devices').find({ device }).toArray();
    expect(stored.map(({ user }) => String(user))).toEqual([owner.id]);
  });
});

describe('a send token delivers', () => {
  test('a finished interview after the session has expired, and learns only that it arrived', async () => {
    const phone = await newPhone();
    const issuedCodes = await block(phone);
    world.clock.advance(20 * DAY);
    await phone.app.get('/api/auth/session').expect(401);
    const submission = interview({ issuedCodes, note: 'interrupted' });
    const { body } = await phone.sender.post('/api/surveys', submission).expect(201);
    expect(Object.keys(body).sort()).toEqual(RECEIPT);
    expect(body).toMatchObject({ clientId: submission.clientId, status: 'COMPLETED', version: 1 });
    expect(body.issuedCodes).toEqual(expect.arrayContaining(issuedCodes));
    const { body: again } = await phone.sender.post('/api/surveys', submission).expect(200);
    expect(again).toEqual(body);
  });

  test('names flags by their codes', async () => {
    const { sender } = await newPhone();
    const { body } = await sender.post('/api/surveys', interview({ referralCode: 'nonsense' })).expect(201);
    expect(body.flags).toEqual(['REFERRAL_CODE_MALFORMED']);
  });

  test('coupons handed out later, for one’s own interview', async () => {
    const phone = await newPhone();
    const codes = await block(phone);
    const { body: survey } = await phone.app.post('/api/surveys', interview()).expect(201);
    await mongoose.connection
      .collection('study')
      .updateOne({}, { $set: { couponsPerSurvey: 10 } }, { upsert: true });
    const path = `/api/surveys/${survey.id}`;
    const { body } = await phone.sender.patch(path, { issuedCodes: [codes[0]] });
    expect(Object.keys(body).sort()).toEqual(RECEIPT);
    expect(body.issuedCodes).toContain(codes[0]);
  });

  test('nothing else in a PATCH: 403, whatever comes with the coupons', async () => {
    const phone = await newPhone();
    const { body: survey } = await phone.app.post('/api/surveys', interview()).expect(201);
    for (const change of [
      { responses: {} },
      { issuedCodes: [], note: 'x' },
      { issuedCodes: [], status: 'COMPLETED' },
      { unknown: 1 },
    ])
      await phone.sender.patch(`/api/surveys/${survey.id}`, change).expect(403);
  });

  test('no coupons of others’ interviews, whatever the person may change', async () => {
    const root = await newPhone('SUPER_ADMIN');
    const { body: survey } = await (await newPhone()).app.post('/api/surveys', interview()).expect(201);
    await root.app.patch(`/api/surveys/${survey.id}`, { issuedCodes: [] }).expect(200);
    await root.sender.patch(`/api/surveys/${survey.id}`, { issuedCodes: [] }).expect(403);
  });
});

describe('a refusal to a send token', () => {
  test('names paths and codes, never values', async () => {
    const { sender } = await newPhone();
    const secret = 'Zoë-77';
    const responses = { ...MINIMAL_RESPONSES, networkSize: secret, [secret]: 1 };
    const { body } = await sender.post('/api/surveys', interview({ responses })).expect(400);
    expect(body.errors.length).toBeGreaterThan(0);
    for (const one of body.errors) expect(Object.keys(one).sort()).toEqual(['code', 'message', 'path']);
    expect(JSON.stringify(body.errors.map(({ message }: { message: string }) => message))).not.toContain(
      secret,
    );
    expect(body.params).toBeUndefined();
  });
});

describe('a send token ends', () => {
  test.each<[string, (phone: Phone, root: Person) => Promise<unknown>, number]>([
    ['not with a sign-out on its device', ({ app }) => app.post('/api/auth/sign-out').expect(204), 201],
    [
      'with its session, ended from elsewhere',
      async ({ app, person }) => {
        const { body } = await app.get('/api/auth/sessions').expect(200);
        const own = body.data.find(({ current }: { current: boolean }) => current);
        await (await phoneOf(person)).app.delete(`/api/auth/sessions/${own.id}`).expect(204);
      },
      401,
    ],
    [
      'with its session, ended after a sign-out on its device',
      async ({ app, person }) => {
        const { body } = await app.get('/api/auth/sessions').expect(200);
        const own = body.data.find(({ current }: { current: boolean }) => current);
        await app.post('/api/auth/sign-out').expect(204);
        await (await phoneOf(person)).app.delete(`/api/auth/sessions/${own.id}`).expect(204);
      },
      401,
    ],
    ['with signing out everywhere', ({ app }) => app.post('/api/auth/sign-out-everywhere').expect(204), 401],
    [
      'with being signed out by a colleague',
      ({ person }, root) => root.post(`/api/users/${person.id}/sign-out`).expect(204),
      401,
    ],
    ['with deletion', ({ person }, root) => root.delete(`/api/users/${person.id}`).expect(204), 401],
    [
      'with rejection',
      async ({ person }, root) => {
        for (const approvalStatus of ['PENDING', 'REJECTED'])
          await root.patch(`/api/users/${person.id}`, { approvalStatus }).expect(200);
      },
      401,
    ],
    [
      'with approval, as long as that is withdrawn',
      ({ person }, root) => root.patch(`/api/users/${person.id}`, { approvalStatus: 'PENDING' }).expect(200),
      403,
    ],
    ['after 30 days', async () => world.clock.advance(30 * DAY), 401],
  ])('%s', async (_title, end, expected) => {
    const [phone, root] = [await newPhone(), await world.person({ role: 'SUPER_ADMIN' })];
    expect(await worksAt(phone)).toBe(201);
    await end(phone, root);
    expect(await worksAt(phone)).toBe(expected);
  });

  test('and none is created for a session that has ended, or with a send token', async () => {
    const phone = await newPhone();
    await phone.sender.post('/api/auth/send-token').expect(403);
    await phone.app.post('/api/auth/sign-out').expect(204);
    await phone.app.post('/api/auth/send-token').expect(401);
  });
});
