/** What the code routes reply to whom, by calling their handlers: without HTTP, on plain records. */
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { printRoutes } from '../../src/coupons/print/routes.ts';
import { CodeBatchModel, type CodeBatchRecord } from '../../src/coupons/referral-codes/model.ts';
import { referralCodeRoutes } from '../../src/coupons/referral-codes/routes.ts';
import type { SeedRecord } from '../../src/coupons/seeds/model.ts';
import { Reply } from '../../src/platform/http/route.ts';
import { ensureFirstRound, requireOpenRound } from '../../src/study/rounds/model.ts';
import type { Role } from '../../src/study/users/schema.ts';
import {
  able,
  closeDatabase,
  codeOf,
  collection,
  eventsOf,
  HERE,
  later,
  ME,
  NOW,
  newId,
  openDatabase,
  storedCode,
  THERE,
} from '../database.ts';

beforeAll(async () => {
  await openDatabase();
  await ensureFirstRound(new Date());
  for (const _id of [HERE, THERE])
    await collection('locations').insertOne({
      _id,
      name: String(_id),
      type: 'SHELTER',
      address: null,
      deletedAt: null,
    });
});
afterAll(closeDatabase);

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the tests please
type Answer = any;
type Caller = Role | ReturnType<typeof able>;

/** The answer to ME, with this role or these rights; a query or body goes through the route's own schema. */
async function ask(
  caller: Caller,
  name: string,
  fields: object = {},
  params: { id?: string; code?: string } = {},
): Promise<Answer> {
  const [method, path] = name.split(' ');
  const route = [...referralCodeRoutes, ...printRoutes].find(
    (one) => one.method === method && one.path === `/api/${path}`,
  );
  if (!route) throw new Error(`there is no route ${name}`);
  const rights = typeof caller === 'string' ? able(caller) : caller;
  return await route.handle({
    deps: { config: { publicUrl: 'https://survey.example.org/', timeZone: 'UTC' } },
    now: NOW,
    actor: { user: { _id: ME }, location: HERE, now: NOW, ...rights },
    params,
    id: params.id ?? '',
    query: route.query?.parse(fields),
    body: route.body?.parse(fields),
    early: await route.readEarly?.(params as Record<string, string>),
  } as never);
}

async function fileOf(body: Reply['body']): Promise<Buffer> {
  const out = new PassThrough();
  const [file] = await Promise.all([buffer(out), (body as (out: PassThrough) => Promise<void>)(out)]);
  return file;
}

const refused = (answer: Promise<Answer>, name: string) => expect(answer).rejects.toMatchObject({ name });
const granted = (action: string, condition: string) =>
  able('VOLUNTEER', [{ action, subject: 'ReferralCode', conditions: [condition] }] as never);
const codes = (answer: Answer): string[] => answer.data.map((one: Answer) => one.code);

const CODES = 'get referral-codes';
const VALIDATE = 'get validate-referral-code/:code';
const VOID_CODE = 'patch referral-codes/:code';
const BATCHES = 'referral-codes/batches';
const why = { void: true, reason: 'lost' };

