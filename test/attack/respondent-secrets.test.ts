/**
 * Phone numbers of respondents, gift cards and the secret of a person's own page: in plaintext nowhere but in the reply to who pays or has
 * the secret, and in the text. Searched are the raw files of a mongod that compresses nothing, its log, the service's output, lists,
 * files, printed coupons, the trail and a backup; the same again after an erasure and after retention, when nothing is left
 * either that the key opens.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { MongoMemoryReplSet } from 'mongodb-memory-server';
import mongoose from 'mongoose';
import { formatSecret, generateStatusSecret } from '../../src/coupons/referral-codes/secret.ts';
import { openSealedText } from '../../src/platform/lib/sealed-text.ts';
import { apiRoutes } from '../../src/routes.ts';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import { entriesOf } from '../export/zip-reader.ts';
import { MESSAGING, type MessagingStandIn, sign, startMessaging } from '../messaging-stand-in.ts';
import { ask, endProcess, newFolder, type ServiceProcess, startProcess, tokenOf } from './service-process.ts';

const CONTACT_KEY = 'a key for contacts in this test, longer than forty characters';
const PUBLIC_URL = 'http://survey.test';
const PHONES = ['2065550141', '2065550142', '2065550143', '2065550144'] as const;
const CARDS = times(4).map((at) => `60397771${String(50_000_000 + at * 1_234_567)}`);
const LINK = 'https://cards.example.org/r/9f3c7ab21d';
const OWN_SECRET = generateStatusSecret(randomBytes);
const SECRETS = [
  ...[...PHONES, ...CARDS.map((one) => one.slice(0, -4)), LINK.slice(0, -4)],
  ...[OWN_SECRET, formatSecret(OWN_SECRET)],
];
/** What stands behind a backup's compressed part. */
const SEAL_BYTES = 72;
/** In clear on purpose, so that a search that finds nothing is known to search. */
const PLANTED = '2065558888';

function times(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

const { ObjectId } = mongoose.Types;
const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
const admin = new ObjectId();
let mongod: MongoMemoryReplSet;
let client: mongoose.mongo.MongoClient;
let db: mongoose.mongo.Db;
let service: ServiceProcess;
let twilio: MessagingStandIn;
let uri: string;

beforeAll(async () => {
  twilio = await startMessaging();
  const plain = ['CollectionBlockCompressor', 'JournalCompressor'].flatMap((name) => [
    `--wiredTiger${name}`,
    'none',
  ]);
  mongod = await MongoMemoryReplSet.create({
    binary: { systemBinary: process.env.TEST_MONGOD_BINARY ?? 'mongod', checkMD5: false },
    replSet: { count: 1, storageEngine: 'wiredTiger', args: [...plain, '--oplogSize', '64'] },
    instanceOpts: [{ dbPath: folder }],
  });
  uri = mongod.getUri('secrets');
  client = new mongoose.mongo.MongoClient(uri);
  db = client.db('secrets');
  service = await startProcess({
    dataDir: newFolder(),
    env: {
      ...{ MONGO_URI: uri, CONTACT_KEY, PUBLIC_URL, MESSAGE_PROVIDER: 'twilio', LOG_LEVEL: 'trace' },
      ...{ TWILIO_ACCOUNT_SID: MESSAGING.accountSid, TWILIO_AUTH_TOKEN: MESSAGING.authToken },
      ...{ TWILIO_MESSAGING_SERVICE_SID: MESSAGING.serviceSid, TWILIO_BASE_URL: twilio.url },
    },
  });
  await service.until('The service is up', 120_000);
}, 180_000);
afterAll(async () => {
  endProcess(service);
  await client.close();
  await mongod.stop();
  await twilio.stop();
  rmSync(folder, { recursive: true, force: true });
});

const as = { token: tokenOf(admin) };
async function done(method: string, path: string, body?: object) {
  const answer = await ask(service, method, path, { ...as, body });
  expect([path, answer.status, answer.status < 300 ? '' : answer.body]).toEqual([path, answer.status, '']);
  return answer.body as Record<string, string>;
}

async function prepare(): Promise<string> {
  const at = { deletedAt: null, createdAt: new Date(0), updatedAt: new Date(0) };
  const site = new ObjectId();
  await db.collection('locations').insertOne({ _id: site, name: 'Main', type: 'SHELTER', ...at });
  await db.collection('users').insertOne({
    ...{ _id: admin, firstName: 'Ada', lastName: 'Field', phone: '+12065550101', email: null },
    ...{ role: 'SUPER_ADMIN', approvalStatus: 'APPROVED', approvedBy: null, permissions: [] },
    ...{ createdBy: null, location: site, locationAssignedAt: new Date(), ...at },
  });
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  await done('PATCH', '/api/study', {
    ...{ contacts: 'SMS', timeZone: 'UTC', incentives: { currency: 'USD', interview: '20.00' } },
    ...{ statusPage: 'ON', name: 'Harbor', couponText: { en: 'You are invited.' } },
    messages: { card: { on: true, text: { en: 'Your card of {amount}:' } } },
    quietHours: { from: clock(6), to: clock(7) },
  });
  const lines = CARDS.map((one, at) => `${one},4321,${at === 0 ? LINK : ''},20.00,USD`);
  const file = await fetch(`${service.url}/api/cards/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.token}`, 'content-type': 'text/csv' },
    body: ['number,pin,link,amount,currency', ...lines].join('\n'),
  });
  expect(file.status).toBe(200);
  return String(site);
}

