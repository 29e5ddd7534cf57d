/** Quality findings: who sees which, pages, filters, and dismissing them. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { type Body, insertSurvey } from '../make.ts';
import type { Person } from '../people.ts';
import { castOfFile, collection, DAY, HEX_ID, HOUR, NOBODY, oid, refused, refusedAt } from './kit.ts';

const cast = castOfFile();

/** Writes an interview with these fields directly into the database. */
async function interview(fields: Record<string, unknown> = {}, by = cast.volunteer): Promise<string> {
  const { location = cast.site, createdAt = cast.world.clock.now(), ...more } = fields;
  const about = { createdBy: by.id, location: String(location), createdAt: createdAt as Date };
  const id = await insertSurvey(cast.world, about);
  await change(id, { networkSize: 7, ...more });
  return id;
}

const change = (id: string, fields: object) =>
  collection('surveys').updateOne({ _id: oid(id) }, { $set: fields });
const sizeOf0 = (fields: Record<string, unknown> = {}) => interview({ networkSize: 0, ...fields });

async function list(query = '', person = cast.root): Promise<Body[]> {
  const { body } = await person.get(`/api/quality?limit=200${query}`).expect(200);
  return body.data;
}

const aboutSurvey = async (survey: string, query = '', person = cast.root) =>
  (await list(query, person)).find((one) => one.survey === survey);
const dismiss = (id: string, person: Person = cast.root, comment = 'It is right.') =>
  person.post(`/api/quality/${id}/dismiss`, { comment });

test('a finding has its check, value, rule and interview', async () => {
  const id = await sizeOf0();
  const { createdAt } = (await cast.root.get(`/api/surveys/${id}`).expect(200)).body;
  expect(await aboutSurvey(id)).toEqual({
    id: expect.stringMatching(HEX_ID),
    survey: id,
    interviewer: cast.volunteer.id,
    location: cast.site,
    check: 'SIZE_ODD',
    value: 0,
    expected: null,
    rule: expect.stringContaining('network size is 0'),
    at: createdAt,
    dismissed: null,
  });
});

test('a finding disappears when the interview is corrected, deleted or rejected', async () => {
  const [corrected, deleted, rejected] = [await sizeOf0(), await sizeOf0(), await sizeOf0()];
  for (const id of [corrected, deleted, rejected]) expect(await aboutSurvey(id)).toBeDefined();
  const answers = { responses: { networkSize: 4, comment: 'none' } };
  await cast.root.patch(`/api/surveys/${corrected}`, answers).expect(200);
  await cast.root.delete(`/api/surveys/${deleted}`).expect(204);
  await cast.root
    .post(`/api/surveys/${rejected}/review`, { state: 'REJECTED', comment: 'Made up.' })
    .expect(200);
  for (const id of [corrected, deleted, rejected]) expect(await aboutSurvey(id)).toBeUndefined();
});

test('an end before the incentive was lowered is a finding, with both amounts', async () => {
  const pay = (interview: string) =>
    cast.admin
      .patch('/api/study', { incentives: { currency: 'USD', interview, recruit: null, recruitLimit: null } })
      .expect(200);
  const { clock } = cast.world;
  await pay('30.00');
  const before = clock.now();
  clock.advance(3 * DAY);
  await pay('20.00');
  const send = async (completedAt: Date) =>
    (
      await cast.volunteer
        .post('/api/surveys', {
          ...{ location: cast.site, startedAt: new Date(completedAt.getTime() - HOUR / 4), completedAt },
          responses: { networkSize: 5 },
        })
        .expect(201)
    ).body.id;
  const backdated = await send(new Date(before.getTime() + HOUR));
  const fair = await send(new Date(clock.now().getTime() - HOUR));
  expect(await aboutSurvey(backdated, '&check=OLD_AMOUNT')).toMatchObject({ value: 30, expected: 20 });
  expect(await aboutSurvey(fair, '&check=OLD_AMOUNT')).toBeUndefined();
  await pay('30.00');
  clock.advance(3 * DAY);
  // From now on more is paid: nobody gains by an earlier end.
  expect(
    await aboutSurvey(await send(new Date(clock.now().getTime() - 2 * DAY)), '&check=OLD_AMOUNT'),
  ).toBeUndefined();
});

