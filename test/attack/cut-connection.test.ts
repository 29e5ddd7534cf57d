/** The database connection is lost at every step of each write: 503, never 500, and nothing stored halfway. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import mongoose from 'mongoose';
import type { Response } from 'supertest';
import { findingId } from '../../src/board/quality/finding.ts';
import { MINIMAL_RESPONSES } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { apiRoutes } from '../../src/routes.ts';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { makeDraft } from '../make.ts';
import { type Person, startWorld, type World } from '../people.ts';
import { seal } from '../seal.ts';

/** A proxy of the database whose connection breaks as soon as `word` passes through it. */
async function startLine(uri: string) {
  const { hostname, port } = new URL(uri);
  let word: string | null = null;
  let broken = false;
  const open = new Set<Socket>();
  const cut = () => {
    broken = true;
    for (const socket of open) socket.destroy();
  };
  const server = createServer((near) => {
    if (broken) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
    }
    near.on('data', (bytes) => (word !== null && bytes.includes(word) ? cut() : far.write(bytes)));
    far.on('data', (bytes) => near.write(bytes));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    uri: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/?directConnection=true`,
    breakAt: (command: string) => {
      word = command;
    },
    mend: () => {
      word = null;
      broken = false;
    },
    stop: () => {
      cut();
      server.close();
    },
  };
}

const outside = process.env.TEST_MONGO_URI ?? '';
let line: Awaited<ReturnType<typeof startLine>>;
let world: World;
let root: Person;
beforeAll(async () => {
  line = await startLine(outside);
  process.env.TEST_MONGO_URI = line.uri;
  world = await startWorld();
  root = await world.person({ role: 'SUPER_ADMIN', location: await world.place() });
});
afterAll(async () => {
  process.env.TEST_MONGO_URI = outside;
  line.mend();
  // The database keeps locks of broken transactions for half a minute, which this test avoids.
  await world.stop(100).catch(() => {});
  line.stop();
});

type PreparedRequest = () => PromiseLike<{ status: number; body: unknown }>;
/** Repeats the request while it is 503: locks of a broken transaction last half a minute. */
async function withRetries(ask: () => PromiseLike<Response>): Promise<Response['body']> {
  for (;;) {
    const { status, body } = await ask();
    if (status === 503) continue;
    expect([200, 201]).toContain(status);
    return body;
  }
}
const create = async (path: string, body: object) => await withRetries(() => root.post(path, body));
const survey = async () =>
  await create('/api/surveys', { location: await world.place(), responses: MINIMAL_RESPONSES });
/** An incentive that is due. */
const due = async () => {
  const incentives = { currency: 'USD', interview: '20.00' };
  await withRetries(() => root.patch('/api/study', { incentives }));
  const { id } = await survey();
  return (await root.get(`/api/incentives?survey=${id}`).expect(200)).body.data[0].id;
};
const aCashDay = async () => {
  await withRetries(() => root.patch('/api/study', { incentives: { currency: 'USD', interview: '20.00' } }));
  return { location: await world.place(), day: '2026-01-15', opening: '100.00', counted: '60.00' };
};
const name = () => randomUUID();
const RUN = { outcome: null, method: 'TREE', samples: 100 };
const aCount = () => ({
  name: name(),
  outcome: 'consent',
  value: 'yes',
  known: 50,
  source: 'The shelters',
  asOf: '2026-01-15',
  definition: 'Asked that night',
});

/** Each write: its preparation before the connection breaks, and its request. */
const WRITES: Record<string, () => Promise<PreparedRequest>> = {
  'post /api/users': async () => {
    const body = { phone: world.newPhone(), firstName: 'A', lastName: 'B', role: 'VOLUNTEER' };
    return () => root.post('/api/users', body);
  },
  'patch /api/users/:id': async () => {
    const { id } = await world.person();
    return () => root.patch(`/api/users/${id}`, { firstName: name() });
  },
  'post /api/users/:id/sign-out': async () => {
    const { id } = await world.person();
    return () => root.post(`/api/users/${id}/sign-out`);
  },
  'delete /api/users/:id/passkeys': async () => {
    const { id } = await world.person();
    const passkeys = [{ id: new mongoose.Types.ObjectId(), name: name() }];
    await mongoose.connection
      .collection('users')
      .updateOne({ _id: new mongoose.Types.ObjectId(id) }, { $set: { passkeys } });
    return () => root.delete(`/api/users/${id}/passkeys`);
  },
  'post /api/users/:id/sign-in-code': async () => {
    const { id } = await world.person();
    return () => root.post(`/api/users/${id}/sign-in-code`);
  },
  'delete /api/users/:id': async () => {
    const { id } = await world.person();
    return () => root.delete(`/api/users/${id}`);
  },
  'post /api/surveys': async () => {
    const location = await world.place();
    return () =>
      root.post('/api/surveys', { location, responses: MINIMAL_RESPONSES, clientId: randomUUID() });
  },
  'post /api/surveys/import': async () => {
    const owner = await world.person();
    const body = { location: await world.place(), responses: MINIMAL_RESPONSES, clientId: randomUUID() };
    return () => root.post('/api/surveys/import', { owner: owner.id, surveys: [body] });
  },
  'post /api/surveys/unseal': async () => {
    const person = await world.person();
    const clientId = randomUUID();
    const sealed = await seal({ clientId, owner: person.id, responses: MINIMAL_RESPONSES });
    return () => person.post('/api/surveys/unseal', { clientId, sealed });
  },
  'post /api/surveys/repeat-check': async () => {
    await withRetries(() => root.patch('/api/study', { repeatCheck: true }));
    const names = ['a', 'b', 'c', 'd'];
    const elements = ['size', ...names].map((name) => ({ type: 'text', name }));
    const beside = { networkSizeQuestion: 'size', identityQuestions: names };
    const { id } = await create('/api/questionnaires', { name: name(), definition: { elements }, ...beside });
    return () => root.post('/api/surveys/repeat-check', { questionnaire: id, clues: { a: '1' } });
  },
  'patch /api/surveys/:id': async () => {
    const { id } = await survey();
    const responses = { ...MINIMAL_RESPONSES, networkSize: 77 };
    return () => root.patch(`/api/surveys/${id}`, { responses });
  },
  'post /api/surveys/:id/take-code': async () => {
    const { issuedCodes } = await survey();
    const fields = {
      location: await world.place(),
      responses: MINIMAL_RESPONSES,
      referralCode: issuedCodes[0],
    };
    const from = await create('/api/surveys', fields);
    const { id } = await create('/api/surveys', { ...fields, onCodeProblem: 'FLAG' });
    return () => root.post(`/api/surveys/${id}/take-code`, { from: from.id, reason: 'mixed up' });
  },
  'post /api/surveys/:id/review': async () => {
    const { id } = await survey();
    return () => root.post(`/api/surveys/${id}/review`, { state: 'REJECTED', comment: 'made up' });
  },
  'post /api/surveys/:id/review/undo': async () => {
    const { id } = await survey();
    await root.post(`/api/surveys/${id}/review`, { state: 'REJECTED', comment: 'made up' }).expect(200);
    return () => root.post(`/api/surveys/${id}/review/undo`);
  },
  'post /api/surveys/review': async () => {
    const { id } = await survey();
    return () => root.post('/api/surveys/review', { ids: [id], state: 'APPROVED' });
  },
  'post /api/quality/:id/dismiss': async () => {
    const { id } = await survey();
    const _id = new mongoose.Types.ObjectId(id);
    await mongoose.connection.collection('surveys').updateOne({ _id }, { $set: { networkSize: 0 } });
    const url = `/api/quality/${findingId('SIZE_ODD', id)}/dismiss`;
    return () => root.post(url, { comment: 'it is right' });
  },
  'post /api/surveys/:id/comments': async () => {
    const { id } = await survey();
    return () => root.post(`/api/surveys/${id}/comments`, { text: 'look again' });
  },
  'post /api/surveys/:id/restore': async () => {
    const { id } = await survey();
    await root.delete(`/api/surveys/${id}`).expect(204);
    return () => root.post(`/api/surveys/${id}/restore`);
  },
  'post /api/surveys/:id/erase': async () => {
    const { id } = await survey();
    return () => root.post(`/api/surveys/${id}/erase`, { reason: 'asked for' });
  },
  'delete /api/surveys/:id': async () => {
    const { id } = await survey();
    return () => root.delete(`/api/surveys/${id}`);
  },
  'post /api/tokens': async () => {
    const expiresOn = new Date().toISOString().slice(0, 10);
    return () => root.post('/api/tokens', { name: name(), scopes: ['RESULTS'], expiresOn });
  },
  'delete /api/tokens/:id': async () => {
    const expiresOn = new Date().toISOString().slice(0, 10);
    const { id } = await create('/api/tokens', { name: name(), scopes: ['RESULTS'], expiresOn });
    return () => root.delete(`/api/tokens/${id}`);
  },
  'post /api/devices/report': async () => {
    const report = {
      ...{ device: name(), appVersion: '1.0.0', drafts: 0, unsent: 1, refused: 0 },
      ...{ oldestUnsentAt: null, codesLeft: 0, persisted: null },
    };
    return () => root.post('/api/devices/report', report);
  },
  'post /api/seeds': async () => {
    const location = await world.place();
    return () => root.post('/api/seeds', { location });
  },
  'post /api/seeds/delete': async () => {
    const { id } = await create('/api/seeds', { location: await world.place() });
    return () => root.post('/api/seeds/delete', { ids: [id] });
  },
  'delete /api/seeds/:id': async () => {
    const { id } = await create('/api/seeds', { location: await world.place() });
    return () => root.delete(`/api/seeds/${id}`);
  },
  'post /api/locations': async () => () => root.post('/api/locations', { name: name(), type: 'OTHER' }),
  'post /api/locations/import': async () => () =>
    root.post('/api/locations/import', { locations: [{ name: name(), type: 'OTHER' }] }),
  'patch /api/locations/:id': async () => {
    const id = await world.place();
    return () => root.patch(`/api/locations/${id}`, { name: name() });
  },
  'delete /api/locations/:id': async () => {
    const id = await world.place();
    return () => root.delete(`/api/locations/${id}`);
  },
  'post /api/locations/:id/reopen': async () => {
    const id = await world.place();
    await root.delete(`/api/locations/${id}`).expect(204);
    return () => root.post(`/api/locations/${id}/reopen`);
  },
  'post /api/referral-codes/blocks': async () => () => root.post('/api/referral-codes/blocks', { count: 2 }),
  'post /api/referral-codes/blocks/give-up': async () => {
    const { codes } = await create('/api/referral-codes/blocks', { count: 2 });
    return () => root.post('/api/referral-codes/blocks/give-up', { codes });
  },
  'post /api/referral-codes/batches': async () => {
    const location = await world.place();
    return () => root.post('/api/referral-codes/batches', { count: 2, location });
  },
  'post /api/referral-codes/batches/:id/void': async () => {
    const { id } = await create('/api/referral-codes/batches', { count: 2, location: await world.place() });
    return () => root.post(`/api/referral-codes/batches/${id}/void`, { reason: 'lost' });
  },
  'patch /api/referral-codes/:code': async () => {
    const { referralCode } = await create('/api/seeds', { location: await world.place() });
    return () => root.patch(`/api/referral-codes/${referralCode}`, { void: true, reason: 'lost' });
  },
  'post /api/questionnaires': async () => {
    const definition = { elements: [{ type: 'text', inputType: 'number', name: 'size' }] };
    const body = { name: name(), definition, networkSizeQuestion: 'size' };
    return () => root.post('/api/questionnaires', body);
  },
  'patch /api/questionnaires/:id': async () => {
    const definition = { elements: [{ type: 'text', inputType: 'number', name: 'size' }] };
    const { id } = await create('/api/questionnaires', {
      name: name(),
      definition,
      networkSizeQuestion: 'size',
    });
    const { body } = await root.get('/api/questionnaires/active');
    undo.push(() => root.patch(`/api/questionnaires/${body.id}`, { active: true, confirm: true }));
    return () => root.patch(`/api/questionnaires/${id}`, { active: true, confirm: true });
  },
  'post /api/questionnaire-drafts': async () => () => root.post('/api/questionnaire-drafts', makeDraft()),
  'patch /api/questionnaire-drafts/:id': async () => {
    const { id } = await create('/api/questionnaire-drafts', makeDraft());
    return () => root.patch(`/api/questionnaire-drafts/${id}`, { name: name() });
  },
  'delete /api/questionnaire-drafts/:id': async () => {
    const { id } = await create('/api/questionnaire-drafts', makeDraft());
    return () => root.delete(`/api/questionnaire-drafts/${id}`);
  },
  'post /api/analysis/runs': async () => {
    const asker = await world.person({ role: 'ADMIN' });
    return () => asker.post('/api/analysis/runs', RUN);
  },
  'delete /api/analysis/runs/:id': async () => {
    const asker = await world.person({ role: 'ADMIN' });
    const { body } = await asker.post('/api/analysis/runs', RUN).expect(202);
    return () => asker.delete(`/api/analysis/runs/${body.id}`);
  },
  'post /api/analysis/counts': async () => {
    const asker = await world.person({ role: 'ADMIN' });
    return () => asker.post('/api/analysis/counts', aCount());
  },
  'patch /api/analysis/counts/:id': async () => {
    const asker = await world.person({ role: 'ADMIN' });
    const { id } = await withRetries(() => asker.post('/api/analysis/counts', aCount()));
    return () => asker.patch(`/api/analysis/counts/${id}`, { known: 60 });
  },
  'delete /api/analysis/counts/:id': async () => {
    const asker = await world.person({ role: 'ADMIN' });
    const { id } = await withRetries(() => asker.post('/api/analysis/counts', aCount()));
    return () => asker.delete(`/api/analysis/counts/${id}`);
  },
  'post /api/incentives/pay': async () => {
    const id = await due();
    const payments = [{ id, method: 'CASH', clientId: randomUUID() }];
    return () => root.post('/api/incentives/pay', { payments });
  },
  'post /api/incentives/:id/pay': async () => {
    const id = await due();
    return () => root.post(`/api/incentives/${id}/pay`, { method: 'CASH', clientId: randomUUID() });
  },
  'post /api/incentives/:id/withdraw': async () => {
    const id = await due();
    return () => root.post(`/api/incentives/${id}/withdraw`, { reason: 'sold' });
  },
  'post /api/incentives/:id/reopen': async () => {
    const id = await due();
    await withRetries(() => root.post(`/api/incentives/${id}/withdraw`, { reason: 'sold' }));
    return () => root.post(`/api/incentives/${id}/reopen`, { reason: 'a mistake' });
  },
  'post /api/cards/import': async () => {
    const file = `number,amount,currency\n${randomUUID()},20.00,USD\n`;
    return () => root.post('/api/cards/import').set('Content-Type', 'text/csv').send(file);
  },
  'post /api/cards/:id/void': async () => {
    const number = randomUUID();
    const file = `number,amount,currency\n${number},20.00,USD\n`;
    await withRetries(() => root.post('/api/cards/import').set('Content-Type', 'text/csv').send(file));
    const card = await mongoose.connection
      .collection('cards')
      .findOne({ lastFour: number.slice(-4).toUpperCase() });
    return () => root.post(`/api/cards/${card?._id}/void`, { reason: 'used already' });
  },
  'post /api/messages/:id/retry': async () => {
    const _id = new mongoose.Types.ObjectId();
    const now = new Date();
    const text = {
      ...{ _id, survey: new mongoose.Types.ObjectId(), kind: 'MONEY_DUE', language: 'en', state: 'FAILED' },
      ...{ createdAt: now, sendAt: now, tries: 1 },
    };
    await mongoose.connection.collection('messages').insertOne(text);
    return () => root.post(`/api/messages/${_id}/retry`);
  },
  'post /api/cash-days': async () => {
    const body = await aCashDay();
    return () => root.post('/api/cash-days', body);
  },
  'post /api/cash-days/:id/reopen': async () => {
    const { id } = await create('/api/cash-days', await aCashDay());
    return () => root.post(`/api/cash-days/${id}/reopen`, { reason: 'counted twice' });
  },
  'patch /api/study': async () => () => root.patch('/api/study', { name: name() }),
  'patch /api/rounds/:id': async () => () => root.patch(`/api/rounds/${FIRST_ROUND_ID}`, { name: name() }),
};

/** The same, after all others: without an open round, these are refused. */
const ROUND_ROUTES: Record<string, PreparedRequest> = {
  'post /api/rounds/:id/close': () => root.post(`/api/rounds/${FIRST_ROUND_ID}/close`),
  'post /api/rounds/:id/reopen': () => root.post(`/api/rounds/${FIRST_ROUND_ID}/reopen`),
  'post /api/rounds': () => root.post('/api/rounds', { name: name(), startsOn: '2028-01-20' }),
};

/** Restores the state for the next round. */
const undo: (() => PromiseLike<Response>)[] = [];

/** These only read, or write only one-time codes, each in a single record. */
const NO_ACT = /\/api\/auth\/|\/api\/setup|\/print$|\/xlsform$|\/messages\/twilio$/;

test('each write route has a row', () => {
  const writing = apiRoutes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((one) => !/^get /.test(one) && !NO_ACT.test(one));
  const rowByRoute = { ...WRITES, ...ROUND_ROUTES };
  const lacking = writing.filter((one) => !rowByRoute[one]);
  if (lacking.length > 0)
    throw new Error(
      `Give a row in WRITES, with what it needs and how it is sent, to:\n${lacking.join('\n')}`,
    );
  expect(Object.keys(rowByRoute).filter((one) => !writing.includes(one))).toEqual([]);
});

// Audit events and codes are writes of many records; the last command is the commit.
test.each(['auditevents', 'referralcodes', 'commitTransaction'])(
  'if the connection is cut at %s, each write is 503 or complete, and possible afterwards',
  async (word) => {
    const entries = Object.entries(WRITES);
    const requests: PreparedRequest[] = [];
    // Sequentially: concurrent ones would retry each transaction again and again.
    for (const [, prepare] of entries) requests.push(await prepare());
    line.breakAt(word);
    const answers = await Promise.all(requests.map((ask) => ask()));
    line.mend();
    const wrong = answers.flatMap(({ status, body }, at) =>
      status < 400 || status === 503 ? [] : [[entries[at]?.[0], status, body]],
    );
    expect(wrong).toEqual([]);
    expect(answers.some(({ status }) => status === 503)).toBe(true);
    // The driver checks every two seconds whether the database is back.
    await backAgain();
    for (const one of undo.splice(0)) await withRetries(one);
  },
  120_000,
);

test('if the connection is cut while rounds are opened and closed, one is open at most', async () => {
  line.breakAt('commitTransaction');
  const answers = await Promise.all(Object.values(ROUND_ROUTES).map((ask) => ask()));
  line.mend();
  for (const { status } of answers) expect(status < 400 || status === 409 || status === 503).toBe(true);
  await backAgain();
  const { data } = await withRetries(() => root.get('/api/rounds'));
  const open = data.filter(({ state }: { state: string }) => state === 'OPEN');
  expect(open.length).toBeLessThanOrEqual(1);
  for (const { state, closedAt } of data) expect(closedAt === null).toBe(state === 'OPEN');
}, 120_000);

async function backAgain(): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await world.anonymous.get('/api/health/ready')).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the service did not find its database again');
}
