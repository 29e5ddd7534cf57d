/** Signing up and logging in by phone and one-time code. */
import mongoose from 'mongoose';
import { worldOfFile } from '../people.ts';
import { authPost, codeFor, NAMES, OTP_INVALID, signUp, USER_KEYS, wrong } from './user-kit.ts';

const world = worldOfFile();
// Later than the real time, because MongoDB deletes expired codes by its own clock.
beforeEach(() => world.clock.set('2027-06-15T19:00:00Z'));

const post = (name: string, body: object) => authPost(world, name, body);

describe('signing up', () => {
  test('creates a PENDING volunteer and returns a token and the user', async () => {
    const phone = world.newPhone();
    const code = await codeFor(world, phone);
    expect(code).toMatch(/^\d{6}$/);
    const { body, headers } = await post('verify-otp-signup', { phone, code, ...NAMES }).expect(201);
    expect(Object.keys(body).sort()).toEqual(['device', 'token', 'user']);
    expect(Object.keys(body.user).sort()).toEqual(USER_KEYS);
    expect(body.user).toMatchObject({ ...NAMES, phone, role: 'VOLUNTEER', approvalStatus: 'PENDING' });
    expect(body.user).toMatchObject({ email: null, approvedBy: null, location: null, permissions: [] });
    expect(body.user.createdAt).toBe('2027-06-15T19:00:00.000Z');
    expect(headers.location).toBe(`/api/users/${body.user.id}`);
  });

  test('is in the audit trail as created by the person', async () => {
    const { body } = await signUp(world);
    const ada = await world.person({ role: 'SUPER_ADMIN' });
    const events = await ada.get(`/api/audit?record=${body.user.id}`).expect(200);
    expect(events.body.data).toMatchObject([{ action: 'create', subject: 'User', by: body.user.id }]);
  });

  test('gives a token that reads the session but gets 403 where approval is needed', async () => {
    const { body } = await signUp(world);
    const me = world.bearer(body.token);
    const session = await me.get('/api/auth/session').expect(200);
    const fields = ['currentLocation', 'rules', 'secondFactor', 'signOutToken', 'user'];
    expect(Object.keys(session.body).sort()).toEqual(fields);
    expect(session.body).toMatchObject({ user: body.user, currentLocation: null, rules: expect.any(Array) });
    await me.get('/api/surveys').expect(403);
  });

  test.each(['VOLUNTEER', 'MANAGER', 'ADMIN'])(
    'can request the role %s, which is stored for the approver',
    async (role) => {
      const { status, body } = await signUp(world, { role });
      expect({ status, role: body.user?.role, is: body.user?.approvalStatus }).toEqual({
        status: 201,
        role,
        is: 'PENDING',
      });
    },
  );

  test('stores email and location, and trims the names', async () => {
    const location = await world.place();
    const { body } = await signUp(world, { firstName: '  Ada ', email: 'ada@example.org', location });
    expect(body.user).toMatchObject({ firstName: 'Ada', email: 'ada@example.org', location });
  });

  test.each([
    ['the role SUPER_ADMIN', { role: 'SUPER_ADMIN' }, 'role'],
    ['an unknown role', { role: 'KING' }, 'role'],
    ['no first name', { firstName: undefined }, 'firstName'],
    ['a blank last name', { lastName: '   ' }, 'lastName'],
    ['a first name of 101 characters', { firstName: 'x'.repeat(101) }, 'firstName'],
    ['an invalid email', { email: 'ada' }, 'email'],
    ['an unknown location', { location: '0123456789abcdef01234567' }, 'location'],
    ['a malformed location', { location: 'here' }, 'location'],
    ['an approval of its own', { approvalStatus: 'APPROVED' }, 'approvalStatus'],
    ['an unknown field', { admin: true }, 'admin'],
    ['a code as an object', { code: { is: '123456' } }, 'code'],
    ['a code as an operator', { code: { $ne: null } }, 'code'],
    ['a code of five digits', { code: '12345' }, 'code'],
  ])('with %s is 400 and uses up neither the code nor a try', async (_title, fault, path) => {
    const phone = world.newPhone();
    const code = await codeFor(world, phone);
    for (let time = 0; time < 6; time++) {
      const { body } = await post('verify-otp-signup', { phone, code, ...NAMES, ...fault }).expect(400);
      expect(body.code).toBe('VALIDATION_ERROR');
      expect(body.errors.map((error: { path: string }) => error.path)).toContain(path);
    }
    await post('verify-otp-signup', { phone, code, ...NAMES }).expect(201);
  });

  test('with the phone of an existing account is 409, and the code can then log in', async () => {
    const member = await world.person();
    const code = await codeFor(world, member.phone);
    const refused = await post('verify-otp-signup', { phone: member.phone, code, ...NAMES }).expect(409);
    expect(refused.body.code).toBe('PHONE_TAKEN');
    const { body } = await post('verify-otp-login', { phone: member.phone, code }).expect(200);
    expect(body.user.id).toBe(member.id);
  });

  test('with a wrong code does not reveal whether the phone has an account', async () => {
    const member = await world.person();
    const stranger = world.newPhone();
    for (const phone of [member.phone, stranger]) {
      const code = wrong(await codeFor(world, phone));
      const { body } = await post('verify-otp-signup', { phone, code, ...NAMES }).expect(400);
      expect(body).toEqual(OTP_INVALID);
    }
  });

  test('with one code twenty times at once creates one account', async () => {
    const phone = world.newPhone();
    const code = await codeFor(world, phone);
    const all = Array.from({ length: 20 }, () => post('verify-otp-signup', { phone, code, ...NAMES }));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => ![201, 400, 409].includes(status))).toEqual([]);
    expect(await mongoose.connection.collection('users').countDocuments({ phone })).toBe(1);
  });
});