describe('a list of codes', () => {
  test('can be filtered by issuer and state, with LIVE and EXPIRED exact to the instant', async () => {
    const survey = newId();
    const good = await storedCode({ survey });
    const soon = await storedCode({ survey, expiresAt: later(1) });
    const over = await storedCode({ survey, expiresAt: NOW });
    const used = await storedCode({ survey, state: 'USED', expiresAt: NOW });
    await storedCode({ survey: newId() });
    const all = await ask('ADMIN', CODES, { survey: String(survey) });
    expect(codes(all).sort()).toEqual([good, soon, over, used].map((one) => one.code).sort());
    for (const [state, expected] of Object.entries({
      LIVE: [good, soon],
      EXPIRED: [over],
      USED: [used],
      VOID: [],
    })) {
      const reply = await ask('ADMIN', CODES, { survey: String(survey), state });
      expect(codes(reply).sort()).toEqual(expected.map((one) => one.code).sort());
      for (const one of reply.data) expect(one.state).toBe(state);
    }
  });

  test.each(['seed', 'survey', 'batch'] as const)('can be filtered by %s', async (issuer) => {
    const [mine, other] = [newId(), newId()];
    const { code } = await storedCode({ [issuer]: mine });
    await storedCode({ [issuer]: other });
    expect(codes(await ask('ADMIN', CODES, { [issuer]: String(mine) }))).toEqual([code]);
  });

  test('has the codes of a closed round as EXPIRED, and those of the open one as LIVE', async () => {
    const survey = newId();
    const [open, closed] = [newId(), newId()];
    const round = { name: 'Earlier', openedAt: NOW, startsOn: '2026-01-01', createdAt: NOW };
    await collection('rounds').insertOne({ ...round, _id: closed, state: 'CLOSED', closedAt: NOW });
    try {
      const current = await storedCode({ survey, round: open });
      const past = await storedCode({ survey, round: closed });
      const ofState = (state: string) => ask('ADMIN', CODES, { survey: String(survey), state });
      expect(codes(await ofState('LIVE'))).toEqual([current.code]);
      expect(codes(await ofState('EXPIRED'))).toEqual([past.code]);
    } finally {
      await collection('rounds').deleteOne({ _id: closed });
    }
  });

  test('can be filtered by a code in any spelling; text that is no code finds nothing', async () => {
    const { code } = await storedCode();
    await storedCode();
    expect(codes(await ask('ADMIN', CODES, { code: code.toLowerCase() }))).toEqual([code]);
    expect(codes(await ask('ADMIN', CODES, { code: 'nonsense' }))).toEqual([]);
  });

  test('needs a role or grant, and contains only codes that it covers', async () => {
    const survey = newId();
    const today = await storedCode({ survey });
    await storedCode({ survey, createdAt: new Date(0) });
    const request = { survey: String(survey) };
    expect(codes(await ask(granted('read', 'WAS_CREATED_TODAY'), CODES, request))).toEqual([today.code]);
    for (const role of ['MANAGER', 'VOLUNTEER'] as const)
      await refused(ask(role, CODES, request), 'FORBIDDEN');
  });
});

describe('a code', () => {
  test('can be validated by a volunteer', async () => {
    const { code } = await storedCode();
    expect(await ask('VOLUNTEER', VALIDATE, {}, { code })).toMatchObject({ code, isValid: true });
  });

  test('is not valid if it is missing', async () => {
    expect(await ask('VOLUNTEER', VALIDATE)).toMatchObject({ isValid: false });
  });

  test('can be voided in any spelling, and is returned as VOID', async () => {
    const { code } = await storedCode();
    const spelled = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase();
    expect(await ask('ADMIN', VOID_CODE, why, { code: spelled })).toMatchObject({ code, state: 'VOID' });
    const stored = await codeOf(code);
    expect(stored).toMatchObject({ state: 'VOID', voidedAt: NOW, voidReason: 'lost' });
    expect(await eventsOf(stored?._id)).toMatchObject([{ by: ME, createdAt: NOW }]);
  });

  test('can be voided only with a role or grant; an unknown code is 404 first', async () => {
    const [today, old] = [await storedCode(), await storedCode({ createdAt: new Date(0) })];
    const some = granted('update', 'WAS_CREATED_TODAY');
    await refused(ask('MANAGER', VOID_CODE, why, { code: today.code }), 'FORBIDDEN');
    await refused(ask(some, VOID_CODE, why, { code: old.code }), 'FORBIDDEN');
    expect(await ask(some, VOID_CODE, why, { code: today.code })).toMatchObject({ state: 'VOID' });
    for (const code of ['nonsense', 'ABCDEFGC'])
      await refused(ask('VOLUNTEER', VOID_CODE, why, { code }), 'NOT_FOUND');
    await refused(ask('ADMIN', VOID_CODE, why), 'NOT_FOUND');
  });
});

test('a block can be created, repeated, listed and released', async () => {
  const request = { count: 2, requestId: '0d4f9a52-7c1e-4b6a-9f0e-2b7c5d1a8e33' };
  const reply: Reply = await ask('VOLUNTEER', 'post referral-codes/blocks', request);
  expect(reply).toMatchObject({ status: 201, headers: { Location: '/api/referral-codes/blocks' } });
  const body = reply.body as { codes: string[] };
  expect(await ask('VOLUNTEER', 'post referral-codes/blocks', request)).toEqual(body);
  expect(await ask('VOLUNTEER', 'get referral-codes/blocks')).toEqual({ ...body, limit: 100 });
  const back = [body.codes[0]?.toLowerCase(), 'nonsense'];
  expect(await ask('VOLUNTEER', 'post referral-codes/blocks/give-up', { codes: back })).toEqual({
    givenUp: 1,
  });
  expect(await codeOf(body.codes[0])).toMatchObject({ givenUpAt: NOW });
});

