/**
 * 200 phones whose sessions are over deliver everything with their send tokens, over a line that drops one connection in
 * three: half of these before the service has the request, half when it has answered.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import mongoose from 'mongoose';
import { ANSWERS, smallQuestionnaire } from '../make.ts';
import { worldOfFile } from '../people.ts';

const PHONES = 200;
const INTERVIEWS_EACH = 3;
const PHONES_AT_ONCE = 10;
const DAY = 86_400_000;

const world = worldOfFile();
const dropped = { before: 0, after: 0 };
let line: Server;
let address: AddressInfo;

beforeAll(async () => {
  const { hostname, port } = new URL(world.url);
  let connections = 0;
  line = createServer((near) => {
    connections += 1;
    const [before, after] = [connections % 6 === 1, connections % 6 === 4];
    near.on('error', () => near.destroy());
    if (before) {
      dropped.before += 1;
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far);
    if (!after) far.pipe(near);
    else
      far.once('data', () => {
        dropped.after += 1;
        near.destroy();
      });
  }).listen(0, '127.0.0.1');
  await once(line, 'listening');
  address = line.address() as AddressInfo;
});
afterAll(() => line.close());

/** Null if the line dropped it. */
function post(path: string, token: string, body: object): Promise<number | null> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const asked = request({ port: address.port, path, method: 'POST', headers, agent: false }, (reply) => {
      reply.on('error', () => resolve(null));
      reply.on('end', () => resolve(reply.statusCode ?? null));
      reply.resume();
    });
    asked.on('error', () => resolve(null));
    asked.end(JSON.stringify(body));
  });
}

let requests = 0;
async function deliver(path: string, token: string, body: object): Promise<number> {
  for (;;) {
    requests += 1;
    const status = await post(path, token, body);
    if (status !== null) return status;
  }
}

async function inTurns<T>(all: T[], act: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const work = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await act(one);
  };
  await Promise.all(Array.from({ length: PHONES_AT_ONCE }, work));
}

test('200 phones lose and double nothing on a line that drops one connection in three', async () => {
  world.clock.set('2027-06-15T12:00:00Z');
  const location = await world.place();
  await smallQuestionnaire(world);
  const phones: { id: string; token: string; clientIds: string[] }[] = [];
  await inTurns(Array.from({ length: PHONES }), async () => {
    const { id, phone } = await world.person({ location });
    await world.anonymous.post('/api/auth/send-otp-login', { phone }).expect(200);
    const code = world.otps.get(phone);
    const { body } = await world.anonymous.post('/api/auth/verify-otp-login', { phone, code }).expect(200);
    const sending = await world.bearer(body.token).post('/api/auth/send-token').expect(201);
    const clientIds = Array.from({ length: INTERVIEWS_EACH }, () => randomUUID());
    phones.push({ id, token: sending.body.token, clientIds });
  });
  world.clock.advance(20 * DAY);

  const statuses = new Map<number, number>();
  const started = performance.now();
  await inTurns(phones, async ({ token, clientIds }) => {
    for (const clientId of clientIds) {
      const body = { clientId, location, responses: ANSWERS };
      const status = await deliver('/api/surveys', token, body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const report = {
      ...{ device: randomUUID(), appVersion: '1.0.0', drafts: 0, unsent: 0, refused: 0 },
      ...{ oldestUnsentAt: null, codesLeft: 0, persisted: true },
    };
    expect(await deliver('/api/devices/report', token, report)).toBe(204);
  });
  const seconds = (performance.now() - started) / 1000;

  const sent = phones.flatMap(({ id, clientIds }) => clientIds.map((clientId) => `${id} ${clientId}`));
  const stored = await mongoose.connection.collection('surveys').find().toArray();
  expect(stored.map(({ createdBy, clientId }) => `${createdBy} ${clientId}`).sort()).toEqual(sent.sort());
  expect(await mongoose.connection.collection('devices').countDocuments()).toBe(PHONES);
  expect([...statuses.keys()].sort()).toEqual([200, 201]);
  const cut = dropped.before + dropped.after;
  expect(cut / requests).toBeGreaterThan(0.3);
  process.stdout.write(
    `${PHONES} phones, ${sent.length} interviews, ${stored.length} stored once each; ${requests} requests in ${seconds.toFixed(1)} s, of which the line dropped ${cut} (${dropped.after} after the service had answered); replies: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}\n`,
  );
}, 300_000);