test('the site radius is a setting, 500 m by default', async () => {
  const { body: study } = await cast.root.get('/api/study').expect(200);
  expect(study.siteRadius).toBe(500);
  for (const siteRadius of [0, 1.5, 100_001, null, '500'])
    refusedAt(await cast.admin.patch('/api/study', { siteRadius }), 'siteRadius');
  const position = { latitude: 47.6, longitude: -122.3 };
  const location = await cast.world.place();
  const place = (fields: object) =>
    collection('locations').updateOne({ _id: oid(location) }, { $set: fields });
  await place({ coordinates: position });
  const id = await interview({ location, coordinates: { ...position, latitude: 47.6063, accuracy: 10 } });
  expect(await aboutSurvey(id)).toMatchObject({ check: 'FAR_FROM_SITE', value: 701, expected: 510 });
  await cast.admin.patch('/api/study', { siteRadius: 800 }).expect(200);
  expect(await aboutSurvey(id)).toBeUndefined();
  await cast.admin.patch('/api/study', { siteRadius: 500 }).expect(200);
  await place({ type: 'STREET' });
  expect(await aboutSurvey(id)).toBeUndefined();
});

test('findings of certain interviews, and interviews with findings, can be asked for', async () => {
  const by = await cast.world.person();
  const [odd, right] = [await interview({ networkSize: 0 }, by), await interview({}, by)];
  expect(await list(`&survey=${odd},${right}`)).toMatchObject([{ survey: odd, check: 'SIZE_ODD' }]);
  expect(await list(`&survey=${right}`)).toEqual([]);
  refused(await cast.root.get('/api/quality?survey=x'), 400, 'INVALID_QUERY');
  const suspects = async (query: string) => {
    const { body } = await cast.root
      .get(`/api/surveys?createdBy=${by.id}&total=true&finding=${query}`)
      .expect(200);
    return body.data.map(({ id }: Body) => id);
  };
  expect(await suspects('any')).toEqual([odd]);
  expect(await suspects('SIZE_ODD')).toEqual([odd]);
  expect(await suspects('TOO_FAST')).toEqual([]);
  const finding = await aboutSurvey(odd);
  await dismiss(finding.id).expect(200);
  expect(await suspects('any')).toEqual([]);
  refused(await cast.root.get('/api/surveys?finding=x'), 400, 'INVALID_QUERY');
  for (const person of [cast.manager, cast.volunteer])
    refused(await person.get('/api/surveys?finding=any'), 403);
});

test('findings are grouped by interviewer and check, and a group counts what its list shows', async () => {
  const [by, other] = [await cast.world.person(), await cast.world.person()];
  for (let n = 0; n < 3; n += 1) await interview({ networkSize: 0 }, by);
  await interview({ networkSize: 0 }, other);
  const groupsOf = async (query: string, person: Person = cast.root) =>
    (await person.get(`/api/quality/groups?limit=200${query}`).expect(200)).body.data;
  const [group, ...more] = await groupsOf(`&interviewer=${by.id}`);
  expect(more).toEqual([]);
  expect(group).toEqual({
    id: expect.stringMatching(HEX_ID),
    interviewer: by.id,
    check: 'SIZE_ODD',
    count: 3,
    locations: [cast.site],
    at: expect.any(String),
  });
  const [first] = await list(`&interviewer=${by.id}&check=SIZE_ODD`);
  await dismiss(first.id).expect(200);
  expect(await groupsOf(`&interviewer=${by.id}`)).toMatchObject([{ count: 2 }]);
  expect(await groupsOf(`&interviewer=${by.id}&dismissed=true`)).toMatchObject([{ count: 1 }]);
  const all = await groupsOf('');
  const counted = all.reduce((sum: number, { count }: Body) => sum + count, 0);
  expect(counted).toBe((await list()).length);
  const paged = await cast.root.get('/api/quality/groups?limit=1&total=true').expect(200);
  expect(paged.body).toMatchObject({ data: [all[0]], total: all.length });
  for (const person of [cast.manager, cast.volunteer]) refused(await person.get('/api/quality/groups'), 403);
});

