/** Importing interviews of someone who left: POST /api/surveys/import. */
import { type Body, makeSeed } from '../make.ts';
import type { Person } from '../people.ts';
import {
  castOfFile,
  collection,
  draft,
  flagsOf,
  NOBODY,
  oid,
  read,
  refused,
  refusedAt,
  reserve,
  seedCode,
  setStudy,
  submit,
  tally,
  times,
  uuid,
} from './kit.ts';

const cast = castOfFile();

const interview = (fields: Record<string, unknown> = {}) => ({ clientId: uuid(), ...draft(cast, fields) });
const send = (owner: Person, surveys: object[], by: Person = cast.admin) =>
  by.post('/api/surveys/import', { owner: owner.id, surveys });
const bring = async (owner: Person, surveys: object[], by?: Person): Promise<Body[]> =>
  (await send(owner, surveys, by).expect(200)).body.data;
const count = () => collection('surveys').countDocuments();

/** A volunteer who reserved a code, handed it out in an interview that was never sent, and then ... */
const FATES: [string, (who: Person) => Promise<unknown>][] = [
  ['was deleted', (who) => cast.root.delete(`/api/users/${who.id}`).expect(204)],
  ['was rejected', (who) => setUser(who, { approvalStatus: 'REJECTED' })],
  [
    'became a manager elsewhere',
    async (who) => setUser(who, { role: 'MANAGER', location: oid(await cast.world.place()) }),
  ],
];
const setUser = (who: Person, fields: object) =>
  collection('users').updateOne({ _id: oid(who.id) }, { $set: fields });

test.each(FATES)(
  'interviews of a person who %s are stored as theirs, with their coupons',
  async (_, befall) => {
    const vera = await cast.world.person({ location: cast.site });
    const [handed] = await reserve(vera, 1);
    await befall(vera);
    const first = interview({ referralCode: await seedCode(cast), issuedCodes: [handed] });
    const second = interview({ referralCode: handed, status: 'IN_PROGRESS', responses: {} });
    const results = await bring(vera, [first, second]);
    expect(results).toEqual([
      { clientId: first.clientId, status: 201, id: expect.any(String), code: null, message: null },
      { clientId: second.clientId, status: 201, id: expect.any(String), code: null, message: null },
    ]);
    const [one, two] = [await read(cast, results[0].id), await read(cast, results[1].id)];
    const flags = [{ code: 'IMPORTED', by: cast.admin.id }];
    expect(one).toMatchObject({
      createdBy: vera.id,
      importedBy: cast.admin.id,
      wave: 0,
      flags,
      status: 'COMPLETED',
    });
    expect(one.issuedCodes).toContain(handed);
    expect(two).toMatchObject({
      createdBy: vera.id,
      wave: 1,
      recruiter: one.id,
      flags,
      status: 'IN_PROGRESS',
    });
    const storedEvents = await collection('auditevents')
      .find({ record: oid(one.id), action: { $ne: 'read' } })
      .toArray();
    expect(storedEvents).toMatchObject([{ action: 'create', subject: 'Survey', by: oid(cast.admin.id) }]);

    const before = await count();
    const again = await bring(vera, [first, second], cast.root);
    expect(again).toEqual(results.map((result) => ({ ...result, status: 200 })));
    expect(await count()).toBe(before);
  },
);

test('an interview already sent is a replay, and an imported one can be sent again as a replay', async () => {
  const submission = interview();
  const stored = await submit(cast, submission);
  expect(await bring(cast.volunteer, [submission])).toMatchObject([{ status: 200, id: stored.id }]);
  const unsentInterview = interview();
  const [result] = await bring(cast.volunteer, [unsentInterview]);
  const { body } = await cast.volunteer.post('/api/surveys', unsentInterview).expect(200);
  expect(body.id).toBe(result.id);
});

