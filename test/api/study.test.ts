/** The study: one record of settings that every approved user reads and an ADMIN changes. */
import mongoose from 'mongoose';
import { castOfFile, refused, refusedAt } from './kit.ts';

const cast = castOfFile();

const study = async () => (await cast.volunteer.get('/api/study').expect(200)).body;

test('a new service has a study with defaults: 3 codes per survey, valid at once and without expiry', async () => {
  expect(await study()).toMatchObject({
    name: expect.any(String),
    contact: expect.any(String),
    couponsPerSurvey: 3,
    couponValidDays: null,
    couponStartsAfterHours: 0,
    couponText: expect.objectContaining({ en: expect.any(String) }),
    languages: expect.arrayContaining(['en']),
    targetSampleSize: null,
    endsOn: null,
    populationSize: null,
    dueFrom: null,
    dueTo: null,
    timeZone: null,
  });
});

test.each([
  ['name', 'Winter count'],
  ['contact', 'Call 206 555 0100'],
  ['organization', 'King County Regional Homelessness Authority'],
  ['organization', ''],
  ['publicationContact', 'count@example.org'],
  ['publicationContact', 'https://example.org/count'],
  ['publicationContact', ''],
  ['couponsPerSurvey', 0],
  ['couponsPerSurvey', 10],
  ['couponValidDays', 30],
  ['couponValidDays', null],
  ['couponStartsAfterHours', 24],
  ['couponText', { en: 'Bring this', es: 'Traiga esto' }],
  ['languages', ['en', 'es']],
  ['targetSampleSize', 500],
  ['endsOn', '2027-02-28'],
  ['endsOn', null],
  ['populationSize', 12000],
  ['populationSize', null],
  ['dueFrom', '2026-12-01'],
  ['dueTo', '2026-12-31'],
  ['dueTo', null],
])('PATCH %s to %j changes only that field', async (field, value) => {
  const before = await study();
  const { body } = await cast.admin.patch('/api/study', { [field]: value }).expect(200);
  const { updatedAt: _a, ...rest } = before;
  expect(body).toMatchObject({ ...rest, [field]: value });
  expect(await study()).toEqual(body);
});

test('only a super admin can change the time zone, since it shifts the day whose interviews an admin can read', async () => {
  const before = await study();
  await cast.admin.patch('/api/study', { timeZone: 'Pacific/Pago_Pago' }).expect(403);
  expect(await study()).toEqual(before);
  for (const timeZone of ['Asia/Tokyo', null]) {
    const zone = timeZone ?? 'America/Los_Angeles';
    const { body } = await cast.root.patch('/api/study', { timeZone }).expect(200);
    expect(body).toMatchObject({ timeZone, zone });
    expect((await study()).zone).toBe(zone);
  }
});

test.each([
  ['couponsPerSurvey', 11],
  ['couponsPerSurvey', -1],
  ['couponsPerSurvey', 2.5],
  ['couponsPerSurvey', '3'],
  ['couponsPerSurvey', null],
  ['couponValidDays', -1],
  ['couponStartsAfterHours', -1],
  ['couponStartsAfterHours', 'soon'],
  ['couponText', 'text'],
  ['languages', 'en'],
  ['targetSampleSize', -5],
  ['endsOn', '2027-02-29'],
  ['populationSize', { $gt: 0 }],
  ['dueFrom', '2026-02-30'],
  ['dueTo', 'soon'],
  ['organization', 'x'.repeat(201)],
  ['organization', 'two\nlines'],
  ['publicationContact', 'ask at the desk'],
  ['publicationContact', 'javascript:alert(1)'],
  ['publicationContact', 'https://localhost/'],
  ['timeZone', 'Mars/Olympus'],
  ['timeZone', '+02:00'],
  ['name', ''],
  ['colour', 'red'],
  ['id', 'x'],
])('an invalid %s is 400 (%j), and nothing changes', async (field, value) => {
  const before = await study();
  const answer = await cast.admin.patch('/api/study', { contact: 'changed', [field]: value });
  refusedAt(answer, field);
  expect(await study()).toEqual(before);
});

test('a language that looks like a tag but isn’t one is 400', async () => {
  refusedAt(await cast.admin.patch('/api/study', { languages: ['en-aa-bb'] }), 'languages.0');
});

test('a PATCH with no field is 400', async () => {
  refused(await cast.admin.patch('/api/study', {}), 400, 'VALIDATION_ERROR');
});

test('any approved user can read the study; only an ADMIN or a SUPER_ADMIN can change it', async () => {
  for (const person of [cast.volunteer, cast.manager]) {
    await person.get('/api/study').expect(200);
    refused(await person.patch('/api/study', { name: 'Mine' }), 403);
  }
  await cast.root.patch('/api/study', { name: 'Root’s' }).expect(200);
  refused(await cast.world.anonymous.get('/api/study'), 401);
  refused(await (await cast.world.person({ approvalStatus: 'REJECTED' })).get('/api/study'), 403);
});

test('each change is recorded with its date', async () => {
  const events = () => mongoose.connection.collection('auditevents').countDocuments();
  const before = await events();
  await cast.admin.patch('/api/study', { name: 'Kept once' }).expect(200);
  await cast.admin.patch('/api/study', { name: 'Kept twice' }).expect(200);
  expect(await events()).toBe(before + 2);
  const [last] = await mongoose.connection
    .collection('auditevents')
    .find()
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  expect(last?.createdAt).toBeInstanceOf(Date);
  expect(JSON.stringify(last)).toContain('Kept twice');
});

test('simultaneous PATCHes of different fields all apply', async () => {
  await Promise.all([
    cast.admin.patch('/api/study', { name: 'Both' }).expect(200),
    cast.admin.patch('/api/study', { contact: 'of them' }).expect(200),
    cast.admin.patch('/api/study', { targetSampleSize: 77 }).expect(200),
  ]);
  expect(await study()).toMatchObject({ name: 'Both', contact: 'of them', targetSampleSize: 77 });
});

test('the size of a site that never existed is refused; a closed site keeps its size', async () => {
  const sizeOf = (location: string) => ({ location, size: 300, source: 'A list' });
  const closed = await cast.world.place();
  await cast.root.delete(`/api/locations/${closed}`).expect(204);
  const unknown = { siteSizes: [sizeOf(cast.site), sizeOf('0'.repeat(24)), sizeOf('North')] };
  const { body } = await cast.root.patch('/api/study', unknown).expect(400);
  expect(body.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
    ['siteSizes.1.location', 'NO_LOCATION'],
    ['siteSizes.2.location', 'NO_LOCATION'],
  ]);
  await cast.root.patch('/api/study', { siteSizes: [sizeOf(cast.site), sizeOf(closed)] }).expect(200);
  const answers = { siteQuestion: 'home', siteSizes: [sizeOf('North')] };
  await cast.root.patch('/api/study', answers).expect(200);
  await cast.root.patch('/api/study', { siteQuestion: null, siteSizes: [] }).expect(200);
});