describe('rights', () => {
  test('managers and volunteers cannot read or dismiss findings', async () => {
    const { id } = await aboutSurvey(await sizeOf0());
    for (const person of [cast.manager, cast.volunteer]) {
      refused(await person.get('/api/quality'), 403);
      refused(await dismiss(id, person), 403);
      refused(await dismiss(NOBODY, person), 403);
    }
  });

  test('an unconditional grant to read recruitment opens the list, a conditional one does not', async () => {
    const read = { action: 'read', subject: 'Recruitment' };
    const granted = await cast.world.person({ permissions: [{ ...read, conditions: [] }] });
    await granted.get('/api/quality').expect(200);
    const conditional = { ...read, conditions: ['HAS_SAME_LOCATION'] };
    const limited = await cast.world.person({ permissions: [conditional], location: cast.site });
    refused(await limited.get('/api/quality'), 403);
  });

  test('whether an interview was far from its site is hidden from people who may not read it', async () => {
    const position = { latitude: 47.6, longitude: -122.3 };
    const location = await cast.world.place();
    await collection('locations').updateOne({ _id: oid(location) }, { $set: { coordinates: position } });
    const coordinates = { ...position, latitude: 47.6063, accuracy: 10 };
    const id = await interview({ location, coordinates });
    // Of today, an admin may read it.
    expect(await aboutSurvey(id, '', cast.admin)).toMatchObject({ check: 'FAR_FROM_SITE', value: 701 });
    const createdAt = new Date(Date.now() - 2 * DAY);
    await collection('surveys').updateOne({ _id: oid(id) }, { $set: { createdAt } });
    expect(await aboutSurvey(id)).toMatchObject({ check: 'FAR_FROM_SITE', value: 701 });
    expect(await aboutSurvey(id, '', cast.admin)).toBeUndefined();
  });

  test('the value is hidden from people who may not read the interview, but they can dismiss the finding', async () => {
    const yesterday = new Date(Date.now() - 2 * DAY);
    const id = await sizeOf0({ createdAt: yesterday });
    expect(await aboutSurvey(id)).toMatchObject({ value: 0 });
    const hidden = await aboutSurvey(id, '', cast.admin);
    expect(hidden).toMatchObject({ survey: id, check: 'SIZE_ODD', value: null });
    const { body } = await dismiss(hidden.id, cast.admin).expect(200);
    expect(body).toMatchObject({ value: null, dismissed: { by: cast.admin.id } });
    expect(await aboutSurvey(id)).toBeUndefined();
  });

  test('POSSIBLE_REPEAT can be read, dismissed and seen in the history only by reviewers', async () => {
    const other = await interview();
    const at = new Date();
    const repeat = { strength: 'EXACT', survey: oid(other), heldAt: at, location: oid(cast.site), at };
    const id = await interview({ createdAt: new Date(Date.now() - 2 * DAY), repeat });
    const finding = await aboutSurvey(id, '&check=POSSIBLE_REPEAT');
    expect(finding).toMatchObject({ value: 'EXACT', expected: null, at: at.toISOString() });
    expect(await aboutSurvey(id, '', cast.admin)).toBeUndefined();
    refused(await dismiss(finding.id, cast.admin), 404);
    const counted = async (person: Person) =>
      (await person.get('/api/quality?check=POSSIBLE_REPEAT&total=true').expect(200)).body.total;
    expect([await counted(cast.root), await counted(cast.admin)]).toEqual([1, 0]);

    await dismiss(finding.id, cast.root, 'It is her sister.').expect(200);
    const changes = [{ path: 'repeatFinding', before: null, after: 'POSSIBLE_REPEAT' }];
    const history = (person: Person) => person.get(`/api/surveys/${id}/history`).expect(200);
    expect((await history(cast.root)).body).toMatchObject([{ reason: 'It is her sister.', changes }]);
    const reader = await cast.world.person({
      permissions: ['Survey', 'AuditEvent'].map((subject) => ({ action: 'read', subject, conditions: [] })),
    });
    expect((await history(reader)).body).toEqual([]);
    const audit = await reader.get(`/api/audit?record=${id}&action=update`).expect(200);
    expect(audit.body.data).toEqual([]);
  });
});

