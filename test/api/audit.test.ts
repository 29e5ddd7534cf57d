import { AuditEventModel } from '../../src/platform/audit/model.ts';
import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import { castOfFile, DAY, draft, refused, submit } from './kit.ts';

const cast = castOfFile();

const audit = async (person: Person, query = ''): Promise<Body[]> =>
  (await person.get(`/api/audit${query}`).expect(200)).body.data;

test('each change is one event with person, action, record, time, and values before and after', async () => {
  const { id } = (await cast.admin.post('/api/locations', { name: 'Pier 7', type: 'CLINIC' }).expect(201))
    .body;
  await cast.root.patch(`/api/locations/${id}`, { name: 'Pier 8' }).expect(200);
  await cast.admin.delete(`/api/locations/${id}`).expect(204);
  const events = await audit(cast.admin, `?record=${id}`);
  expect(events).toEqual([
    expect.objectContaining({ action: 'delete', by: cast.admin.id, changes: [], hidden: false }),
    expect.objectContaining({
      action: 'update',
      by: cast.root.id,
      subject: 'Location',
      record: id,
      changes: [{ path: 'name', before: 'Pier 7', after: 'Pier 8' }],
    }),
    expect.objectContaining({ action: 'create', by: cast.admin.id }),
  ]);
  expect(Object.keys(events[0]).sort()).toEqual(
    [
      ...[
        'action',
        'at',
        'by',
        'automatic',
        'changes',
        'hidden',
        'id',
        'location',
        'names',
        'reason',
        'record',
        'subject',
      ],
    ].sort(),
  );
});

test('the list is filtered by person, kind of record, action and time, and paged', async () => {
  const { world } = cast;
  const mine = await world.person({ role: 'ADMIN', location: cast.site });
  const seedIds: string[] = [];
  for (let at = 0; at < 3; at++)
    seedIds.unshift((await mine.post('/api/seeds', { location: cast.site }).expect(201)).body.id);
  await submit(cast, {}, mine);
  const by = `?by=${mine.id}`;
  const records = (events: Body[]) => events.map((one) => one.record);
  expect(records(await audit(cast.root, `${by}&subject=Seed`))).toEqual(seedIds);
  expect(await audit(cast.root, `${by}&subject=User`)).toEqual([]);
  expect(await audit(cast.root, `${by}&action=delete`)).toEqual([]);
  expect((await audit(cast.root, by)).every((one) => one.by === mine.id)).toBe(true);
  const tomorrow = new Date(world.clock.now().getTime() + DAY).toISOString();
  expect(await audit(cast.root, `${by}&from=${tomorrow}`)).toEqual([]);
  expect((await audit(cast.root, `${by}&to=${tomorrow}`)).length).toBeGreaterThan(3);

  const first = (await cast.root.get(`/api/audit${by}&subject=Seed&limit=2&total=true`).expect(200)).body;
  expect([records(first.data), first.total]).toEqual([seedIds.slice(0, 2), 3]);
  const next = await audit(cast.root, `${by}&subject=Seed&limit=2&cursor=${first.nextCursor}`);
  expect(records(next)).toEqual(seedIds.slice(2));
});

test('changed values of a survey are shown only to people who may read the survey', async () => {
  const { world } = cast;
  const survey = await submit(cast, { status: 'IN_PROGRESS' });
  await cast.volunteer.patch(`/api/surveys/${survey.id}`, draftAnswers()).expect(200);
  const update = async (person: Person) =>
    (await audit(person, `?record=${survey.id}&action=update`))[0] as Body;
  expect((await update(cast.admin)).changes).not.toEqual([]);
  expect((await update(cast.admin)).hidden).toBe(false);

  world.clock.advance(2 * DAY);
  expect(await update(cast.admin)).toMatchObject({ changes: [], hidden: true, subject: 'Survey' });
  expect((await update(cast.root)).changes).not.toEqual([]);
  world.clock.real();
});

test('automatic changes are marked as such, even for people who may not read them', async () => {
  const { world, volunteer } = cast;
  const { id } = await submit(cast, {});
  const event = {
    by: volunteer.id,
    action: 'update' as const,
    subject: 'Survey',
    record: id,
    location: cast.site,
    createdAt: world.clock.now(),
  };
  const place = ['seed', 'wave'].map((path) => ({ path, before: null, after: 1 }));
  await AuditEventModel.create({ ...event, changes: place });
  await AuditEventModel.create({
    ...event,
    changes: [...place, { path: 'referralCode', before: null, after: 'A' }],
  });
  world.clock.advance(2 * DAY);
  for (const [person, hidden] of [
    [cast.root, false],
    [cast.admin, true],
  ] as const) {
    const events = await audit(person, `?record=${id}&action=update`);
    expect(events).toHaveLength(2);
    expect(events.filter((one) => one.automatic)).toMatchObject([{ hidden, changes: hidden ? [] : place }]);
  }
  world.clock.real();
});

const draftAnswers = () => ({ responses: { ...draft(cast).responses, networkSize: 31 } });