test('each interview has its own result, with the status that sending it would have', async () => {
  const vera = await cast.world.person({ location: cast.site });
  const used = await seedCode(cast);
  await submit(cast, { referralCode: used });
  const stored = interview({ responses: { networkSize: 4 } });
  const results = await bring(vera, [
    interview({ responses: { comment: 'no number' } }),
    interview({ location: NOBODY }),
    interview({ wave: 3 }),
    stored,
    { ...stored, responses: { networkSize: 5 } },
    interview({ referralCode: used, onCodeProblem: 'REJECT' }),
    interview({ responses: { networkSize: 3, comment: 'a\0b' } }),
    interview(),
  ]);
  const [, , , flaggedResult] = results;
  expect(results.map(({ status, code }) => [status, code])).toEqual([
    [400, 'VALIDATION_ERROR'],
    [400, 'VALIDATION_ERROR'],
    [400, 'VALIDATION_ERROR'],
    [201, null],
    [409, 'EDIT_CONFLICT'],
    [201, null],
    [400, 'VALIDATION_ERROR'],
    [201, null],
  ]);
  expect(results[0].message).toContain('responses.networkSize');
  expect(results[0].errors).toContainEqual(expect.objectContaining({ path: 'responses.networkSize' }));
  expect(results[1].message).toContain('location');
  for (const { status, id, message } of results) {
    expect(id === null).toBe(status !== 201);
    expect(message === null).toBe(status === 201);
  }
  expect(flagsOf(await read(cast, flaggedResult.id))).toEqual(['IMPORTED', 'SECOND_COPY']);
  expect(flagsOf(await read(cast, results[5].id))).toEqual(['IMPORTED', 'REFERRAL_CODE_USED']);
});

test('codes reserved by the importer cannot be handed out by the owner', async () => {
  const [foreign] = await reserve(cast.admin, 1);
  const [result] = await bring(cast.volunteer, [interview({ issuedCodes: [foreign] })]);
  expect(flagsOf(await read(cast, result.id))).toEqual(['IMPORTED', 'ISSUED_CODE_REFUSED']);
});

test('a request has 1 to 100 interviews of one user, each with a clientId', async () => {
  const vera = await cast.world.person({ location: cast.site });
  const hundred = times(100, () => interview());
  expect(tally((await bring(vera, hundred)).map((body) => ({ status: body.status, body }) as never))).toEqual(
    { 201: 100 },
  );
  expect(await collection('surveys').countDocuments({ createdBy: oid(vera.id) })).toBe(100);
  refusedAt(await send(vera, [...hundred, interview()]), 'surveys');
  refusedAt(await send(vera, []), 'surveys');
  refusedAt(await send(vera, [draft(cast)]), 'surveys.0.clientId');
  refusedAt(await send(vera, [{ ...interview(), clientId: 'x' }]), 'surveys.0.clientId');
  refusedAt(await send({ id: NOBODY } as Person, [interview()]), 'owner');
  refusedAt(await send({ id: 'x' } as Person, [interview()]), 'owner');
  expect(await collection('surveys').countDocuments({ createdBy: oid(vera.id) })).toBe(100);
});

test('accepts up to 3 MiB and rejects more', async () => {
  const vera = await cast.world.person({ location: cast.site });
  const long = (): object =>
    interview({
      ...{ responses: { networkSize: 1, comment: '€'.repeat(10_000) }, note: '€'.repeat(500) },
    });
  const results = await bring(vera, times(80, long));
  expect(new Set(results.map((result) => result.status))).toEqual(new Set([201]));
  const { message } = refused(await send(vera, times(100, long)), 413, 'TOO_LARGE');
  expect(message).toContain('3 MiB');
});

test('the same file imported by two people at once is stored once', async () => {
  const vera = await cast.world.person({ location: cast.site });
  const { referralCode } = await makeSeed(cast.world, cast.admin, { location: cast.site });
  const surveys = [interview({ referralCode }), ...times(9, () => interview())];
  const [one, two] = await Promise.all([bring(vera, surveys), bring(vera, surveys, cast.root)]);
  expect(one.map((result) => result.id)).toEqual(two.map((result) => result.id));
  for (const [at, result] of one.entries())
    expect([result.status, two[at].status].sort()).toEqual([200, 201]);
  expect(await collection('surveys').countDocuments({ createdBy: oid(vera.id) })).toBe(10);
  expect(flagsOf(await read(cast, one[0].id))).toEqual(['IMPORTED']);
});

test('a caller who may not import gets 403 for known and unknown users', async () => {
  for (const by of [cast.manager, cast.volunteer]) {
    refused(await send(cast.volunteer, [interview()], by), 403);
    refused(await send({ id: NOBODY } as Person, [interview()], by), 403);
  }
});

