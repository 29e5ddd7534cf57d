/** Attacks on passkeys, against two processes that share one database: whatever one has refused or used up, the other refuses. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { personRecord } from '../../bench/people.ts';
import { CHALLENGE_LIFETIME_MS, newChallenge } from '../../src/access/auth/passkeys/challenge.ts';
import type { Config } from '../../src/platform/config.ts';
import { type Authenticator, newAuthenticator, type Wrong } from '../authenticator.ts';
import { ask, endProcess, newFolder, SECRET, type ServiceProcess, startProcess } from './service-process.ts';

const ORIGIN = 'https://survey.example.org';
const INVALID = { status: 400, body: { code: 'PASSKEY_INVALID' } };

const base = new URL(process.env.TEST_MONGO_URI ?? 'mongodb://127.0.0.1');
base.pathname = `/passkeys_${randomUUID().slice(0, 8)}`;
const client = new mongoose.mongo.MongoClient(String(base));
const db = client.db(base.pathname.slice(1));

let one: ServiceProcess;
let other: ServiceProcess;
beforeAll(async () => {
  const env = { MONGO_URI: String(base), PUBLIC_URL: ORIGIN };
  [one, other] = await Promise.all([
    startProcess({ dataDir: newFolder(), env }),
    startProcess({ dataDir: newFolder(), env }),
  ]);
  await Promise.all([one, other].map((service) => service.until('The service is up', 120_000)));
}, 150_000);
afterAll(async () => {
  [one, other].forEach(endProcess);
  await db.dropDatabase();
  await client.close();
});

interface Owner {
  id: string;
  phone: string;
  token: string;
  authenticator: Authenticator;
  recoveryCodes: string[];
}

const both = () => [one, other];
const statusesOf = (replies: { status: number }[]) => replies.map(({ status }) => status).toSorted();
let phones = 2_065_557_000;

async function signInByCode(phone: string, at: ServiceProcess): Promise<string> {
  await ask(at, 'POST', '/api/auth/send-otp-login', { body: { phone } });
  const printed = new RegExp(`OTP \\${phone} (\\d{6})`);
  await at.until(printed);
  const body = { phone, code: printed.exec(at.said())?.[1] };
  return (await ask(at, 'POST', '/api/auth/verify-otp-login', { body })).body.token as string;
}

/** Signed in at one process, with options of it; the other stores the passkey. */
async function newOwner(authenticator = newAuthenticator(ORIGIN)): Promise<Owner> {
  const person = personRecord({ role: 'MANAGER', phone: `+1${phones++}` });
  await db.collection<typeof person>('users').insertOne(person);
  const { phone } = person;
  const token = await signInByCode(phone, one);
  const response = authenticator.attest(await creationOptions(token));
  const added = await ask(other, 'POST', '/api/auth/passkeys', { token, body: { name: 'Pixel', response } });
  expect(added.status).toBe(201);
  const recoveryCodes = added.body.recoveryCodes as string[];
  return { id: String(person._id), phone, token, authenticator, recoveryCodes };
}

type CreationOptions = Parameters<Authenticator['attest']>[0];
type RequestOptions = Parameters<Authenticator['assert']>[0];

const creationOptions = async (token: string): Promise<CreationOptions> =>
  (await ask(one, 'POST', '/api/auth/passkeys/options', { token })).body as unknown as CreationOptions;
const requestOptions = async (): Promise<RequestOptions> =>
  (await ask(one, 'POST', '/api/auth/passkeys/sign-in-options')).body as unknown as RequestOptions;

const signIn = (at: ServiceProcess, response: object) =>
  ask(at, 'POST', '/api/auth/passkeys/sign-in', { body: { response } });
const confirm = (at: ServiceProcess, token: string, response: object) =>
  ask(at, 'POST', '/api/auth/passkeys/verify', { token, body: { response } });

/** A fresh answer for each process, wrong in this way: neither signs in nor confirms a session. */
async function expectRefusedEverywhere({ authenticator, token }: Owner, wrong: Wrong): Promise<void> {
  for (const service of both()) {
    const answer = async () => authenticator.assert(await requestOptions(), wrong);
    expect(await signIn(service, await answer())).toMatchObject(INVALID);
    expect(await confirm(service, token, await answer())).toMatchObject(INVALID);
  }
}

const challengeOf = (ceremony: Parameters<typeof newChallenge>[1], madeAt: number): string =>
  Buffer.from(newChallenge({ jwtSecret: SECRET } as Config, ceremony, new Date(madeAt))).toString(
    'base64url',
  );

test('an answer that was used once is refused by both processes, however it is sent', async () => {
  const { authenticator, token } = await newOwner(newAuthenticator(ORIGIN, { counts: false }));
  const answer = authenticator.assert(await requestOptions());
  const replies = await Promise.all([...both(), ...both()].map((service) => signIn(service, answer)));
  expect(statusesOf(replies)).toEqual([200, 400, 400, 400]);
  for (const service of both()) {
    expect(await signIn(service, answer)).toMatchObject(INVALID);
    expect(await confirm(service, token, answer)).toMatchObject(INVALID);
  }
  const confirmation = authenticator.assert(await requestOptions());
  const raised = await Promise.all(both().map((service) => confirm(service, token, confirmation)));
  expect(statusesOf(raised)).toEqual([200, 400]);
  for (const service of both()) expect(await signIn(service, confirmation)).toMatchObject(INVALID);
});

