/** The access checks, called without a route: who sent the request, from where, and with which rights. */
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { Request } from 'express';
import jwt from 'jsonwebtoken';
import type mongoose from 'mongoose';
import {
  currentLocationOfUser,
  requireApproved,
  requireResultsAccess,
  requireSignedIn,
} from '../../src/access/rules/access-checks.ts';
import { sessionsMigration } from '../../src/platform/db/migrations/2026-11-28-sessions.ts';
import type { Deps } from '../../src/platform/http/deps.ts';
import {
  limitAnalysis,
  limitUnsignedRequests,
  limitUser,
  prepareRateLimits,
  RATE_LIMIT_COLLECTION,
  setLimitSecret,
} from '../../src/platform/http/limits/rate-limits.ts';
import { requireRightToCreate } from '../../src/platform/rights/guard.ts';
import { signSendToken, signSignOutToken, signToken } from '../../src/platform/rights/token.ts';
import { clearStudyCache } from '../../src/study/settings/cached-study.ts';
import { STUDY_ID, type StudyRecord } from '../../src/study/settings/model.ts';
import { hashOfToken } from '../../src/study/tokens/create.ts';
import {
  closeDatabase,
  collection,
  deleteUser,
  HERE,
  HOUR,
  later,
  NOW,
  newId,
  openDatabase,
  refusal,
  storedSurvey,
  storedUser,
  THERE,
  TIME_ZONE,
} from '../database.ts';
import { sessionOf } from '../people.ts';

const MINUTE = 60_000;
const ADDRESS = '203.0.113.7';
const config = {
  jwtSecret: 'a secret for tests alone',
  jwtSecretPrevious: 'the secret before it',
  jwtTtl: 3600,
  timeZone: TIME_ZONE,
};
const deps = { config, now: () => NOW } as Deps;
const withLimits = { ...deps, config: { ...deps.config, rateLimits: true } };
const UNAUTHORIZED = { name: 'UNAUTHORIZED', headers: { 'WWW-Authenticate': 'Bearer' } };
const FORBIDDEN = { name: 'FORBIDDEN' };

beforeAll(async () => {
  await openDatabase();
  setLimitSecret('a secret for counters in tests');
  await prepareRateLimits();
});
afterAll(closeDatabase);

type Route = Parameters<typeof requireSignedIn>[1];

/** Routes by the tokens that they accept. */
const PLAIN: Route = { path: '/api/surveys' };
const SENDING: Route = { ...PLAIN, sendToken: {} };
const SIGN_OUT: Route = { ...PLAIN, signOutToken: true };
const RESULTS: Route = { path: '/api/analysis/outcomes' };

interface Person {
  _id: mongoose.Types.ObjectId;
  token: string;
  sendToken: string;
  signOutToken: string;
}

/** Signed in once; `session` has fields of that session. */
async function person(fields: object = {}, sessionFields: object = {}): Promise<Person> {
  const session = { ...sessionOf(newId(), NOW), ...sessionFields };
  const _id = await storedUser({ sessions: [session], ...fields });
  return {
    _id,
    token: signToken(deps.config, { _id }, session, NOW),
    sendToken: signSendToken(deps.config, { _id }, session, { now: NOW, until: later(HOUR) }),
    signOutToken: signSignOutToken(deps.config, { _id }, session),
  };
}

interface Call {
  chain?: typeof requireSignedIn;
  route?: Route;
  of?: Deps;
  request?: object;
  res?: EventEmitter;
}

/** A reply that is sent before anything else happens. */
function closedAtOnce(): EventEmitter {
  const res = new EventEmitter();
  res.once('newListener', () => queueMicrotask(() => res.emit('close')));
  return res;
}

/** The result of the checks for a request with this header. */
async function runCheck(authorization: string | undefined, call: Call = {}): Promise<Request> {
  const { chain = requireSignedIn, route = PLAIN, of = deps, request, res = closedAtOnce() } = call;
  const req = { headers: { authorization }, method: 'GET', ip: ADDRESS, ...request } as Request;
  let went = false;
  await chain(of, route)(req, res as never, () => {
    went = true;
  });
  expect(went).toBe(true);
  return req;
}

