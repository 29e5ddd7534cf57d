/** The real service with hundreds of large responses and bodies at once: little memory, and no one is blocked. */
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import mongoose from 'mongoose';
import { surveyRecord } from '../make.ts';
import {
  administrator,
  ask,
  endProcess,
  type ServiceProcess,
  startProcess,
  tokenOf,
  withItsDatabase,
} from './service-process.ts';

const BOUND_MB = 400;
const FULL = '/api/surveys?fields=full&limit=200';
let service: ServiceProcess;
let site: string;
let root: string;
let tokens: string[];

beforeAll(async () => {
  // As `npm start` sets it.
  const env = { MALLOC_ARENA_MAX: '2' };
  service = await startProcess({ command: [process.execPath, 'dist/src/main.js'], env });
  await service.until('The service is up');
  ({ token: root, site } = await administrator(service.dataDir, '+12065550101'));
  const { body } = await ask(service, 'GET', '/api/questionnaires/active', { token: root });
  tokens = [
    await volunteer('+12065550111', String(body.id)),
    await volunteer('+12065550112', String(body.id)),
  ];
}, 90_000);
afterAll(() => endProcess(service));

/** With 100 interviews of 150 kB today: more than one batch of the database. */
async function volunteer(phone: string, questionnaire: string): Promise<string> {
  const { ObjectId } = mongoose.Types;
  const [_id, here, now] = [new ObjectId(), new ObjectId(site), new Date()];
  const responses = { comment: 'x'.repeat(150_000) };
  const of = { questionnaire: new ObjectId(questionnaire), responses, location: here, createdBy: _id };
  await withItsDatabase(service.dataDir, async (db) => {
    await db.collection('users').insertOne({
      ...{
        _id,
        firstName: 'Vera',
        lastName: 'Field',
        phone,
        email: null,
        role: 'VOLUNTEER',
        permissions: [],
      },
      ...{ approvalStatus: 'APPROVED', approvedBy: null, createdBy: null, location: here },
      ...{ locationAssignedAt: now, createdAt: now, updatedAt: now, deletedAt: null },
    });
    await db.collection('surveys').insertMany(Array.from({ length: 100 }, () => surveyRecord(of, now)));
  });
  return tokenOf(_id);
}

const peak = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1]) / 1024;
const hasProcStatus = existsSync('/proc/self/status');

async function read(path: string, token = ''): Promise<Response> {
  const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  return answer;
}

test('a hundred simultaneous full lists from one caller are queued, do not delay another caller, and use little memory', async () => {
  const [busy, other] = tokens;
  const all = Promise.all(Array.from({ length: 100 }, () => read(FULL, busy)));
  let open = true;
  void all.then(() => {
    open = false;
  });
  expect((await read(FULL, other)).status).toBe(200);
  expect(open).toBe(true);
  for (const { status, headers } of await all) {
    expect([200, 503]).toContain(status);
    if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  if (hasProcStatus) expect(peak()).toBeLessThan(BOUND_MB);
}, 60_000);

test('clients that read nothing do not block other callers', async () => {
  const [busy, other] = tokens;
  const headers = { authorization: `Bearer ${busy}` };
  const unread = Array.from({ length: 100 }, () =>
    get(service.url + FULL, { headers }, (answer) => answer.on('error', () => {}).pause()).on(
      'error',
      () => {},
    ),
  );
  try {
    for (let tries = 0; tries < 3; tries++) expect((await read(FULL, other)).status).toBe(200);
    if (hasProcStatus) expect(peak()).toBeLessThan(BOUND_MB);
  } finally {
    for (const one of unread) one.destroy();
  }
}, 60_000);

test('large bodies from one caller are queued; other callers and small requests are not', async () => {
  const [busy, other] = tokens;
  const responses = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, '']));
  const body = JSON.stringify({ location: site, responses });
  const headers = { authorization: `Bearer ${busy}`, 'content-type': 'application/json' };
  let open = true;
  const post = () => fetch(`${service.url}/api/surveys`, { method: 'POST', headers, body });
  const all = Promise.all(Array.from({ length: 100 }, post)).finally(() => {
    open = false;
  });
  for (const token of [other, busy]) expect((await read('/api/surveys', token)).status).toBe(200);
  expect(open).toBe(true);
  for (const { status, headers } of await all) {
    expect([400, 429, 503]).toContain(status);
    if (status !== 400) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await post()).status).toBe(400);
  if (hasProcStatus) expect(peak()).toBeLessThan(BOUND_MB);
}, 60_000);