test('a challenge that was used once can’t be signed again', async () => {
  const owner = await newOwner();
  const options = await requestOptions();
  expect((await signIn(other, owner.authenticator.assert(options))).status).toBe(200);
  await expectRefusedEverywhere(owner, { challenge: options.challenge });
});

test('a challenge of another ceremony, another service, or older than five minutes is refused', async () => {
  const owner = await newOwner();
  const { challenge } = await creationOptions(owner.token);
  await expectRefusedEverywhere(owner, { challenge });
  await expectRefusedEverywhere(owner, { challenge: challengeOf(`create ${owner.id}`, Date.now()) });
  await expectRefusedEverywhere(owner, { challenge: Buffer.alloc(56, 7).toString('base64url') });
  const expired = Date.now() - CHALLENGE_LIFETIME_MS;
  await expectRefusedEverywhere(owner, { challenge: challengeOf('sign-in', expired) });
  // The same one minute later is good: it is the age that was refused.
  const good = { challenge: challengeOf('sign-in', expired + 60_000) };
  expect((await signIn(other, owner.authenticator.assert(await requestOptions(), good))).status).toBe(200);
});

test('a challenge of a sign-in, of somebody else or of long ago adds no passkey', async () => {
  const [owner, thief] = [await newOwner(), await newOwner()];
  await confirm(one, owner.token, owner.authenticator.assert(await requestOptions()));
  const options = await creationOptions(owner.token);
  const { challenge } = await requestOptions();
  const expired = challengeOf(`create ${owner.id}`, Date.now() - CHALLENGE_LIFETIME_MS);
  const ofThief = (await creationOptions(thief.token)).challenge;
  for (const service of both())
    for (const wrong of [challenge, expired, ofThief]) {
      const response = newAuthenticator(ORIGIN).attest({ ...options, challenge: wrong });
      const body = { name: 'Key', response };
      expect(await ask(service, 'POST', '/api/auth/passkeys', { token: owner.token, body })).toMatchObject(
        INVALID,
      );
    }
  const response = newAuthenticator(ORIGIN).attest(options);
  const replies = await Promise.all(
    both().map((service) =>
      ask(service, 'POST', '/api/auth/passkeys', { token: owner.token, body: { name: 'Key', response } }),
    ),
  );
  expect(statusesOf(replies)).toEqual([201, 400]);
});

test.each<[string, Wrong]>([
  ['another origin', { origin: 'https://survey.example.org.evil.org' }],
  ['the origin without TLS', { origin: 'http://survey.example.org' }],
  ['another port', { origin: 'https://survey.example.org:8443' }],
  ['another service’s id', { rpId: 'example.org' }],
  ['a user who was not verified', { flags: 0b001 }],
  ['a user who was not there', { flags: 0b100 }],
  ['another kind of answer', { type: 'webauthn.create' }],
])('an answer with %s is refused', async (_name, wrong) => {
  const owner = await newOwner();
  await expectRefusedEverywhere(owner, wrong);
  expect((await signIn(other, owner.authenticator.assert(await requestOptions()))).status).toBe(200);
});

test('a passkey of somebody else neither signs in nor confirms', async () => {
  const [mine, theirs] = [await newOwner(), await newOwner()];
  const userHandle = Buffer.from(theirs.id, 'hex').toString('base64url');
  const { id } = theirs.authenticator;
  for (const service of both()) {
    const answer = async (wrong: Wrong = {}) => mine.authenticator.assert(await requestOptions(), wrong);
    expect(await signIn(service, await answer({ userHandle }))).toMatchObject(INVALID);
    const underTheirId = { ...(await answer({ userHandle })), id, rawId: id };
    expect(await signIn(service, underTheirId)).toMatchObject(INVALID);
    expect(await confirm(service, theirs.token, await answer())).toMatchObject(INVALID);
    expect(await confirm(service, theirs.token, underTheirId)).toMatchObject(INVALID);
    expect((await ask(service, 'GET', '/api/study', { token: theirs.token })).status).toBe(403);
  }
});

test('a counter that falls back or stays is refused by the other process too, and is in the history', async () => {
  const { id, authenticator } = await newOwner();
  const withCounter = async (service: ServiceProcess, counter: number) =>
    await signIn(service, authenticator.assert(await requestOptions(), { counter }));
  expect((await withCounter(one, 7)).status).toBe(200);
  for (const counter of [7, 6, 0])
    for (const service of both()) expect(await withCounter(service, counter)).toMatchObject(INVALID);
  // The owner and whoever has copied the authenticator, at the same time.
  const copies = await Promise.all([withCounter(one, 8), withCounter(other, 8)]);
  expect(statusesOf(copies)).toEqual([200, 400]);
  const record = new mongoose.Types.ObjectId(id);
  const events = await db.collection('auditevents').find({ record, reason: 'PASSKEY_COUNTER' }).toArray();
  expect(events).toMatchObject([{ changes: [{ path: 'failures', after: 7 }] }]);
});

test('a recovery code confirms one session once, on whichever process', async () => {
  const { phone, token, recoveryCodes } = await newOwner();
  const thief = await signInByCode(phone, other);
  const body = { recoveryCode: recoveryCodes[0] };
  const replies = await Promise.all([
    ask(one, 'POST', '/api/auth/passkeys/verify', { token, body }),
    ask(other, 'POST', '/api/auth/passkeys/verify', { token: thief, body }),
  ]);
  expect(statusesOf(replies)).toEqual([200, 400]);
  for (const service of both())
    expect(await ask(service, 'POST', '/api/auth/passkeys/verify', { token, body })).toMatchObject({
      status: 400,
      body: { code: 'OTP_INVALID' },
    });
});