describe('seeds', () => {
  const PRINT = 'post seeds/print';

  async function storedSeed(fields: Partial<SeedRecord> = {}): Promise<string> {
    const { _id: round } = await requireOpenRound();
    const seed = { _id: newId(), kind: 'PLANNED', location: HERE, round, note: null, survey: null };
    const { code } = await storedCode({ seed: seed._id });
    const stored = { ...seed, referralCode: code, createdBy: ME, createdAt: NOW, deletedAt: null, ...fields };
    await collection('seeds').insertOne(stored);
    return String(seed._id);
  }
  afterEach(async () => void (await collection('seeds').deleteMany({})));

  /** The pages of the PDF, one for each seed. */
  async function pagesOf(reply: Promise<Reply>): Promise<number> {
    const { body, headers } = await reply;
    expect(headers).toMatchObject({ 'Content-Disposition': 'attachment; filename="seeds.pdf"' });
    const file = await fileOf(body);
    return Number(/\/Type \/Pages[\s\S]*?\/Count (\d+)/.exec(file.toString('latin1'))?.[1]);
  }

  test('can be printed by their ids, each on a page', async () => {
    const seeds = [await storedSeed(), await storedSeed()];
    await storedSeed();
    expect(await pagesOf(ask('ADMIN', PRINT, { seeds }))).toBe(2);
  });

  test('can be printed without their ids: all unused ones, of all sites or of one', async () => {
    await storedSeed();
    await storedSeed({ location: THERE });
    await storedSeed({ survey: newId() });
    expect(await pagesOf(ask('ADMIN', PRINT, { unused: true }))).toBe(2);
    expect(await pagesOf(ask('ADMIN', PRINT, { unused: true, location: String(THERE) }))).toBe(1);
    const elsewhere = { unused: true, location: String(newId()) };
    await refused(ask('ADMIN', PRINT, elsewhere), 'VALIDATION_ERROR');
  });

  test('are left out of all unused ones if the caller may not see their codes, and refused by their ids', async () => {
    const seed = await storedSeed();
    const hidden = await storedSeed({ location: THERE, createdBy: newId() });
    expect(await pagesOf(ask('VOLUNTEER', PRINT, { unused: true }))).toBe(1);
    await refused(ask('VOLUNTEER', PRINT, { seeds: [seed, hidden] }), 'FORBIDDEN');
    await refused(ask('VOLUNTEER', PRINT, { unused: true, location: String(THERE) }), 'FORBIDDEN');
  });

  test('that do not exist are 404, and so is printing when none is unused', async () => {
    await refused(ask('ADMIN', PRINT, { seeds: [String(newId())] }), 'NOT_FOUND');
    await refused(ask('ADMIN', PRINT, { unused: true }), 'NOT_FOUND');
  });
});

