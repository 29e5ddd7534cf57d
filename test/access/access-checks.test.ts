/** The access checks, called without a route: who sent the request, from where, and with which rights. */
import type { Request } from 'express';
import type mongoose from 'mongoose';
import {
  currentLocation,
  requireApproved,
  requireResults,
  requireSignedIn,
} from '../../src/access/rules/access-checks.ts';
import type { Deps } from '../../src/platform/http/deps.ts';
import { mayCreate } from '../../src/platform/rights/guard.ts';
import { signToken } from '../../src/platform/rights/token.ts';
import {
  closeDatabase,
  deleteUser,
  HERE,
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
const config = { jwtSecret: 'a secret for tests alone', jwtTtl: 3600, timeZone: TIME_ZONE };
const deps = { config, now: () => NOW } as Deps;
const UNAUTHORIZED = { name: 'UNAUTHORIZED', headers: { 'WWW-Authenticate': 'Bearer' } };

beforeAll(openDatabase);
afterAll(closeDatabase);

interface Person {
  _id: mongoose.Types.ObjectId;
  token: string;
}

async function person(fields: object = {}): Promise<Person> {
  const session = sessionOf(newId(), NOW);
  const _id = await storedUser({ sessions: [session], ...fields });
  return { _id, token: signToken(deps.config, { _id }, session, NOW) };
}

/** The result of the checks for a request with this header. */
async function runCheck(authorization: string | undefined, chain = requireSignedIn): Promise<Request> {
  const req = { headers: { authorization } } as Request;
  let went = false;
  await chain(deps, { path: '' })(req, {} as never, () => {
    went = true;
  });
  expect(went).toBe(true);
  return req;
}

const locationOf = async ({ token }: Person) => (await runCheck(`Bearer ${token}`)).signedIn?.location;

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
      await expect(runCheck(`Bearer ${token}`)).rejects.toMatchObject(UNAUTHORIZED);
  });

  test('let a person who is not approved sign in, but not pass requireApproved', async () => {
    for (const approvalStatus of ['PENDING', 'REJECTED']) {
      const one = await person({ approvalStatus, location: HERE });
      expect(await locationOf(one)).toEqual(HERE);
      const entered = runCheck(`Bearer ${one.token}`, requireApproved);
      await expect(entered).rejects.toMatchObject({ name: 'NOT_APPROVED' });
    }
  });

  test('give an approved caller the permissions of their role and location', async () => {
    const one = await person({ role: 'MANAGER', location: HERE });
    const { actor } = await runCheck(`Bearer ${one.token}`, requireApproved);
    expect(actor).toMatchObject({ now: NOW, location: HERE, user: { role: 'MANAGER' } });
    expect(actor?.user).not.toHaveProperty('latest');
    const make = (location: object) =>
      refusal(() => mayCreate(actor as never, 'Survey', { location, createdAt: NOW }));
    expect([make(HERE), make(THERE)]).toEqual([null, 'FORBIDDEN']);
  });

  test('let only super admins and admins read results', async () => {
    const ask = async (role: string) =>
      await runCheck(`Bearer ${(await person({ role, location: HERE })).token}`, requireResults);
    for (const role of ['SUPER_ADMIN', 'ADMIN']) expect((await ask(role)).actor?.user.role).toBe(role);
    for (const role of ['MANAGER', 'VOLUNTEER'])
      await expect(ask(role)).rejects.toMatchObject({ name: 'FORBIDDEN' });
  });

  test('keep concurrent callers apart', async () => {
    const people = await Promise.all([HERE, THERE, HERE].map((location) => person({ location })));
    expect(await Promise.all(people.map(locationOf))).toEqual([HERE, THERE, HERE]);
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
    expect(currentLocation(user as never, survey as never)).toBe(expected);
  });
});