const check = (token: string, call?: Call) => runCheck(`Bearer ${token}`, call);

/** Changes settings of the study while `act` runs. */
async function withSettings(settings: Partial<StudyRecord>, act: () => Promise<void>): Promise<void> {
  await collection('studies').updateOne({ _id: STUDY_ID }, { $set: settings }, { upsert: true });
  clearStudyCache();
  try {
    await act();
  } finally {
    await collection('studies').deleteOne({ _id: STUDY_ID });
    clearStudyCache();
  }
}

const locationOf = async ({ token }: Person) => (await check(token)).signedIn?.location;

describe('the access checks', () => {
  test('accept a bearer token, with the scheme in any case and extra spaces', async () => {
    const { _id, token } = await person();
    for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`, `Bearer ${token}  `])
      expect((await runCheck(header)).signedIn?.user._id).toEqual(_id);
  });

  test('reject any other Authorization header with UNAUTHORIZED', async () => {
    const { token } = await person();
    const headers = [undefined, '', token, `Basic ${token}`, `My Bearer ${token}`, `Bearer${token}`];
    for (const header of [...headers, 'Bearer ', 'Bearer x', `Bearer ${token} ${token}`, `Bearer x ${token}`])
      await expect(runCheck(header)).rejects.toMatchObject(UNAUTHORIZED);
  });

  test('reject the tokens of deleted and unknown users with the same message', async () => {
    const deletedPerson = await person();
    await deleteUser(deletedPerson._id);
    const stranger = { token: signToken(deps.config, { _id: newId() }, sessionOf(newId(), NOW), NOW) };
    for (const { token } of [deletedPerson, stranger])
      await expect(check(token)).rejects.toMatchObject(UNAUTHORIZED);
  });

  test('let a person who is not approved sign in, but not pass requireApproved', async () => {
    for (const approvalStatus of ['PENDING', 'REJECTED']) {
      const one = await person({ approvalStatus, location: HERE });
      expect(await locationOf(one)).toEqual(HERE);
      const entered = check(one.token, { chain: requireApproved });
      await expect(entered).rejects.toMatchObject({ name: 'NOT_APPROVED' });
    }
  });

  test('give an approved caller the permissions of their role and location', async () => {
    const one = await person({ role: 'MANAGER', location: HERE });
    const { actor } = await check(one.token, { chain: requireApproved });
    expect(actor).toMatchObject({ now: NOW, location: HERE, user: { role: 'MANAGER' } });
    expect(actor?.user).not.toHaveProperty('latest');
    const make = (location: object) =>
      refusal(() => requireRightToCreate(actor as never, 'Survey', { location, createdAt: NOW }));
    expect([make(HERE), make(THERE)]).toEqual([null, 'FORBIDDEN']);
  });

  test('start the early read of a route together with the caller’s, for each valid token and for no other', async () => {
    const params: object[] = [];
    const readEarly: Route['readEarly'] = async (given) => {
      params.push(given);
      return 'a coupon';
    };
    const call = { route: { ...PLAIN, readEarly }, request: { params: { code: 'ABC' } } };
    const one = await person();
    expect(await (await check(one.token, call)).early).toBe('a coupon');
    expect((await check(one.token)).early).toBeUndefined();
    expect(params).toEqual([{ code: 'ABC' }]);
    const expired = { ...call, of: { ...deps, now: () => later(2 * HOUR) } };
    for (const attempt of [check('x', call), runCheck(undefined, call), check(one.token, expired)])
      await expect(attempt).rejects.toMatchObject(UNAUTHORIZED);
    expect(params).toHaveLength(1);
  });

  test('start at most sixteen early reads at once, until their replies are sent', async () => {
    const route: Route = { ...PLAIN, readEarly: async () => 'a survey' };
    const replies = Array.from({ length: 20 }, () => new EventEmitter());
    const { token } = await person();
    const early: unknown[] = [];
    for (const res of replies) early.push(await (await check(token, { route, res })).early);
    const started = early.filter((one) => one === 'a survey').length;
    for (const res of replies) res.emit('close');
    expect([started, early.at(-1)]).toEqual([16, undefined]);
    const next = await check(token, { route });
    expect(await next.early).toBe('a survey');
  });

  test('refuse the caller, whatever the early read does, and leave no rejection behind', async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', note);
    const route: Route = { ...PLAIN, readEarly: () => Promise.reject(new Error('away')) };
    const deletedPerson = await person();
    await deleteUser(deletedPerson._id);
    await expect(check(deletedPerson.token, { route })).rejects.toMatchObject(UNAUTHORIZED);
    await turn();
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
    const accepted = await check((await person()).token, { route });
    await expect(accepted.early).rejects.toThrow('away');
  });

  test('let only super admins and admins read results', async () => {
    const ask = async (role: string) =>
      await check((await person({ role, location: HERE })).token, { chain: requireResultsAccess });
    for (const role of ['SUPER_ADMIN', 'ADMIN']) expect((await ask(role)).actor?.user.role).toBe(role);
    for (const role of ['MANAGER', 'VOLUNTEER']) await expect(ask(role)).rejects.toMatchObject(FORBIDDEN);
  });

  test('decide what was created today in the study’s time zone, if it has one of its own', async () => {
    const { token } = await person({ role: 'ADMIN' });
    const enter = async () => {
      const { actor } = await check(token, { chain: requireApproved });
      const draft = { createdAt: later(-5 * HOUR) };
      return [actor?.zone, refusal(() => requireRightToCreate(actor as never, 'Survey', draft))];
    };
    expect(await enter()).toEqual([TIME_ZONE, null]);
    await withSettings({ timeZone: 'Asia/Tokyo' }, async () => {
      expect(await enter()).toEqual(['Asia/Tokyo', 'FORBIDDEN']);
    });
  });

  test('keep concurrent callers apart', async () => {
    const people = await Promise.all([HERE, THERE, HERE].map((location) => person({ location })));
    expect(await Promise.all(people.map(locationOf))).toEqual([HERE, THERE, HERE]);
  });
});

describe('a token', () => {
  const accepted = async (token: string, call?: Call) => (await check(token, call)).signedIn?.isSendToken;

  test('is refused once it has expired', async () => {
    const { token } = await person();
    const at = (milliseconds: number) => ({ of: { ...deps, now: () => later(milliseconds) } });
    expect(await accepted(token, at(HOUR - 1000))).toBe(false);
    await expect(check(token, at(HOUR))).rejects.toMatchObject(UNAUTHORIZED);
  });

  test('is refused once its owner was signed out everywhere', async () => {
    const session = sessionOf(newId(), NOW);
    const _id = await storedUser({ sessions: [session], tokenGeneration: 1 });
    const ofGeneration = (tokenGeneration: number) =>
      signToken(deps.config, { _id, tokenGeneration }, session, NOW);
    expect(await accepted(ofGeneration(1))).toBe(false);
    for (const generation of [0, 2])
      await expect(check(ofGeneration(generation))).rejects.toMatchObject(UNAUTHORIZED);
  });

  test('of any kind is refused once its session was ended from elsewhere', async () => {
    const one = await person({ sessions: [sessionOf(newId(), NOW)] });
    await expect(check(one.token)).rejects.toMatchObject(UNAUTHORIZED);
    await expect(check(one.sendToken, { route: SENDING })).rejects.toMatchObject(UNAUTHORIZED);
    await expect(check(one.signOutToken, { route: SIGN_OUT })).rejects.toMatchObject(UNAUTHORIZED);
  });

  test('is refused once its device has signed out, but the send token still sends', async () => {
    const one = await person({}, { signedOutAt: NOW });
    await expect(check(one.token)).rejects.toMatchObject(UNAUTHORIZED);
    await expect(check(one.signOutToken, { route: SIGN_OUT })).rejects.toMatchObject(UNAUTHORIZED);
    expect(await accepted(one.sendToken, { route: SENDING })).toBe(true);
  });

  test('for sending works only on routes that accept it', async () => {
    const { sendToken } = await person();
    expect(await accepted(sendToken, { route: SENDING })).toBe(true);
    for (const route of [PLAIN, SIGN_OUT])
      await expect(check(sendToken, { route })).rejects.toMatchObject(FORBIDDEN);
  });

  test('for signing out works only on routes that accept it', async () => {
    const { signOutToken } = await person();
    expect(await accepted(signOutToken, { route: SIGN_OUT })).toBe(false);
    for (const route of [PLAIN, SENDING])
      await expect(check(signOutToken, { route })).rejects.toMatchObject(FORBIDDEN);
  });

  test('for everything else works on all routes', async () => {
    const { token } = await person();
    for (const route of [PLAIN, SENDING, SIGN_OUT]) expect(await accepted(token, { route })).toBe(false);
  });

  test('for a purpose that this version doesn’t know works nowhere', async () => {
    const session = sessionOf(newId(), NOW);
    const _id = await storedUser({ sessions: [session] });
    const claims = { sub: String(_id), sid: String(session.id), exp: later(HOUR).getTime() / 1000 };
    const token = jwt.sign({ ...claims, use: 'read' }, config.jwtSecret);
    for (const route of [PLAIN, SENDING, SIGN_OUT])
      await expect(check(token, { route })).rejects.toMatchObject(FORBIDDEN);
  });

  test('from before there were sessions is valid for JWT_TTL after the migration', async () => {
    await collection('migrations').insertOne({ _id: sessionsMigration.name as never, createdAt: NOW });
    const sub = String((await person())._id);
    const exp = later(48 * HOUR).getTime() / 1000;
    const { signedIn } = await check(jwt.sign({ sub, exp }, config.jwtSecret));
    expect(signedIn).toMatchObject({ isSendToken: false, session: undefined });
    const afterwards = { of: { ...deps, now: () => later(HOUR) } };
    await expect(check(jwt.sign({ sub, exp }, config.jwtSecret), afterwards)).rejects.toMatchObject(
      UNAUTHORIZED,
    );
    // Nobody could end it, so the previous secret is not enough.
    await expect(check(jwt.sign({ sub, exp }, config.jwtSecretPrevious))).rejects.toMatchObject(UNAUTHORIZED);
    const ended = jwt.sign({ sub, exp, sid: String(newId()) }, config.jwtSecret);
    await expect(check(ended)).rejects.toMatchObject(UNAUTHORIZED);
  });

  test('updates the hour in which its session was last used', async () => {
    const { _id, token } = await person({}, { lastSeenAt: later(-2 * HOUR) });
    await check(token);
    // Written in the background.
    const lastSeenAt = async () => (await collection('users').findOne({ _id }))?.sessions[0].lastSeenAt;
    for (let reads = 0; reads < 200 && (await lastSeenAt()) < NOW; reads++);
    expect(await lastSeenAt()).toEqual(NOW);
  });
});

describe('a read token', () => {
  async function readToken(): Promise<{ _id: mongoose.Types.ObjectId; token: string }> {
    const [_id, createdBy] = [newId(), await storedUser({ role: 'SUPER_ADMIN' })];
    const token = `fst_${_id}`;
    await collection('readtokens').insertOne({
      ...{ _id, name: 'R', hash: hashOfToken(token), scopes: ['RESULTS'], createdBy, createdAt: NOW },
      ...{ expiresOn: '2027-06-30', expiresAt: later(HOUR), lastUsedAt: NOW, deletedAt: null },
    });
    return { _id, token };
  }

  test('reads the routes of its scopes, under an id of its own', async () => {
    const { _id, token } = await readToken();
    for (const chain of [requireApproved, requireResultsAccess]) {
      const { actor } = await check(token, { chain, route: RESULTS });
      expect(actor).toMatchObject({ user: { _id, role: 'ADMIN' }, location: null, zone: TIME_ZONE });
    }
  });

  test('can neither change anything nor read other routes', async () => {
    const { token } = await readToken();
    const post = { chain: requireApproved, route: RESULTS, request: { method: 'POST' } };
    await expect(check(token, post)).rejects.toMatchObject(FORBIDDEN);
    for (const chain of [requireSignedIn, requireApproved, requireResultsAccess])
      await expect(check(token, { chain })).rejects.toMatchObject(FORBIDDEN);
  });

  test('that was never created is refused', async () => {
    for (const chain of [requireSignedIn, requireApproved, requireResultsAccess])
      await expect(check('fst_unknown', { chain, route: RESULTS })).rejects.toMatchObject(UNAUTHORIZED);
  });
});

describe('a study that requires a second factor', () => {
  const CHAINS = [requireSignedIn, requireApproved];
  const NEEDED = { name: 'FORBIDDEN', why: { code: 'SECOND_FACTOR_REQUIRED' } };
  const required = (act: () => Promise<void>) => withSettings({ secondFactor: 'REQUIRED' }, act);

  test('refuses sessions without one', async () => {
    const { token } = await person({ role: 'MANAGER' });
    await required(async () => {
      for (const chain of CHAINS) await expect(check(token, { chain })).rejects.toMatchObject(NEEDED);
    });
  });

  test('accepts sessions with one, and people who need none', async () => {
    const people = [await person({ role: 'MANAGER' }, { secondFactor: true }), await person()];
    await required(async () => {
      for (const { _id, token } of people) {
        expect((await check(token)).signedIn?.user._id).toEqual(_id);
        expect((await check(token, { chain: requireApproved })).actor?.user._id).toEqual(_id);
      }
    });
  });

  test('lets a session without one add one, and send finished interviews', async () => {
    const { token, sendToken } = await person({ role: 'MANAGER' });
    const adding = { ...PLAIN, needsNoSecondFactor: true } as const;
    await required(async () => {
      for (const chain of CHAINS) {
        await check(token, { chain, route: adding });
        await check(sendToken, { chain, route: SENDING });
      }
    });
  });
});

describe('a rate limit', () => {
  const userLimit = ({ _id }: Person) => limitUser(String(_id));
  const approved = { chain: requireApproved };
  const results = { chain: requireResultsAccess };
  const unknown = { request: { ip: undefined } };

  /** Who sends the request, its token and the rest of it, and the limit against which it counts. */
  const cases: [
    title: string,
    fields: object,
    call: (one: Person) => [token: string, call?: Call],
    limit: (one: Person) => Promise<void>,
  ][] = [
    ['a malformed token, for its address', {}, () => ['x'], () => limitUnsignedRequests(ADDRESS)],
    ['a malformed token, for an unknown address', {}, () => ['x', unknown], () => limitUnsignedRequests('')],
    ['an unknown read token, for its address', {}, () => ['fst_x'], () => limitUnsignedRequests(ADDRESS)],
    [
      'an unknown read token, for an unknown address',
      {},
      () => ['fst_x', { ...approved, ...unknown }],
      () => limitUnsignedRequests(''),
    ],
    ['the token of an ended session, for its owner', { sessions: [] }, ({ token }) => [token], userLimit],
    ['a send token on another route, for its owner', {}, ({ sendToken }) => [sendToken], userLimit],
    [
      'a person who isn’t approved',
      { approvalStatus: 'PENDING' },
      ({ token }) => [token, approved],
      userLimit,
    ],
    [
      'a session without its second factor, for its owner',
      { passkeys: [{}] },
      ({ token }) => [token, approved],
      userLimit,
    ],
    [
      'a person who may not read results',
      { role: 'MANAGER', location: HERE },
      ({ token }) => [token, results],
      userLimit,
    ],
  ];

  const counters = () => collection(RATE_LIMIT_COLLECTION);
  beforeEach(() => counters().deleteMany({}));
  const points = async () => (await counters().find().toArray()).map((one) => one.points);

  test.each(cases)('counts %s', async (_title, fields, callOf, limit) => {
    const one = await person(fields);
    const [token, call] = callOf(one);
    await expect(check(token, { ...call, of: withLimits })).rejects.toThrow();
    expect(await points()).toEqual([1]);
    await limit(one);
    expect(await points()).toEqual([2]);
  });

  test.each(cases)('that is switched off doesn’t count %s', async (_title, fields, callOf) => {
    const [token, call] = callOf(await person(fields));
    await expect(check(token, call)).rejects.toThrow();
    expect(await points()).toEqual([]);
  });

  test('of results counts people who may read them', async () => {
    const admin = await person({ role: 'ADMIN' });
    await check(admin.token, results);
    expect(await points()).toEqual([]);
    await check(admin.token, { ...results, of: withLimits });
    await limitAnalysis(String(admin._id));
    expect(await points()).toEqual([2]);
  });

  test('counts accepted requests later, with their route', async () => {
    const { token } = await person();
    for (const chain of [requireSignedIn, requireApproved]) await check(token, { chain, of: withLimits });
    expect(await points()).toEqual([]);
  });
});

describe('the current location', () => {
  test('is that of the caller’s latest survey that is not deleted', async () => {
    const one = await person({ location: THERE, locationAssignedAt: later(-60 * MINUTE) });
    await storedSurvey(one._id, THERE, { createdAt: later(-30 * MINUTE) });
    await storedSurvey(one._id, HERE, { createdAt: later(-20 * MINUTE) });
    await storedSurvey(one._id, THERE, { createdAt: later(-10 * MINUTE), deletedAt: NOW });
    await storedSurvey(await storedUser(), THERE, { createdAt: later(-5 * MINUTE) });
    expect(await locationOf(one)).toEqual(HERE);
  });

  test('is that of the survey with the latest interview date, even if it was stored first', async () => {
    const one = await person();
    await storedSurvey(one._id, HERE, { heldAt: later(-10 * MINUTE), createdAt: later(-10 * MINUTE) });
    await storedSurvey(one._id, THERE, { heldAt: later(-20 * MINUTE) });
    expect(await locationOf(one)).toEqual(HERE);
  });

  test('ignores imported surveys', async () => {
    const one = await person();
    await storedSurvey(one._id, HERE, { heldAt: later(-20 * MINUTE) });
    await storedSurvey(one._id, THERE, { heldAt: later(-10 * MINUTE), importedAt: NOW });
    expect(await locationOf(one)).toEqual(HERE);
  });

  test('stays where a survey was sent from if its site is corrected', async () => {
    const one = await person();
    await storedSurvey(one._id, THERE, { sentFrom: HERE });
    expect(await locationOf(one)).toEqual(HERE);
  });

  test('is that of the survey written later if two have the same time', async () => {
    for (const [first, second] of [
      [HERE, THERE],
      [THERE, HERE],
    ] as const) {
      const one = await person();
      await storedSurvey(one._id, first);
      await storedSurvey(one._id, second);
      expect(await locationOf(one)).toEqual(second);
    }
  });

  const [site, other] = [newId(), newId()];
  const latest = { location: site, heldAt: NOW };
  test.each([
    [
      'nowhere without a survey and an assigned location',
      { location: null, locationAssignedAt: null },
      undefined,
      null,
    ],
    [
      'the assigned location without a survey',
      { location: other, locationAssignedAt: NOW },
      undefined,
      other,
    ],
    ["the survey's without an assigned one", { location: null, locationAssignedAt: null }, latest, site],
    [
      'the assigned location if it was assigned later',
      { location: other, locationAssignedAt: later(1) },
      latest,
      other,
    ],
    ["the survey's at the same instant", { location: other, locationAssignedAt: NOW }, latest, site],
    ["the survey's after one was taken away", { location: null, locationAssignedAt: later(1) }, latest, site],
    ["the survey's where nobody knows when", { location: other, locationAssignedAt: null }, latest, site],
    ['nowhere for an account created before locations were assigned', {}, undefined, null],
    ['nowhere after a survey without a location', {}, { heldAt: NOW }, null],
  ])('is %s', (_title, user, survey, expected) => {
    expect(currentLocationOfUser(user as never, survey as never)).toBe(expected);
  });
});