async function interview(site: string, phone: string, fields: object = {}) {
  const at = new Date().toISOString();
  const { id } = await done('POST', '/api/surveys', {
    ...{ clientId: randomUUID(), location: site, status: 'COMPLETED', responses: EXAMPLE_RESPONSES },
    ...{ startedAt: at, completedAt: at },
    ...{ contact: { phone: `+1${phone}`, language: 'en', consent: true }, ...fields },
  });
  const due = (await done('GET', `/api/incentives?survey=${id}`)) as unknown as { data: { id: string }[] };
  return { id: id as string, incentive: due.data[0]?.id as string };
}

const pay = (incentive: string, fields: object = {}) =>
  done('POST', `/api/incentives/${incentive}/pay`, {
    ...{ method: 'GIFT_CARD', card: true, clientId: randomUUID(), ...fields },
  });

/** Everything that somebody can read, but the reply that shows a card to its payer. */
async function everythingReadable(): Promise<[string, string][]> {
  const lists = apiRoutes
    .filter(({ method, path }) => method === 'get' && !/:|stream|claim/.test(path))
    .map(({ path }) => path);
  expect(lists).toEqual(expect.arrayContaining(['/api/audit', '/api/cards', '/api/exports/cards.csv']));
  const seen: [string, string][] = [];
  for (const path of lists) {
    const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${as.token}` } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isZip = bytes.subarray(0, 2).toString() === 'PK';
    seen.push([path, isZip ? [...entriesOf(bytes)].join('\n') : bytes.toString('latin1')]);
  }
  return seen;
}

interface Printable {
  seed: string;
  batch: string;
}

/** Everything that the service prints, as text. */
async function printed({ seed, batch }: Printable): Promise<[string, string][]> {
  const prints: [string, object][] = [
    ['/api/seeds/print', { seeds: [seed], languages: ['en'] }],
    [`/api/referral-codes/batches/${batch}/print`, { languages: ['en'] }],
  ];
  expect(apiRoutes.filter(({ path }) => path.endsWith('/print'))).toHaveLength(prints.length);
  const seen: [string, string][] = [];
  for (const [path, body] of prints) {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    const file = join(newFolder(), 'print.pdf');
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', file, '-']);
    expect([path, stdout.includes('You are invited.')]).toEqual([path, true]);
    seen.push([path, stdout], [`${path} as a file`, readFileSync(file, 'latin1')]);
  }
  return seen;
}

function rawFiles(): [string, string][] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return names.filter((name) => statSync(name).isFile()).map((name) => [name, readFileSync(name, 'latin1')]);
}

async function backup(): Promise<[string, string]> {
  const out = join(folder, `backup-${randomUUID()}.archive`);
  const env = { ...process.env, NODE_OPTIONS: '', MONGO_URI: uri, CONTACT_KEY, BACKUP_RECIPIENT: '' };
  await promisify(execFile)(process.execPath, ['scripts/run.mjs', 'backup', '--out', out], { env });
  const bytes = readFileSync(out);
  rmSync(out);
  return ['backup', gunzipSync(bytes.subarray(0, -SEAL_BYTES)).toString('latin1')];
}

/** All that is stored, logged and readable, by what it is called. */
async function everything(printable: Printable, interviews: string[]): Promise<[string, string][]> {
  const archive = await backup();
  await db.admin().command({ fsync: 1 });
  const files = rawFiles();
  expect(secretsIn(files, [PLANTED]).length).toBeGreaterThan(0);
  const ofInterviews: [string, string][] = [];
  for (const id of interviews)
    for (const path of [`/api/surveys/${id}`, `/api/surveys/${id}/history`, `/api/surveys/${id}/comments`])
      ofInterviews.push([path, JSON.stringify(await done('GET', path))]);
  const readable = [...(await everythingReadable()), ...(await printed(printable)), ...ofInterviews];
  const all = [...files, archive, ['output', service.said()] as [string, string], ...readable];
  expect(all.length).toBeGreaterThan(50);
  return all;
}

const secretsIn = (texts: [string, string][], secrets: readonly string[]) =>
  texts.flatMap(([name, text]) =>
    secrets.filter((one) => text.includes(one)).map((one) => `${one} in ${name}`),
  );

/** Whatever CONTACT_KEY opens, of any record. */
async function openable(): Promise<string[]> {
  const opened: string[] = [];
  for (const collection of await db.collections())
    for await (const record of collection.find())
      for (const value of Object.values(record))
        if (typeof value === 'string' && value.length > 30)
          for (const context of [record._id, record.survey])
            if (context && openSealedText(CONTACT_KEY, String(context), value) !== null)
              opened.push(`${collection.collectionName} ${record.state}`);
  return opened;
}

test('no phone number of a respondent, no card and no secret is anywhere in plaintext, and none is left after erasure and retention', async () => {
  const site = await prepare();
  const statusHash = createHash('sha256').update(OWN_SECRET).digest('hex');
  const shown = await interview(site, PHONES[0], { statusHash });
  const texted = await interview(site, PHONES[1]);
  const stopped = await interview(site, PHONES[3]);
  const card = (await pay(shown.incentive)).card as unknown as { number: string };
  expect(CARDS).toContain(card.number);
  await done('GET', `/api/incentives/${shown.incentive}/card`);
  await done('PATCH', `/api/surveys/${texted.id}`, {
    contact: { phone: `+1${PHONES[2]}`, language: 'en', consent: true },
  });
  await pay(texted.incentive, { deliver: 'SMS' });
  for (let waits = 0; waits < 100 && twilio.taken.length === 0; waits++) await sleep(200);
  expect(twilio.taken.map(({ to }) => to)).toEqual([`+1${PHONES[2]}`]);
  expect(CARDS.some((one) => twilio.taken[0]?.body.includes(one))).toBe(true);
  const form = { From: `+1${PHONES[3]}`, Body: 'STOP', MessageSid: `SM${randomUUID()}` };
  const heeded = await fetch(`${service.url}/api/messages/twilio`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': sign(`${PUBLIC_URL}/api/messages/twilio`, form),
    },
    body: new URLSearchParams(form),
  });
  expect(heeded.status).toBe(204);
  await fetch(`${service.url}/api/surveys?search=${PHONES[0]}`);
  for (const path of [`/s/${OWN_SECRET}`, `/s/${formatSecret(OWN_SECRET)}`, `/api/status/${OWN_SECRET}`])
    expect([path, (await fetch(service.url + path)).status]).toEqual([path, 200]);

  await db.collection('planted').insertOne({ phone: `+1${PLANTED}` });
  const interviews = [shown, texted, stopped].map(({ id }) => id);
  const { id: seed = '' } = await done('POST', '/api/seeds', { location: site });
  const { id: batch = '' } = await done('POST', '/api/referral-codes/batches', { count: 3, location: site });
  expect(secretsIn(await everything({ seed, batch }, interviews), SECRETS)).toEqual([]);

  expect((await openable()).sort()).toEqual([
    ...['cards FREE', 'cards FREE', 'cards GIVEN', 'cards GIVEN'],
    ...['contacts ACTIVE', 'contacts ACTIVE', 'contacts STOPPED'],
  ]);
  await done('POST', `/api/surveys/${shown.id}/erase`, { reason: 'Asked for.' });
  expect((await openable()).sort()).toEqual([
    ...['cards FREE', 'cards FREE', 'cards GIVEN', 'contacts ACTIVE', 'contacts STOPPED'],
  ]);
  await done('PATCH', '/api/study', { endsOn: '2020-01-01', retentionDays: 1 });
  const env = { ...process.env, NODE_OPTIONS: '', MONGO_URI: uri, CONTACT_KEY };
  await promisify(execFile)(process.execPath, ['scripts/run.mjs', 'retention'], { env });
  // Cards that nobody was given are still the study's.
  expect(await openable()).toEqual(['cards FREE', 'cards FREE']);
  expect(await db.collection('contacts').countDocuments()).toBe(0);
  const numbers = await db.collection('textednumbers').find().toArray();
  expect(numbers.filter(({ stoppedAt }) => stoppedAt)).toHaveLength(1);
  expect(JSON.stringify(numbers)).not.toContain(stopped.id);
  expect(secretsIn(await everything({ seed, batch }, interviews), SECRETS)).toEqual([]);
}, 400_000);