test('events include names for ids, the last name of deleted records, and none that the caller may not read', async () => {
  const { world, root, admin, volunteer } = cast;
  const { id: pier } = (await root.post('/api/locations', { name: 'Pier 9', type: 'CLINIC' }).expect(201))
    .body;
  const formerAdmin = await world.person({ role: 'ADMIN', location: pier });
  await formerAdmin.patch(`/api/locations/${pier}`, { name: 'Pier 10' }).expect(200);
  await root.patch(`/api/users/${volunteer.id}`, { location: pier }).expect(200);
  await root.patch(`/api/users/${volunteer.id}`, { location: cast.site }).expect(200);
  await root.delete(`/api/locations/${pier}`).expect(204);
  await root.delete(`/api/users/${formerAdmin.id}`).expect(204);
  const named = async (query: string, by = root) => (await audit(by, query))[0]?.names ?? {};

  const person = { subject: 'User', name: expect.stringMatching(/\w+ \w+/), code: null };
  expect(await named(`?record=${pier}&action=update`)).toEqual({
    [formerAdmin.id]: { ...person, location: null, questionnaire: null, deleted: true },
    [pier]: expect.objectContaining({ subject: 'Location', name: 'Pier 10', deleted: true }),
  });
  const moved = await named(`?record=${volunteer.id}&action=update`, admin);
  expect(moved[pier]).toMatchObject({ name: 'Pier 10', deleted: true });
  expect(moved[volunteer.id]).toMatchObject({ deleted: false });
  expect(moved[cast.site]).toMatchObject({ subject: 'Location', deleted: false });

  const { body: seed } = await admin.post('/api/seeds', { location: cast.site }).expect(201);
  const survey = await submit(cast, { referralCode: seed.referralCode });
  await submit(cast, { referralCode: survey.issuedCodes[0] });
  expect((await named(`?record=${survey.id}`))[survey.id]).toEqual({
    ...{ subject: 'Survey', name: null, code: seed.referralCode, location: cast.site, deleted: false },
    questionnaire: survey.questionnaire,
  });
  // The name of the person who changed one's interview is hidden if one may not read that person.
  await admin
    .patch(`/api/surveys/${survey.id}`, { responses: { networkSize: 31 }, reason: 'Misheard' })
    .expect(200);
  const [change] = (await volunteer.get(`/api/surveys/${survey.id}/history`).expect(200)).body;
  expect(change).toMatchObject({ by: admin.id, reason: 'Misheard' });
  expect(Object.keys(change.names)).toEqual([survey.id]);
  expect((await audit(root, `?record=${survey.id}&action=update`))[0]).toMatchObject({ reason: 'Misheard' });
});

test('the note of a batch is shown only to callers who may read its codes', async () => {
  const there = await cast.world.place();
  const [here, elsewhere] = await Promise.all(
    [cast.site, there].map(
      async (location) =>
        (
          await cast.root
            .post('/api/referral-codes/batches', { count: 1, location, note: 'Box 7' })
            .expect(201)
        ).body.id,
    ),
  );
  const permissions = [
    { action: 'read', subject: 'AuditEvent', conditions: [] },
    { action: 'read', subject: 'ReferralCode', conditions: ['HAS_SAME_LOCATION'] },
  ];
  const reader = await cast.world.person({ location: cast.site, permissions });
  const noteOf = async (id: string, by: Person) =>
    (await audit(by, `?record=${id}&subject=CodeBatch`))[0]?.names[id]?.name;
  expect(await noteOf(here, reader)).toBe('Box 7');
  expect(await noteOf(elsewhere, reader)).toBeUndefined();
  expect(await noteOf(elsewhere, cast.admin)).toBe('Box 7');
});

test('the audit trail can be filtered by site and by coupon code', async () => {
  const { admin, root, volunteer } = cast;
  const far = await cast.world.place();
  const { body: seed } = await admin.post('/api/seeds', { location: far }).expect(201);
  const first = await submit(cast, { referralCode: seed.referralCode });
  const second = await submit(cast, { referralCode: seed.referralCode, onCodeProblem: 'FLAG' });
  const records = async (query: string) => new Set((await audit(root, query)).map((one) => one.record));
  expect(await records(`?location=${far}`)).toEqual(new Set([seed.id]));
  expect((await records(`?location=${cast.site}&subject=Survey`)).has(first.id)).toBe(true);
  for (const code of [seed.referralCode, seed.referralCode.toLowerCase()])
    expect(await records(`?code=${code}`)).toEqual(new Set([seed.id, first.id, second.id]));
  expect(await records(`?code=${first.issuedCodes[0]}`)).toEqual(new Set([first.id]));
  expect(await records('?code=none')).toEqual(new Set());
  expect(await records(`?code=${seed.referralCode}&action=delete`)).toEqual(new Set());
  refused(await volunteer.get(`/api/audit?code=${seed.referralCode}`), 403);
});

test('managers and volunteers get 403', async () => {
  refused(await cast.manager.get('/api/audit'), 403);
  refused(await cast.volunteer.get('/api/audit'), 403);
});

test('an invalid query is 400', async () => {
  for (const query of ['?by=me', '?subject=Password', '?action=lurk', '?from=soon', '?record[$ne]=1', '?x=1'])
    refused(await cast.root.get(`/api/audit${query}`), 400, 'INVALID_QUERY');
});
