/** Passkeys: adding, using and removing them, and which sessions a study lets in without. */
import mongoose from 'mongoose';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { clearStudyCache } from '../../src/study/settings/cached-study.ts';
import { type Authenticator, newAuthenticator, type Wrong } from '../authenticator.ts';
import { type Person, type PersonOptions, type Verbs, worldOfFile } from '../people.ts';

const ORIGIN = 'https://survey.example.org';
const MINUTE = 60_000;
const world = worldOfFile({ config: { publicUrl: ORIGIN } });
beforeEach(async () => {
  // Later than the real time, because MongoDB deletes expired records by its own clock.
  world.clock.set('2027-06-15T19:20:30.250Z');
  await setMode('OPTIONAL');
});

const oid = (hex: string) => new mongoose.Types.ObjectId(hex);
const users = () => mongoose.connection.collection('users');
const stored = async ({ id }: Person) => (await users().findOne({ _id: oid(id) })) as Record<string, unknown>;
const eventsOf = ({ id }: Person, filter: object) =>
  mongoose.connection
    .collection('auditevents')
    .find({ record: oid(id), ...filter })
    .toArray();

/** Directly, because a study can only require passkeys if the caller has one. */
async function setMode(secondFactor: 'OFF' | 'OPTIONAL' | 'REQUIRED') {
  await mongoose.connection.collection('studies').updateOne({}, { $set: { secondFactor } });
  clearStudyCache();
}

async function signInByCode({ phone }: Person) {
  await world.anonymous.post('/api/auth/send-otp-login', { phone }).expect(200);
  const code = world.otps.get(phone);
  const { body } = await world.anonymous.post('/api/auth/verify-otp-login', { phone, code }).expect(200);
  return world.bearer(body.token);
}

async function signInByColleague(person: Person) {
  const admin = await world.person({ role: 'SUPER_ADMIN' });
  const { body } = await admin.post(`/api/users/${person.id}/sign-in-code`).expect(201);
  const credentials = { phone: person.phone, code: body.code };
  const reply = await world.anonymous.post('/api/auth/verify-otp-login', credentials).expect(200);
  return world.bearer(reply.body.token);
}

const creationOptions = async (one: Verbs) => (await one.post('/api/auth/passkeys/options').expect(200)).body;
const requestOptions = async () =>
  (await world.anonymous.post('/api/auth/passkeys/sign-in-options').expect(200)).body;

async function add(one: Verbs, authenticator = newAuthenticator(ORIGIN), wrong: Wrong = {}) {
  const response = authenticator.attest(await creationOptions(one), wrong);
  return await one.post('/api/auth/passkeys', { name: 'Pixel 8', response });
}

async function personWithPasskey(options: PersonOptions = {}, authenticator = newAuthenticator(ORIGIN)) {
  const person = await world.person({ role: 'MANAGER', ...options });
  const { body, status } = await add(person, authenticator);
  expect(status).toBe(201);
  return { person, authenticator, id: body.id as string, recoveryCodes: body.recoveryCodes as string[] };
}

const signInWith = async (authenticator: Authenticator, wrong: Wrong = {}) =>
  await world.anonymous.post('/api/auth/passkeys/sign-in', {
    response: authenticator.assert(await requestOptions(), wrong),
  });

const verifyWith = async (one: Verbs, authenticator: Authenticator, wrong: Wrong = {}) =>
  await one.post('/api/auth/passkeys/verify', {
    response: authenticator.assert(await requestOptions(), wrong),
  });

const SECOND_FACTOR = { status: 403, body: { reason: 'SECOND_FACTOR_REQUIRED' } };
const INVALID = { status: 400, body: { code: 'PASSKEY_INVALID' } };