describe('dismissing', () => {
  test('a dismissed finding leaves the list, and is listed on request with person and comment', async () => {
    const id = await sizeOf0();
    const finding = await aboutSurvey(id);
    const { body } = await dismiss(finding.id, cast.admin, ' She has no friends here. ').expect(200);
    const dismissed = {
      by: cast.admin.id,
      at: expect.any(String),
      comment: 'She has no friends here.',
    };
    expect(body).toEqual({ ...finding, dismissed });
    expect(await aboutSurvey(id)).toBeUndefined();
    expect(await aboutSurvey(id, '&dismissed=false')).toBeUndefined();
    expect(await aboutSurvey(id, '&dismissed=true')).toEqual(body);
  });

  test('holds until the value changes', async () => {
    const id = await interview();
    const startedAt = new Date(Date.now() - 2 * HOUR);
    const odd = (hours: number) => ({
      flags: [{ code: 'CLOCK_ODD', referralCode: null, at: new Date() }],
      startedAt: new Date(startedAt.getTime() - hours * HOUR),
    });
    await change(id, odd(0));
    await dismiss((await aboutSurvey(id)).id).expect(200);
    await change(id, { ...odd(0), networkSize: 8, version: 2 });
    expect(await aboutSurvey(id)).toBeUndefined();
    await change(id, odd(1));
    expect(await aboutSurvey(id)).toMatchObject({ check: 'CLOCK_ODD', dismissed: null });
    expect(await aboutSurvey(id, '&dismissed=true')).toBeUndefined();
    await dismiss((await aboutSurvey(id)).id, cast.admin, 'Again.').expect(200);
    expect(await aboutSurvey(id, '&dismissed=true')).toMatchObject({ dismissed: { comment: 'Again.' } });
  });

  test('again replaces the comment; simultaneous dismissals leave one record', async () => {
    const id = await sizeOf0();
    const finding = await aboutSurvey(id);
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) => dismiss(finding.id, cast.admin, `${i}`)),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await dismiss(finding.id, cast.root, 'last').expect(200);
    expect(await aboutSurvey(id, '&dismissed=true')).toMatchObject({
      dismissed: { by: cast.root.id, comment: 'last' },
    });
    expect(await collection('dismissals').countDocuments({ _id: oid(finding.id) })).toBe(1);
  });

  test('is in the history of the interview, with the comment', async () => {
    const id = await sizeOf0();
    await dismiss((await aboutSurvey(id)).id, cast.admin, 'Called back.').expect(200);
    const { body } = await cast.volunteer.get(`/api/surveys/${id}/history`).expect(200);
    expect(body).toMatchObject([
      {
        by: cast.admin.id,
        reason: 'Called back.',
        changes: [{ path: 'finding', before: null, after: 'SIZE_ODD' }],
      },
    ]);
  });

  test('of a finding about an interviewer is in that person’s audit trail', async () => {
    const person = await cast.world.person();
    for (let size = 1; size <= 10; size++) await interview({ networkSize: 10 * size }, person);
    const [finding] = await list(`&interviewer=${person.id}`);
    expect(finding).toMatchObject({ check: 'SIZE_ODD', survey: null, value: 1, expected: 0.8 });
    await dismiss(finding.id).expect(200);
    const { body } = await cast.root.get(`/api/audit?record=${person.id}&action=update`).expect(200);
    expect(body.data).toMatchObject([
      { subject: 'User', action: 'update', reason: 'It is right.', location: cast.site },
    ]);
    await interview({ networkSize: 23 }, person);
    expect(await list(`&interviewer=${person.id}`)).toMatchObject([{ id: finding.id, value: 0.91 }]);
  });

  test('loses its comment when the interview is erased', async () => {
    const id = await sizeOf0();
    await dismiss((await aboutSurvey(id)).id, cast.admin, 'She told me her name.').expect(200);
    await cast.root.post(`/api/surveys/${id}/erase`, { reason: 'She asked for it.' }).expect(200);
    const { dismissed } = await aboutSurvey(id, '&dismissed=true');
    expect(dismissed).toEqual({ by: cast.admin.id, at: expect.any(String), comment: '' });
  });

  test('needs a comment and an existing finding', async () => {
    const { id } = await aboutSurvey(await sizeOf0());
    for (const comment of ['', '  ', 'x'.repeat(2_001), null]) {
      refusedAt(await cast.root.post(`/api/quality/${id}/dismiss`, { comment }), 'comment');
    }
    refusedAt(await cast.root.post(`/api/quality/${id}/dismiss`, {}), 'comment');
    for (const unknown of [NOBODY, 'no-id', 'f'.repeat(25)]) refused(await dismiss(unknown), 404);
    await dismiss(id.toUpperCase()).expect(200);
  });
});

