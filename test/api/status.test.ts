/** One's own page: totals of the last midnight by a secret, and nothing that tells more. */
import { createHash, randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { formatSecret, generateStatusSecret } from '../../src/coupons/referral-codes/secret.ts';
import { ANSWERS, type Body } from '../make.ts';
import { owedTo, pay, recruit, setIncentives, USD } from './incentive-kit.ts';
import {
  castOfFile,
  collection,
  DAY,
  HOUR,
  makeStudyOld,
  NOBODY,
  oid,
  refusedAt,
  submit,
  uuid,
} from './kit.ts';

const cast = castOfFile();
const NOON = new Date('2026-03-10T20:00:00Z');
const MIDNIGHT = '2026-03-11T07:00:00.000Z';

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
const newSecret = () => generateStatusSecret(randomBytes);
const open = (secret: string) => cast.world.anonymous.get(`/api/status/${secret}`);

/** An interview whose person has this secret. */
const submitWith = (secret: string, fields: object = {}) =>
  submit(cast, { statusHash: hashOf(secret), ...fields });

beforeAll(async () => {
  await makeStudyOld();
  const { root } = cast;
  await root
    .patch('/api/study', {
      statusPage: 'ON',
      timeZone: 'America/Los_Angeles',
      name: 'Harbor',
      contact: 'Ask us',
    })
    .expect(200);
});
beforeEach(async () => {
  cast.world.clock.set(NOON);
  await setIncentives(cast, { ...USD, interview: null, recruit: null });
});

test('a secret shows the study, the sites and the totals of the last midnight, and no more', async () => {
  const secret = newSecret();
  await submitWith(secret);
  cast.world.clock.advance(DAY);
  const { body, headers } = await open(formatSecret(secret).toLowerCase()).expect(200);
  expect(body).toEqual({
    study: { name: 'Harbor', contact: 'Ask us' },
    coupons: { given: 3, returned: 0 },
    incentives: null,
    sites: expect.arrayContaining([{ name: expect.any(String), address: null }]),
    asOf: MIDNIGHT,
  });
  expect(headers['cache-control']).toBe('no-store');
});

test('what happened since midnight is shown the day after', async () => {
  const secret = newSecret();
  const by = await submitWith(secret);
  cast.world.clock.advance(DAY);
  const before = (await open(secret).expect(200)).body;
  await recruit(cast, by);
  expect((await open(secret).expect(200)).body).toEqual(before);
  // An interview that took place before midnight and arrives today is news of today, too.
  const startedAt = new Date(cast.world.clock.now().getTime() - 14 * HOUR).toISOString();
  await recruit(cast, by, 1, { startedAt, completedAt: startedAt });
  expect((await open(secret).expect(200)).body).toEqual(before);
  cast.world.clock.advance(DAY);
  expect((await open(secret).expect(200)).body.coupons).toEqual({ given: 3, returned: 2 });
});

test('while recruits are paid for, or once they were, nobody learns how many came', async () => {
  const secret = newSecret();
  await setIncentives(cast, USD);
  const by = await submitWith(secret);
  await recruit(cast, by);
  await recruit(cast, by, 1, { takesPart: false });
  cast.world.clock.advance(DAY);
  const { body } = await open(secret).expect(200);
  expect(body.coupons).toEqual({ given: 3, returned: null });
  expect(body.incentives).toEqual({ currency: 'USD', due: '30.00', paid: '0.00' });
  await setIncentives(cast, { ...USD, recruit: null });
  expect((await open(secret).expect(200)).body.coupons.returned).toBeNull();
});

test('money is as it was at midnight, whatever was paid, withdrawn or rejected since', async () => {
  const secret = newSecret();
  await setIncentives(cast, USD);
  const by = await submitWith(secret);
  const came = await recruit(cast, by);
  cast.world.clock.advance(DAY);
  const before = (await open(secret).expect(200)).body;
  expect(before.incentives).toEqual({ currency: 'USD', due: '30.00', paid: '0.00' });
  const [own] = await owedTo(cast, by.id);
  await pay(cast.root, own?.id).expect(200);
  await cast.root
    .post(`/api/surveys/${came.id}/review`, { state: 'REJECTED', comment: 'Made up.' })
    .expect(200);
  await cast.root.post(`/api/incentives/${own?.id}/reopen`, { reason: 'By mistake.' }).expect(200);
  await pay(cast.root, own?.id).expect(200);
  expect((await open(secret).expect(200)).body).toEqual(before);
  cast.world.clock.advance(DAY);
  expect((await open(secret).expect(200)).body.incentives).toEqual({
    ...{ currency: 'USD', due: '0.00', paid: '20.00' },
  });
});

test('an unknown secret, a malformed one and a code are 404, and so is every secret while the page is off', async () => {
  const secret = newSecret();
  const by = await submitWith(secret);
  for (const other of [newSecret(), 'ABC', by.issuedCodes[0], by.referralCode, by.id, hashOf(secret), NOBODY])
    await open(other).expect(404);
  await open(secret).expect(200);
  await cast.root.patch('/api/study', { statusPage: 'OFF' }).expect(200);
  await open(secret).expect(404);
  await cast.world.anonymous.get(`/s/${secret}`).expect(404);
  await cast.root.patch('/api/study', { statusPage: 'ON' }).expect(200);
});

test('only a super-admin turns the page on', async () => {
  await cast.admin.patch('/api/study', { statusPage: 'OFF' }).expect(403);
  refusedAt(await cast.root.patch('/api/study', { statusPage: 'MAYBE' }), 'statusPage');
});

test('an interview with an invalid or taken hash is stored and flagged', async () => {
  const secret = newSecret();
  const first = await submitWith(secret);
  expect(first.flags).toEqual([]);
  for (const statusHash of ['', 'abc', hashOf(secret), hashOf(secret).toUpperCase()]) {
    const { flags, id } = await submit(cast, { statusHash });
    expect(flags).toMatchObject([{ code: 'STATUS_REFUSED', referralCode: null }]);
    await cast.root.patch(`/api/surveys/${id}`, { clearFlags: ['STATUS_REFUSED'] }).expect(200);
  }
  // Two at once.
  const shared = hashOf(newSecret());
  const both = await Promise.all([0, 1].map(() => submit(cast, { statusHash: shared })));
  expect(both.flatMap(({ flags }) => flags.map(({ code }: Body) => code))).toEqual(['STATUS_REFUSED']);
});

test('the same interview sent again is a replay, even if its hash was refused', async () => {
  const secret = newSecret();
  await submitWith(secret);
  const again = { location: cast.site, responses: ANSWERS, clientId: uuid(), statusHash: hashOf(secret) };
  const { body } = await cast.volunteer.post('/api/surveys', again).expect(201);
  expect((await cast.volunteer.post('/api/surveys', again).expect(200)).body.id).toBe(body.id);
});

test('a hash comes with the change that completes an interview, not with another', async () => {
  const secret = newSecret();
  const draft = await submit(cast, { status: 'IN_PROGRESS' });
  const path = `/api/surveys/${draft.id}`;
  const statusHash = hashOf(secret);
  refusedAt(await cast.volunteer.patch(path, { statusHash }), 'statusHash');
  await cast.volunteer.patch(path, { status: 'COMPLETED', statusHash }).expect(200);
  await open(secret).expect(200);
  refusedAt(await cast.volunteer.patch(path, { status: 'COMPLETED', statusHash }), 'statusHash');
  const second = await submit(cast, { status: 'IN_PROGRESS' });
  const { body } = await cast.volunteer
    .patch(`/api/surveys/${second.id}`, { status: 'COMPLETED', statusHash })
    .expect(200);
  expect(body.flags).toMatchObject([{ code: 'STATUS_REFUSED' }]);
});

test('the hash is in no reply, history, list, second copy or file, and goes with the answers', async () => {
  const secret = newSecret();
  const statusHash = hashOf(secret);
  const clientId = uuid();
  const { id } = await submitWith(secret, { clientId });
  const other = { location: cast.site, clientId, responses: { ...ANSWERS, comment: 'other' }, statusHash };
  await cast.volunteer.post('/api/surveys', other).expect(409);
  for (const path of [`/${id}`, `/${id}/history`, '?fields=full'])
    expect(JSON.stringify((await cast.root.get(`/api/surveys${path}`).expect(200)).body)).not.toContain(
      statusHash,
    );
  for (const name of ['auditevents', 'surveycopies'])
    expect(JSON.stringify(await collection(name).find().toArray())).not.toContain(statusHash);
  await cast.root.post(`/api/surveys/${id}/erase`, { reason: 'Asked for.' }).expect(200);
  expect(await collection('surveys').findOne({ _id: oid(id) })).not.toHaveProperty('statusHash');
  await open(secret).expect(404);
});

test('the page has the totals and the secret as a QR code, in the reader’s language, without a script', async () => {
  await setIncentives(cast, USD);
  await cast.root.patch('/api/study', { languages: ['en', 'es', 'ar'] }).expect(200);
  const secret = newSecret();
  await submitWith(secret);
  cast.world.clock.advance(DAY);
  const page = async (query = '') => await cast.world.anonymous.get(`/s/${secret}${query}`).expect(200);
  const { text, headers } = await page();
  for (const part of [
    'Your page',
    '<dd>3</dd>',
    '$20.00',
    formatSecret(secret),
    '<svg role="img"',
    'March 11, 2026',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('Brought back');
  expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son\w+=/i);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  const arabic = (await page('?lang=ar')).text;
  expect(arabic).toContain('<html lang="ar" dir="rtl">');
  expect(arabic).toContain('صفحتك');
  for (const { text: one } of [{ text }, { text: arabic }])
    expect(Buffer.byteLength(one)).toBeLessThan(15_000);
  const unknown = await cast.world.anonymous.get(`/s/${newSecret()}`).expect(404);
  expect(unknown.text).toContain('Nothing to show');
  expect(unknown.text).not.toContain('<svg');
});

test('with rate limits, an address gets 300 of both an hour', async () => {
  const { deps } = cast.world;
  const app = createApp({ ...deps, config: { ...deps.config, rateLimits: true } });
  const statuses: Record<number, number> = {};
  for (let at = 0; at < 310; at += 31) {
    const some = Array.from({ length: 31 }, (_, index) =>
      supertest(app).get(`/${index % 2 ? 's' : 'api/status'}/${newSecret()}`),
    );
    for (const { status } of await Promise.all(some)) statuses[status] = (statuses[status] ?? 0) + 1;
  }
  expect(statuses).toEqual({ 404: 300, 429: 10 });
});