test('an importer for one site neither gets the id of an interview of another site nor adds a copy to it', async () => {
  const permissions = [{ action: 'import', subject: 'Survey', conditions: ['HAS_SAME_LOCATION'] }];
  const importer = await cast.world.person({ location: cast.site, permissions } as never);
  const elsewhere = interview({ location: await cast.world.place() });
  const [stored] = await bring(cast.volunteer, [elsewhere]);
  const refusedResult = { clientId: elsewhere.clientId, status: 403, id: null };
  for (const one of [elsewhere, { ...elsewhere, location: cast.site }])
    expect(await bring(cast.volunteer, [one], importer)).toMatchObject([refusedResult]);
  expect(flagsOf(await read(cast, stored.id))).toEqual(['IMPORTED']);
  const here = interview();
  expect(await bring(cast.volunteer, [here], importer)).toMatchObject([{ status: 201 }]);
  expect(await bring(cast.volunteer, [here], importer)).toMatchObject([{ status: 200 }]);
});

describe('an imported interview', () => {
  const paid = { incentive: { method: 'CASH' } };
  beforeAll(async () => {
    await setStudy(cast, {
      incentives: { currency: 'USD', interview: '20.00', recruit: null, recruitLimit: null },
    });
  });

  test('is not reviewed by its importer, neither at once nor by clearing its flag; another admin reviews it', async () => {
    const [{ id }] = await bring(cast.volunteer, [interview()]);
    const url = `/api/surveys/${id}`;
    const approval = { state: 'APPROVED' };
    refused(await cast.admin.post(`${url}/review`, approval), 403);
    const many = await cast.admin.post('/api/surveys/review', { ids: [id], ...approval }).expect(200);
    expect(many.body).toMatchObject({ done: 0, refused: [{ id }] });
    refused(await cast.admin.patch(url, { clearFlags: ['IMPORTED'] }), 403);
    refused(await cast.volunteer.patch(url, { clearFlags: ['IMPORTED'] }), 403);
    const other = await cast.world.person({ role: 'ADMIN', location: cast.site });
    await other.post(`${url}/review`, approval).expect(200);
    const cleared = await other.patch(url, { clearFlags: ['IMPORTED'] }).expect(200);
    expect(flagsOf(cleared.body)).toEqual([]);
    // Who entered it is known for good.
    refused(await cast.admin.post(`${url}/review`, approval), 403);
    const { body } = await cast.admin
      .get(`/api/surveys?flag=IMPORTED&createdBy=${cast.volunteer.id}`)
      .expect(200);
    expect(body.data.map((one: Body) => one.id)).not.toContain(id);
  });

  test('is not reviewed by its importer with a grant either', async () => {
    const permissions = ['import', 'review'].map((action) => ({ action, subject: 'Survey', conditions: [] }));
    const helper = await cast.world.person({ location: cast.site, permissions });
    const [{ id }] = await bring(cast.volunteer, [interview()], helper);
    refused(await helper.post(`/api/surveys/${id}/review`, { state: 'APPROVED' }), 403);
  });

  test('was paid by its importer, for an active owner too', async () => {
    const [{ id }] = await bring(cast.volunteer, [interview(paid)]);
    const { body } = await cast.root.get(`/api/incentives?survey=${id}`).expect(200);
    expect(body.data).toMatchObject([{ state: 'PAID', paidBy: cast.admin.id }]);
    const own = await cast.volunteer.get('/api/incentives/summary').expect(200);
    expect(own.body.paid.count).toBe(0);
  });

  test('does not move its owner', async () => {
    const [here, there] = [cast.site, await cast.world.place()];
    const vera = await cast.world.person({ role: 'MANAGER', location: here });
    const siteOf = async () => (await vera.get('/api/auth/session').expect(200)).body.currentLocation;
    const foreign = await submit(cast, { location: there });
    refused(await vera.get(`/api/surveys/${foreign.id}`), 403);
    await bring(vera, [interview({ location: there })]);
    expect(await siteOf()).toBe(here);
    refused(await vera.get(`/api/surveys/${foreign.id}`), 403);
  });
});