describe('adding a passkey', () => {
  test('the first comes with ten recovery codes, which are stored as hashes; a later one with none', async () => {
    const { person, authenticator, recoveryCodes } = await personWithPasskey();
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(recoveryCodes[0]).toMatch(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/);
    const text = JSON.stringify(await stored(person));
    for (const code of recoveryCodes) expect(text).not.toContain(code);
    await verifyWith(person, authenticator);
    const second = await add(person);
    expect(second.status).toBe(201);
    expect(second.body).toEqual({
      id: expect.any(String),
      name: 'Pixel 8',
      createdAt: '2027-06-15T19:20:30.250Z',
      lastUsedAt: null,
    });
    expect(await eventsOf(person, { 'changes.path': 'passkeys' })).toHaveLength(2);
  });

  test('is bound to the address of the service, and verifies the user', async () => {
    const person = await world.person({ role: 'MANAGER' });
    const wrong: Wrong[] = [
      { origin: 'https://evil.example.org' },
      { rpId: 'evil.example.org' },
      { flags: 1 },
      { type: 'webauthn.get' },
      { challenge: Buffer.alloc(56).toString('base64url') },
    ];
    for (const one of wrong) expect(await add(person, newAuthenticator(ORIGIN), one)).toMatchObject(INVALID);
    expect((await stored(person)).passkeys).toBeUndefined();
  });

  test('a challenge is good once, for five minutes, for its own account and for adding alone', async () => {
    const [person, other] = [await world.person(), await world.person()];
    const options = await creationOptions(person);
    const { challenge } = await requestOptions();
    const post = (one: Verbs, changes: object) =>
      one.post('/api/auth/passkeys', {
        name: 'Key',
        response: newAuthenticator(ORIGIN).attest({ ...options, ...changes }),
      });
    expect(await post(other, {})).toMatchObject(INVALID);
    expect(await post(person, { challenge })).toMatchObject(INVALID);
    world.clock.advance(5 * MINUTE);
    expect(await post(person, {})).toMatchObject(INVALID);
    world.clock.advance(-1);
    expect((await post(person, {})).status).toBe(201);
    await person.post('/api/auth/passkeys/verify', {}).expect(400);
    await users().updateOne({ _id: oid(person.id) }, { $set: { 'sessions.0.secondFactor': true } });
    expect(await post(person, {})).toMatchObject(INVALID);
  });

  test('one of two simultaneous first passkeys is added', async () => {
    const person = await world.person();
    const both = await Promise.all([add(person), add(person)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403]);
    const codes = both.flatMap(({ body }) => body.recoveryCodes ?? []);
    expect(codes).toHaveLength(10);
    expect((await stored(person)).passkeys).toHaveLength(1);
  });

  test('needs the second factor if there is one already', async () => {
    const { person, authenticator } = await personWithPasskey();
    expect(await add(person)).toMatchObject(SECOND_FACTOR);
    await verifyWith(person, authenticator);
    expect((await add(person)).status).toBe(201);
  });

  test('is refused above ten', async () => {
    const { person, authenticator } = await personWithPasskey();
    await verifyWith(person, authenticator);
    const [one] = (await stored(person)).passkeys as object[];
    const ten = Array.from({ length: 10 }, () => ({ ...one, id: new mongoose.Types.ObjectId() }));
    await users().updateOne({ _id: oid(person.id) }, { $set: { passkeys: ten } });
    expect(await add(person)).toMatchObject({ status: 409, body: { reason: 'TOO_MANY_PASSKEYS' } });
  });
});

