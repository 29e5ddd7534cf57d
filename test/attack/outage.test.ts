/** The database stops responding during requests: only 503, within seconds, and recovery afterwards. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../src/platform/db/embedded/embedded.ts';
import { type Person, startWorld, testConfig, type World } from '../people.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'outage-'));
const outside = process.env.TEST_MONGO_URI;
let mongod: EmbeddedDatabase;
let world: World;
let ada: Person;
let site: string;

beforeAll(async () => {
  const log = pino({ level: 'silent' });
  mongod = await startEmbeddedDatabase({ dataDir, binary: process.env.TEST_MONGOD_BINARY, log });
  process.env.TEST_MONGO_URI = mongod.uri;
  world = await startWorld({ config: { ...testConfig(), rateLimits: true } });
  site = await world.place();
  ada = await world.person({ role: 'ADMIN', location: site });
}, 60_000);
afterAll(async () => {
  process.env.TEST_MONGO_URI = outside;
  try {
    await world.stop();
  } finally {
    await mongod.stop();
  }
}, 60_000);

const pid = () => Number(JSON.parse(readFileSync(join(dataDir, 'mongod.json'), 'utf8')).pid);
const interview = () => ({
  location: site,
  status: 'IN_PROGRESS',
  responses: {},
  clientId: randomUUID(),
});
const requests = () => [
  ada.post('/api/surveys', interview()),
  ada.get('/api/surveys'),
  ada.get('/api/locations'),
  ada.get('/api/health/ready'),
  ada.patch('/api/study', { name: randomUUID() }),
  ada.post('/api/referral-codes/blocks', { count: 1 }),
  world.anonymous.post('/api/auth/verify-otp-login', { phone: world.newPhone(), code: '000000' }),
];

test('during an outage requests get 503 within seconds, and succeed afterwards', async () => {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const timed = async (request: PromiseLike<{ status: number }>) => {
    const begin = Date.now();
    const { status } = await request;
    return { status, seconds: (Date.now() - begin) / 1000 };
  };
  const [warm] = requests();
  await warm;
  const under = Array.from({ length: 4 }, () => requests().map(timed)).flat();
  await pause(30);
  process.kill(pid(), 'SIGSTOP');
  try {
    const late = requests().map(timed);
    await ada.get('/api/health/live').expect(200);
    const begin = Date.now();
    const { body } = await world.anonymous.get('/api/health/ready').expect(503);
    expect(Date.now() - begin).toBeLessThan(6_000);
    expect(body.parts).toEqual({ database: false, migrations: true, disk: true });
    const answers = await Promise.all([...under, ...late]);
    expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
    expect(answers.some(({ status }) => status === 503)).toBe(true);
    // Nine seconds by the connection's limits; the driver's own would take thirty. The rest is for a busy machine.
    expect(Math.max(...answers.map(({ seconds }) => seconds))).toBeLessThan(20);
  } finally {
    process.kill(pid(), 'SIGCONT');
  }
  await pause(3_000);
  for (const { status } of await Promise.all(requests())) expect(status).toBeLessThan(500);
}, 60_000);