describe('logging in', () => {
  test.each(['PENDING', 'APPROVED', 'REJECTED'] as const)('works for a %s user', async (approvalStatus) => {
    const person = await world.person({ approvalStatus });
    const code = await codeFor(world, person.phone, 'send-otp-login');
    const { body } = await post('verify-otp-login', { phone: person.phone, code }).expect(200);
    expect(Object.keys(body).sort()).toEqual(['device', 'token', 'user']);
    expect(Object.keys(body.user).sort()).toEqual(USER_KEYS);
    expect(body.user).toMatchObject({ id: person.id, approvalStatus });
    await world.bearer(body.token).get('/api/auth/session').expect(200);
  });

  test('without an account is OTP_INVALID, even with the right code', async () => {
    const phone = world.newPhone();
    const code = await codeFor(world, phone);
    const { body } = await post('verify-otp-login', { phone, code }).expect(400);
    expect(body).toEqual(OTP_INVALID);
  });

  test('of a deleted user is OTP_INVALID', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await world.person()];
    const code = await codeFor(world, person.phone, 'send-otp-login');
    await root.delete(`/api/users/${person.id}`).expect(204);
    await post('verify-otp-login', { phone: person.phone, code }).expect(400);
  });

  test('accepts a phone number in national format', async () => {
    const person = await world.person({ phone: '+12067001234' });
    const code = await codeFor(world, person.phone, 'send-otp-login');
    await post('verify-otp-login', { phone: '(206) 700-1234', code }).expect(200);
  });
});

describe('sending a code', () => {
  test('returns the same for phones with and without an account', async () => {
    const [accountPhone, stranger] = [(await world.person()).phone, world.newPhone()];
    for (const route of ['send-otp-signup', 'send-otp-login']) {
      const [a, b] = [
        await post(route, { phone: accountPhone }).expect(200),
        await post(route, { phone: stranger }).expect(200),
      ];
      expect(Object.keys(a.body)).toEqual(['message']);
      expect(a.body).toEqual(b.body);
      const fixed = (headers: Record<string, string>) => Object.keys(headers).sort();
      expect(fixed(a.headers)).toEqual(fixed(b.headers));
    }
  });

  test('sends login codes only to phones with an account, but sign-up codes to any', async () => {
    const stranger = world.newPhone();
    await post('send-otp-login', { phone: stranger }).expect(200);
    expect(world.otps.has(stranger)).toBe(false);
    const accountPhone = (await world.person()).phone;
    await post('send-otp-signup', { phone: accountPhone }).expect(200);
    expect(world.otps.has(accountPhone)).toBe(true);
  });

  test.each([
    ['+1 206-700-2001', '+12067002001'],
    ['(206) 700-2002', '+12067002002'],
    ['2067002003', '+12067002003'],
    [' +12067002004 ', '+12067002004'],
  ])('%s is sent to %s', async (phone, e164) => {
    await post('send-otp-signup', { phone }).expect(200);
    expect(world.otps.has(e164)).toBe(true);
  });

  test.each([
    ['missing', {}],
    ['empty', { phone: '' }],
    ['no number', { phone: 'call me' }],
    ['too short', { phone: '+1206555' }],
    ['too long', { phone: '+12065550100123456' }],
    ['in an area that does not exist', { phone: '+11112223333' }],
    ['of an unknown country', { phone: '+99912345678' }],
    ['a number in JSON', { phone: 12065550100 }],
    ['an object', { phone: { number: '+12065550100' } }],
    ['an operator', { phone: { $ne: null } }],
    ['an array', { phone: ['+12065550100'] }],
  ])('a phone that is %s is 400 at its path', async (_title, body) => {
    for (const route of ['send-otp-signup', 'send-otp-login']) {
      const answer = await post(route, body).expect(400);
      expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ path: 'phone' }] });
    }
  });
});