describe('a printed batch', () => {
  /** A batch of two, made by ME at HERE now unless the fields say otherwise. */
  async function batchOf(fields: Partial<CodeBatchRecord> = {}): Promise<{ id: string; left: string[] }> {
    const _id = newId();
    const batch = { _id, count: 2, location: HERE, note: null, createdBy: ME, createdAt: NOW, ...fields };
    await CodeBatchModel.collection.insertOne(batch);
    const unusedCodes = [];
    for (const _ of [1, 2]) unusedCodes.push((await storedCode({ state: 'RESERVED', batch: _id })).code);
    return { id: String(_id), left: unusedCodes };
  }
  const OUT_OF_REACH = {
    HAS_SAME_LOCATION: { location: THERE },
    IS_CREATED_BY_SELF: { createdBy: newId() },
    WAS_CREATED_TODAY: { createdAt: new Date(0) },
  };

  test('can be created by a manager, with or without a note, but not by a volunteer', async () => {
    const request = { count: 2, location: String(HERE) };
    for (const note of [undefined, 'Box 1']) {
      const { status, body, headers } = await ask('MANAGER', `post ${BATCHES}`, { ...request, note });
      expect([status, headers]).toEqual([201, { Location: `/api/referral-codes?batch=${body.id}` }]);
      expect(body.codes).toHaveLength(2);
      const stored = { count: 2, location: HERE, note: note ?? null, createdBy: ME, createdAt: NOW };
      expect(await CodeBatchModel.findById(body.id).lean()).toMatchObject(stored);
    }
    await refused(ask('VOLUNTEER', `post ${BATCHES}`, request), 'FORBIDDEN');
    await refused(
      ask('MANAGER', `post ${BATCHES}`, { ...request, location: String(newId()) }),
      'VALIDATION_ERROR',
    );
  });

  test('can be created under each condition of a grant, but with HAS_SAME_LOCATION only at that site', async () => {
    for (const condition of Object.keys(OUT_OF_REACH)) {
      const make = (location: unknown) =>
        ask(granted('create', condition), `post ${BATCHES}`, { count: 1, location: String(location) });
      expect((await make(HERE)).status).toBe(201);
      if (condition === 'HAS_SAME_LOCATION') await refused(make(THERE), 'FORBIDDEN');
    }
  });

  test('is listed with the number of its codes by state', async () => {
    const { id } = await batchOf();
    const { id: other } = await batchOf();
    const batch = (await CodeBatchModel.findById(id).lean())?._id ?? null;
    for (const fields of [{ expiresAt: null }, { expiresAt: later(1) }, { expiresAt: NOW }])
      await storedCode({ batch, ...fields });
    for (const state of ['USED', 'USED', 'VOID'] as const) await storedCode({ batch, state, expiresAt: NOW });
    const { data } = await ask('ADMIN', `get ${BATCHES}`);
    const states = Object.fromEntries(data.map((one: Answer) => [String(one._id), one.states]));
    expect(states[id]).toEqual({ RESERVED: 2, LIVE: 2, USED: 2, VOID: 1, EXPIRED: 1 });
    expect(states[other]).toEqual({ RESERVED: 2, LIVE: 0, USED: 0, VOID: 0, EXPIRED: 0 });
    for (const role of ['MANAGER', 'VOLUNTEER'] as const)
      await refused(ask(role, `get ${BATCHES}`), 'FORBIDDEN');
  });

  test('can be voided with a reason', async () => {
    const { id, left: unusedCodes } = await batchOf();
    const end = (caller: Caller, batchId = id) =>
      ask(caller, `post ${BATCHES}/:id/void`, { reason: 'gone' }, { id: batchId });
    await refused(end('MANAGER'), 'FORBIDDEN');
    await refused(end('MANAGER', String(newId())), 'NOT_FOUND');
    expect(await end('ADMIN')).toMatchObject({ voided: 2 });
    expect(await codeOf(unusedCodes[1])).toMatchObject({ state: 'VOID', voidReason: 'gone', voidedAt: NOW });
    expect(await end('ADMIN')).toMatchObject({ voided: 0 });
    await refused(ask('ADMIN', `post ${BATCHES}/:id/void`, { reason: 'gone' }), 'NOT_FOUND');
  });

  test('can be printed as one PDF of its unused codes', async () => {
    const { id } = await batchOf();
    const print = (caller: Caller, params: object = { id }) =>
      ask(caller, `post ${BATCHES}/:id/print`, {}, params);
    const { body, headers }: Reply = await print('MANAGER');
    expect(headers).toEqual({ 'Content-Disposition': 'attachment; filename="coupons.pdf"' });
    const file = await fileOf(body);
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    await refused(print('VOLUNTEER'), 'FORBIDDEN');
    for (const params of [{ id: String(newId()) }, {}])
      await refused(print('VOLUNTEER', params), 'NOT_FOUND');
    await ask('ADMIN', `post ${BATCHES}/:id/void`, { reason: 'gone' }, { id });
    await refused(print('MANAGER'), 'NOT_FOUND');
  });

  test.each(Object.entries(OUT_OF_REACH))(
    'can be voided and printed with a grant under %s',
    async (condition, fields) => {
      const [mine, other] = [await batchOf(), await batchOf(fields)];
      const print = (id: string) =>
        ask(granted('create', condition), `post ${BATCHES}/:id/print`, {}, { id });
      const end = (id: string) =>
        ask(granted('update', condition), `post ${BATCHES}/:id/void`, { reason: 'x' }, { id });
      expect(await print(mine.id)).toBeInstanceOf(Reply);
      await refused(print(other.id), 'FORBIDDEN');
      expect(await end(mine.id)).toMatchObject({ voided: 2 });
      await refused(end(other.id), 'FORBIDDEN');
    },
  );
});