describe('signing in with a passkey', () => {
  test('gives a session with the second factor, without a code', async () => {
    const { person, authenticator, id } = await personWithPasskey();
    const { status, body } = await signInWith(authenticator);
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ id: person.id, passkeys: [{ createdAt: expect.any(String) }] });
    expect(JSON.stringify(body)).not.toContain('publicKey');
    const session = world.bearer(body.token);
    await session.get('/api/users').expect(200);
    const { body: list } = await session.get('/api/auth/passkeys').expect(200);
    expect(list).toEqual({
      data: [
        {
          id,
          name: 'Pixel 8',
          createdAt: '2027-06-15T19:20:30.250Z',
          lastUsedAt: '2027-06-15T19:20:30.250Z',
        },
      ],
      recoveryCodesLeft: 10,
    });
    const { body: sessions } = await session.get('/api/auth/sessions').expect(200);
    expect(sessions.data[0]).toMatchObject({ current: true, secondFactor: true });
    expect((await session.get('/api/auth/session')).body.secondFactor).toBe('VERIFIED');
  });

  test('its options are the same for everyone, except for the challenge', async () => {
    const [one, other] = [await requestOptions(), await requestOptions()];
    expect(one).toEqual({
      rpId: 'survey.example.org',
      challenge: expect.any(String),
      timeout: 300_000,
      userVerification: 'required',
    });
    expect(other.challenge).not.toBe(one.challenge);
  });

  test('asking for challenges stores nothing', async () => {
    const count = () => mongoose.connection.collection('usedchallenges').countDocuments();
    const before = await count();
    for (let times = 0; times < 20; times++) await requestOptions();
    expect(await count()).toBe(before);
  });

  test('an answer is good once', async () => {
    const { person, authenticator } = await personWithPasskey(
      {},
      newAuthenticator(ORIGIN, { counts: false }),
    );
    const response = authenticator.assert(await requestOptions());
    const send = () => world.anonymous.post('/api/auth/passkeys/sign-in', { response });
    const statuses = (await Promise.all([send(), send()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400]);
    expect(await send()).toMatchObject(INVALID);
    const [event] = await eventsOf(person, { reason: 'WRONG_PASSKEY' });
    expect(event?.changes).toMatchObject([{ path: 'failures', after: 2 }]);
  });

  test('works where another process made the challenge, and once for both', async () => {
    const { authenticator } = await personWithPasskey();
    const [one, other] = [createApp(world.deps), createApp(world.deps)];
    const { body: options } = await supertest(one).post('/api/auth/passkeys/sign-in-options').send({});
    const response = authenticator.assert(options);
    const replies = await Promise.all(
      [other, one, other].map(async (app) =>
        supertest(app).post('/api/auth/passkeys/sign-in').send({ response }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('refuses another origin, another service, an unverified user, a challenge of another ceremony or an old one', async () => {
    const { person, authenticator } = await personWithPasskey();
    const { challenge } = await creationOptions(person);
    const wrong: Wrong[] = [
      { origin: 'https://survey.example.org.evil.org' },
      { origin: 'http://survey.example.org' },
      { rpId: 'example.org' },
      { flags: 1 },
      { flags: 4 },
      { type: 'webauthn.create' },
      { challenge },
      { challenge: Buffer.alloc(56, 7).toString('base64url') },
    ];
    for (const one of wrong) expect(await signInWith(authenticator, one)).toMatchObject(INVALID);
    const response = authenticator.assert(await requestOptions());
    world.clock.advance(5 * MINUTE);
    expect(await world.anonymous.post('/api/auth/passkeys/sign-in', { response })).toMatchObject(INVALID);
    expect((await signInWith(authenticator)).status).toBe(200);
  });

  test('refuses a changed expiry of a challenge', async () => {
    const { authenticator } = await personWithPasskey();
    const { challenge } = await requestOptions();
    const bytes = Buffer.from(challenge, 'base64url');
    bytes.writeUIntBE(bytes.readUIntBE(18, 6) + 1, 18, 6);
    expect(await signInWith(authenticator, { challenge: bytes.toString('base64url') })).toMatchObject(
      INVALID,
    );
  });

  test('refuses the passkey of one person for another', async () => {
    const [mine, theirs] = [await personWithPasskey(), await personWithPasskey()];
    const userHandle = Buffer.from(theirs.person.id, 'hex').toString('base64url');
    expect(await signInWith(mine.authenticator, { userHandle })).toMatchObject(INVALID);
    const { authenticator } = theirs;
    const response = { ...mine.authenticator.assert(await requestOptions()), id: authenticator.id };
    expect(
      await world.anonymous.post('/api/auth/passkeys/sign-in', {
        response: { ...response, rawId: response.id },
      }),
    ).toMatchObject(INVALID);
    expect(await verifyWith(theirs.person, mine.authenticator)).toMatchObject(INVALID);
  });

  test('refuses a counter that falls back or stays, and records it; 0 after 0 passes', async () => {
    const { person, authenticator } = await personWithPasskey();
    expect((await signInWith(authenticator, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0])
      expect(await signInWith(authenticator, { counter })).toMatchObject(INVALID);
    const [event] = await eventsOf(person, { action: 'signInFailed', reason: 'PASSKEY_COUNTER' });
    expect(event?.changes).toMatchObject([{ path: 'failures', after: 3 }]);
    expect((await signInWith(authenticator, { counter: 8 })).status).toBe(200);
    const still = await personWithPasskey({}, newAuthenticator(ORIGIN, { counts: false }));
    for (let times = 0; times < 2; times++) expect((await signInWith(still.authenticator)).status).toBe(200);
  });

  test('works for somebody who waits for approval, not for a deleted account', async () => {
    const { person, authenticator } = await personWithPasskey({ approvalStatus: 'PENDING' });
    expect((await signInWith(authenticator)).status).toBe(200);
    await users().updateOne({ _id: oid(person.id) }, { $set: { deletedAt: new Date() } });
    expect(await signInWith(authenticator)).toMatchObject(INVALID);
  });
});

describe('a session by code', () => {
  test('does nothing until it is confirmed, if its owner has a passkey', async () => {
    const { person, authenticator } = await personWithPasskey({ role: 'VOLUNTEER' });
    const session = await signInByCode(person);
    for (const path of ['/api/study', '/api/surveys', `/api/users/${person.id}`, '/api/auth/passkeys'])
      expect(await session.get(path)).toMatchObject(SECOND_FACTOR);
    expect(await session.get('/api/analysis/outcomes')).toMatchObject(SECOND_FACTOR);
    expect((await session.get('/api/auth/session')).body.secondFactor).toBe('VERIFY');
    // Whoever took over a phone number alone must not end the sessions of its owner.
    expect(await session.get('/api/auth/sessions')).toMatchObject(SECOND_FACTOR);
    expect(await session.post('/api/auth/sign-out-everywhere')).toMatchObject(SECOND_FACTOR);
    const { body: sender } = await session.post('/api/auth/send-token').expect(201);
    const { status, body } = await verifyWith(session, authenticator);
    expect(status).toBe(200);
    await world.bearer(body.token).get('/api/study').expect(200);
    await session.get('/api/study').expect(200);
    await session.post('/api/auth/sign-out').expect(204);
    await session.get('/api/study').expect(401);
    const surveys = await world.bearer(sender.token).post('/api/surveys', {});
    expect(surveys.status).toBe(400);
  });

  test('is let in again if the study turns the second factor off', async () => {
    const { person } = await personWithPasskey();
    const session = await signInByCode(person);
    expect(await session.get('/api/study')).toMatchObject(SECOND_FACTOR);
    await setMode('OFF');
    await session.get('/api/study').expect(200);
    expect(await add(session)).toMatchObject(SECOND_FACTOR);
  });

  test('of staff or an account with grants must add a passkey first, if the study requires one', async () => {
    const grant = { action: 'read', subject: 'Survey', conditions: [] };
    const people = [
      await world.person({ role: 'MANAGER' }),
      await world.person({ role: 'ADMIN' }),
      await world.person({ role: 'SUPER_ADMIN' }),
      await world.person({ permissions: [grant] }),
    ];
    const volunteer = await world.person();
    await setMode('REQUIRED');
    await volunteer.get('/api/study').expect(200);
    for (const person of people) {
      expect(await person.get('/api/study')).toMatchObject(SECOND_FACTOR);
      expect((await person.get('/api/auth/session')).body.secondFactor).toBe('ENROLL');
      const authenticator = newAuthenticator(ORIGIN);
      expect((await add(person, authenticator)).status).toBe(201);
      expect(await person.get('/api/study')).toMatchObject(SECOND_FACTOR);
      await verifyWith(person, authenticator);
      await person.get('/api/study').expect(200);
    }
  });

  test('opened by a colleague’s code cannot add, remove or confirm with passkeys', async () => {
    const { person, authenticator, id, recoveryCodes } = await personWithPasskey();
    const session = await signInByColleague(person);
    const refused = { status: 403, body: { reason: 'OWN_SIGN_IN_REQUIRED' } };
    expect(await session.post('/api/auth/passkeys/options')).toMatchObject(refused);
    expect(await verifyWith(session, authenticator)).toMatchObject(refused);
    const [recoveryCode] = recoveryCodes;
    expect(await session.post('/api/auth/passkeys/verify', { recoveryCode })).toMatchObject(refused);
    expect(await session.delete(`/api/auth/passkeys/${id}`)).toMatchObject(SECOND_FACTOR);
    expect((await session.get('/api/auth/session')).body.secondFactor).toBe('SIGN_IN_AGAIN');
    const other = await signInByColleague(await world.person());
    expect(await other.post('/api/auth/passkeys/options')).toMatchObject(refused);
    const response = newAuthenticator(ORIGIN).attest(await creationOptions(await world.person()));
    expect(await other.post('/api/auth/passkeys', { name: 'Key', response })).toMatchObject(refused);
  });
});

describe('recovery codes', () => {
  test('stand in for a passkey once each, however they are typed', async () => {
    const { person, recoveryCodes } = await personWithPasskey();
    const [first = '', second = ''] = recoveryCodes;
    const session = await signInByCode(person);
    const verify = (one: Verbs, recoveryCode: string) =>
      one.post('/api/auth/passkeys/verify', { recoveryCode });
    expect((await verify(session, first.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
    const { body } = await session.get('/api/auth/passkeys').expect(200);
    expect(body.recoveryCodesLeft).toBe(9);
    const again = await signInByCode(person);
    expect(await verify(again, first)).toMatchObject({ status: 400, body: { code: 'OTP_INVALID' } });
    const both = await Promise.all([verify(again, second), verify(again, second)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const events = await eventsOf(person, { 'changes.path': 'recoveryCodes' });
    expect(events.map(({ changes }) => changes[0].after)).toEqual([9, 8]);
    expect(await eventsOf(person, { reason: 'WRONG_RECOVERY_CODE' })).toHaveLength(1);
  });

  test('work only for their own account', async () => {
    const [mine, theirs] = [await personWithPasskey(), await personWithPasskey()];
    const recoveryCode = theirs.recoveryCodes[0];
    await mine.person.post('/api/auth/passkeys/verify', { recoveryCode }).expect(400);
  });

  test('can be tried ten times an hour', async () => {
    const { person, recoveryCodes } = await personWithPasskey();
    const verify = (recoveryCode: string) => person.post('/api/auth/passkeys/verify', { recoveryCode });
    world.deps.config.rateLimits = true;
    try {
      for (let tries = 0; tries < 10; tries++) await verify('0000-0000-0000-0000').expect(400);
      await verify(recoveryCodes[0] ?? '').expect(429);
    } finally {
      world.deps.config.rateLimits = false;
    }
    expect(await eventsOf(person, { action: 'lockOut', reason: 'TOO_MANY_GUESSES' })).toHaveLength(1);
  });

  test('are sent without a passkey; both or neither is 400', async () => {
    const { person, authenticator, recoveryCodes } = await personWithPasskey();
    const response = authenticator.assert(await requestOptions());
    await person.post('/api/auth/passkeys/verify', { response, recoveryCode: recoveryCodes[0] }).expect(400);
    await person.post('/api/auth/passkeys/verify', {}).expect(400);
  });
});

describe('removing passkeys', () => {
  test('one of two simultaneous removals of the last passkey succeeds, and removes the recovery codes too', async () => {
    const { person, authenticator, id } = await personWithPasskey();
    await person.delete(`/api/auth/passkeys/${id}`).expect(403);
    await verifyWith(person, authenticator);
    const remove = () => person.delete(`/api/auth/passkeys/${id}`);
    const statuses = (await Promise.all([remove(), remove()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([204, 404]);
    const { passkeys, recoveryCodes } = await stored(person);
    expect([passkeys, recoveryCodes]).toEqual([undefined, undefined]);
    expect(await signInWith(authenticator)).toMatchObject(INVALID);
    const { body } = await add(person);
    expect(body.recoveryCodes).toHaveLength(10);
  });

  test('one of several leaves the recovery codes', async () => {
    const { person, authenticator, id } = await personWithPasskey();
    await verifyWith(person, authenticator);
    const other = newAuthenticator(ORIGIN);
    await add(person, other);
    await person.delete(`/api/auth/passkeys/${id}`).expect(204);
    await person.delete('/api/auth/passkeys/0123456789abcdef01234567').expect(404);
    expect((await stored(person)).recoveryCodes).toHaveLength(10);
    expect((await signInWith(other)).status).toBe(200);
  });

  test('of someone else ends the sessions that the passkeys opened or confirmed, and their owner sees who did it', async () => {
    const { person, authenticator } = await personWithPasskey();
    const { body } = await signInWith(authenticator);
    const byCode = await signInByCode(person);
    const admin = await world.person({ role: 'ADMIN', firstName: 'Ada', lastName: 'Field' });
    await admin.delete(`/api/users/${person.id}/passkeys`).expect(204);
    await world.bearer(body.token).get('/api/auth/session').expect(401);
    await byCode.get('/api/study').expect(200);
    const reply = await byCode.get('/api/auth/session').expect(200);
    expect(reply.body.passkeysRemoved).toEqual({ name: 'Ada Field', at: '2027-06-15T19:20:30.250Z' });
    expect(await signInWith(authenticator)).toMatchObject(INVALID);
    const events = await eventsOf(person, { 'changes.before': 'Pixel 8' });
    expect(events).toMatchObject([{ by: oid(admin.id), changes: [{ path: 'passkeys', after: null }] }]);
    await admin.delete(`/api/users/${person.id}/passkeys`).expect(204);
    expect(await eventsOf(person, { 'changes.before': 'Pixel 8' })).toHaveLength(1);
  });

  test('deleting an account deletes them', async () => {
    const { person } = await personWithPasskey();
    const admin = await world.person({ role: 'SUPER_ADMIN' });
    await admin.delete(`/api/users/${person.id}`).expect(204);
    const { passkeys, recoveryCodes } = await stored(person);
    expect([passkeys, recoveryCodes]).toEqual([undefined, undefined]);
  });
});

describe('requiring a second factor', () => {
  test('is for a super-admin who has a passkey', async () => {
    const { person, authenticator } = await personWithPasskey({ role: 'SUPER_ADMIN' });
    await verifyWith(person, authenticator);
    const [admin, without] = [
      await world.person({ role: 'ADMIN' }),
      await world.person({ role: 'SUPER_ADMIN' }),
    ];
    const required = { secondFactor: 'REQUIRED' };
    await admin.patch('/api/study', required).expect(403);
    expect(await without.patch('/api/study', required)).toMatchObject({
      status: 409,
      body: { reason: 'CALLER_NEEDS_PASSKEY' },
    });
    await without.patch('/api/study', { secondFactor: 'OFF' }).expect(200);
    const { body } = await person.patch('/api/study', required).expect(200);
    expect(body.secondFactor).toBe('REQUIRED');
    expect(await without.get('/api/study')).toMatchObject(SECOND_FACTOR);
    await person.patch('/api/study', { secondFactor: 'OPTIONAL' }).expect(200);
    await without.get('/api/study').expect(200);
  });

  test('is refused where passkeys can’t work: at an address without https', async () => {
    const { person, authenticator } = await personWithPasskey({ role: 'SUPER_ADMIN' });
    const { body } = await verifyWith(person, authenticator);
    const requireAt = async (publicUrl: string) =>
      await supertest(createApp({ ...world.deps, config: { ...world.deps.config, publicUrl } }))
        .patch('/api/study')
        .set('Authorization', `Bearer ${body.token}`)
        .send({ secondFactor: 'REQUIRED' });
    expect(await requireAt('http://survey.example.org')).toMatchObject({
      status: 409,
      body: { reason: 'PASSKEYS_NEED_HTTPS' },
    });
    expect(await requireAt('http://localhost:3000')).toMatchObject({ status: 200 });
  });

  test('the list of people says who would need one', async () => {
    const location = await world.place();
    const { person, authenticator } = await personWithPasskey({ role: 'ADMIN', location });
    await verifyWith(person, authenticator);
    const grant = { action: 'read', subject: 'Survey', conditions: [] };
    const expectedPeople = [
      await world.person({ role: 'MANAGER', location }),
      await world.person({ permissions: [grant], location }),
    ];
    await world.person({ location });
    await world.person({ role: 'MANAGER', approvalStatus: 'PENDING', location });
    const { body } = await person.get(`/api/users?withoutPasskey=true&location=${location}`).expect(200);
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids.sort()).toEqual(expectedPeople.map(({ id }) => id).sort());
  });
});