describe('the list', () => {
  test('is paged, worst first, and has no sort parameter', async () => {
    await Promise.all(Array.from({ length: 6 }, () => sizeOf0()));
    const whole = await cast.root.get('/api/quality?limit=200&total=true').expect(200);
    const listedIds: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await cast.root.get(`/api/quality?limit=2${cursor}`).expect(200);
      listedIds.push(...body.data.map((one: Body) => one.id));
      if (!body.nextCursor) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(listedIds).toEqual(whole.body.data.map((one: Body) => one.id));
    expect(whole.body.total).toBe(listedIds.length);
    expect(new Set(listedIds).size).toBe(listedIds.length);
    const aboutPeople = whole.body.data.map((one: Body) => one.survey === null);
    expect(aboutPeople).toEqual([...aboutPeople].sort((a, b) => Number(b) - Number(a)));
    for (const query of ['sort=-createdAt', 'cursor=abc', 'limit=0', 'limit=201', 'check=SLOW', 'location=x'])
      refused(await cast.root.get(`/api/quality?${query}`), 400, 'INVALID_QUERY');
  });

  test('filters by check, site, interviewer and time', async () => {
    const location = await cast.world.place();
    const person = await cast.world.person();
    const createdAt = new Date('2026-03-10T20:00:00Z');
    const id = await interview({ location, createdAt, networkSize: 0 }, person);
    const count = async (query: string) => (await list(`&location=${location}${query}`)).length;
    expect(await count('')).toBe(1);
    expect(await count('&check=SIZE_ODD')).toBe(1);
    expect(await count('&check=TOO_FAST')).toBe(0);
    expect(await count(`&interviewer=${person.id}`)).toBe(1);
    expect(await count(`&interviewer=${cast.volunteer.id}`)).toBe(0);
    expect(await count('&from=2026-03-10&to=2026-03-10')).toBe(1);
    expect(await count('&from=2026-03-11')).toBe(0);
    expect(await count('&to=2026-03-09')).toBe(0);
    expect(await count('&from=2026-03-10T20:00:00Z&to=2026-03-10T20:00:00Z')).toBe(1);
    refused(await cast.root.get('/api/quality?from=2026-03-11&to=2026-03-10'), 400, 'INVALID_QUERY');
    expect((await aboutSurvey(id)).location).toBe(location);
  });

  test('includes interviews as they arrive over the API', async () => {
    const [seed, other] = [randomUUID(), randomUUID()];
    const send = (clientId: string, startedAt: Date) =>
      cast.volunteer.post('/api/surveys', {
        clientId,
        location: cast.site,
        responses: { networkSize: 0, comment: 'none' },
        startedAt,
        completedAt: new Date(startedAt.getTime() + HOUR),
      });
    const { body: first } = await send(seed, new Date(Date.now() - 3 * HOUR)).expect(201);
    const { body: second } = await send(other, new Date(Date.now() - 400 * DAY)).expect(201);
    const findings = await list();
    const checksOf = (survey: string) =>
      findings.filter((one) => one.survey === survey).map(({ check }) => check);
    expect(checksOf(first.id)).toEqual(['SIZE_ODD']);
    expect(checksOf(second.id).sort()).toEqual(['CLOCK_ODD', 'SIZE_ODD']);
    expect(mongoose.isValidObjectId(findings[0]?.id)).toBe(true);
  });
});
