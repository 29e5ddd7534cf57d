/** GET /metrics: who may read it, its metrics, and that it has no personal data. */
import { randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { recordBackup } from '../../src/platform/db/last-backup.ts';
import { MINIMAL_RESPONSES } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { type Person, worldOfFile } from '../people.ts';
import { type Sample, scraped } from './metrics-kit.ts';

const METRICS_TOKEN = 'a token for tests alone';

let ana: Person;
let site: string;
const world = worldOfFile({ config: { metricsToken: METRICS_TOKEN } });
beforeAll(async () => {
  site = await world.place();
  ana = await world.person({ role: 'ADMIN', location: site });
});

const scrape = async () => {
  const { text, headers } = await world.bearer(METRICS_TOKEN).get('/metrics').expect(200);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  return scraped(text);
};
const sampleOf = (samples: Sample[], name: string, labels: Record<string, string> = {}) =>
  samples.find(
    (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  )?.value;
/** The increase of each of these during `act`. */
async function growth(act: () => Promise<unknown>, ...series: [string, Record<string, string>?][]) {
  const before = await scrape();
  await act();
  const after = await scrape();
  return series.map(
    ([name, labels]) => (sampleOf(after, name, labels) ?? 0) - (sampleOf(before, name, labels) ?? 0),
  );
}
const interview = (more: object = {}) =>
  ana.post('/api/surveys', { location: site, responses: MINIMAL_RESPONSES, clientId: randomUUID(), ...more });

describe('access', () => {
  test('without METRICS_TOKEN the path does not exist', async () => {
    const app = createApp({ ...world.deps, config: { ...world.deps.config, metricsToken: undefined } });
    const { status } = await supertest(app).get('/metrics').set('Authorization', `Bearer ${METRICS_TOKEN}`);
    expect(status).toBe(404);
  });

  test.each([
    ['no token', undefined],
    ['a wrong token', 'Bearer another token'],
    ['the beginning of the token', `Bearer ${METRICS_TOKEN.slice(0, -1)}`],
    ['another scheme', `Basic ${METRICS_TOKEN}`],
    ['the token alone', METRICS_TOKEN],
  ])('%s: 401', async (_what, header) => {
    const ask = world.anonymous.get('/metrics');
    if (header) void ask.set('Authorization', header);
    const { body, headers } = await ask.expect(401);
    expect(Object.keys(body)).toEqual(['message']);
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  test('a super admin’s session token is 401', async () => {
    await (await world.person({ role: 'SUPER_ADMIN' })).get('/metrics').expect(401);
  });
});

describe('content', () => {
  test('every metric, with its labels', async () => {
    await recordBackup(new Date('2027-06-15T03:00:00Z'), 1);
    await interview().expect(201);
    await world.anonymous.get('/api/nowhere').expect(404);
    const samples = await scrape();
    const labelsOf = (name: string) => [
      ...new Set(
        samples.filter((one) => one.name === name).map(({ labels }) => Object.keys(labels).sort().join()),
      ),
    ];
    expect(labelsOf('http_requests_total')).toEqual(['method,route,status']);
    expect(labelsOf('http_request_duration_seconds_count')).toEqual(['method,route']);
    expect(labelsOf('http_requests_refused_total')).toEqual(['code']);
    expect(labelsOf('surveys_stored_total')).toEqual(['outcome']);
    expect(labelsOf('survey_age_seconds_count')).toEqual(['']);
    expect(labelsOf('mongodb_pool_connections')).toEqual(['state']);
    expect(labelsOf('event_loop_lag_seconds')).toEqual(['']);
    expect(labelsOf('analysis_runs')).toEqual(['state']);
    expect(labelsOf('app_info')).toEqual(['version']);
    expect(labelsOf('process_resident_memory_bytes')).toEqual(['']);
    expect(sampleOf(samples, 'backup_last_success_timestamp_seconds')).toBe(Date.UTC(2027, 5, 15, 3) / 1000);
    expect(labelsOf('referral_codes_redeemed_total')).toEqual(['']);
    expect(labelsOf('otp_sent_total')).toEqual(['channel,result']);
    expect(labelsOf('otp_verified_total')).toEqual(['result']);
    // A series that begins with the first failure would raise no alert.
    for (const channel of ['sms', 'call'])
      expect(sampleOf(samples, 'otp_sent_total', { channel, result: 'failed' })).toBeGreaterThanOrEqual(0);
  });

  test('counts requests by declared path and status', async () => {
    const route = '/api/users/:id';
    const grown = await growth(
      async () => {
        await ana.get(`/api/users/${ana.id}`).expect(200);
        await ana.get('/api/users/0123456789abcdef01234567').expect(404);
        await ana.put(`/api/users/${ana.id}`, {}).expect(405);
      },
      ['http_requests_total', { method: 'GET', route, status: '200' }],
      ['http_requests_total', { method: 'GET', route, status: '404' }],
      ['http_requests_total', { method: 'PUT', route, status: '405' }],
      ['http_request_duration_seconds_count', { method: 'GET', route }],
      ['http_requests_refused_total', { code: 'NOT_FOUND' }],
    );
    expect(grown).toEqual([1, 1, 1, 2, 1]);
  });

  test('counts interviews by outcome and age, and redeemed codes', async () => {
    const { body: seed } = await ana.post('/api/seeds', { location: site }).expect(201);
    const { referralCode } = seed;
    const clientId = randomUUID();
    const names: [string, Record<string, string>?][] = [
      ['surveys_stored_total', { outcome: 'new' }],
      ['surveys_stored_total', { outcome: 'replay' }],
      ['surveys_stored_total', { outcome: 'flagged' }],
      ['referral_codes_redeemed_total'],
    ];
    expect(await growth(() => interview({ clientId, referralCode }).expect(201), ...names)).toEqual([
      1, 0, 0, 1,
    ]);
    expect(await growth(() => interview({ clientId, referralCode }).expect(200), ...names)).toEqual([
      0, 1, 0, 0,
    ]);
    expect(
      await growth(() => interview({ referralCode, onCodeProblem: 'FLAG' }).expect(201), ...names),
    ).toEqual([0, 0, 1, 0]);

    const [end, hour] = [Date.now(), 3_600_000];
    const at = (ago: number) => new Date(end - ago).toISOString();
    const times = { startedAt: at(3 * hour), completedAt: at(2 * hour) };
    const grown = await growth(
      () => interview(times).expect(201),
      ['survey_age_seconds_bucket', { le: '3600' }],
      ['survey_age_seconds_bucket', { le: '21600' }],
    );
    expect(grown).toEqual([0, 1]);
  });

  test('counts one-time codes sent and verified', async () => {
    const { phone } = await world.person();
    const grown = await growth(
      async () => {
        await world.anonymous.post('/api/auth/send-otp-login', { phone }).expect(200);
        const code = world.otps.get(phone) ?? '';
        const wrong = code === '000000' ? '000001' : '000000';
        await world.anonymous.post('/api/auth/verify-otp-login', { phone, code: wrong }).expect(400);
        await world.anonymous.post('/api/auth/verify-otp-login', { phone, code }).expect(200);
      },
      ['otp_sent_total', { channel: 'sms', result: 'sent' }],
      ['otp_verified_total', { result: 'wrong' }],
      ['otp_verified_total', { result: 'right' }],
    );
    expect(grown).toEqual([1, 1, 1]);
  });

  test('no label contains an id, a code or a phone number', async () => {
    const { body: seed } = await ana.post('/api/seeds', { location: site }).expect(201);
    await ana.get(`/api/validate-referral-code/${seed.referralCode}`).expect(200);
    await world.anonymous.get(`/c/${seed.referralCode}`);
    await world.anonymous.get(`/api/${ana.id}/${ana.phone}`).expect(404);
    await ana.delete(`/api/seeds/${seed.id}`).expect(204);
    await ana.get(`/api/users?search=${encodeURIComponent(ana.phone)}`).expect(200);
    const values = (await scrape()).flatMap(({ labels }) => Object.values(labels));
    const text = values.join('\n');
    for (const secret of [seed.referralCode, seed.id, ana.id, ana.phone]) expect(text).not.toContain(secret);
    expect(values.filter((value) => /[0-9a-f]{24}|\+?\d{10}/.test(value))).toEqual([]);
  });

  test('without a backup the metric is absent, not 0', async () => {
    const { BACKUPS_COLLECTION: BACKUPS } = await import('../../src/platform/db/last-backup.ts');
    const { default: mongoose } = await import('mongoose');
    await mongoose.connection.collection(BACKUPS).deleteMany({});
    expect(sampleOf(await scrape(), 'backup_last_success_timestamp_seconds')).toBeUndefined();
  });
});
