/** The phone's block of coupon codes: how many it takes, and what it does if the person has too many elsewhere. */
import { answerOf, network, time } from './browser.ts';

const { setClock } = await import('../../client/src/device/clock.ts');
const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
const { isServiceReachable: signal } = await import('../../client/src/device/signal.ts');
const { openStore } = await import('../../client/src/device/store/open-store.ts');
const { freeCodesOf: freeCodes, refillReservedCodes: refill } = await import(
  '../../client/src/offline/coupons/reserved-codes.ts'
);
await import('../../client/src/device/workspace.ts');

const VERA = 'a'.repeat(24);
const LIMIT = 100;
/** What the service has reserved for Vera. */
let reserved: string[] = [];
let codeCount = 0;

beforeAll(() => {
  setClock({ now: () => time.wall, ticks: () => time.run });
});

beforeEach(async () => {
  session.set({
    user: { id: VERA, approvalStatus: 'APPROVED' },
    rules: [],
    token: 'v',
    expired: false,
  } as never);
  await openStore();
  signal.set(true);
  for (const table of [db.codes, db.outbox])
    await table.bulkDelete((await table.toCollection().primaryKeys()) as never);
  reserved = [];
  network.sent = [];
  network.answer = (_path, body) => {
    const { count } = JSON.parse(body) as { count?: number };
    if (count === undefined) return answerOf(200, { codes: reserved, limit: LIMIT });
    if (reserved.length + count > LIMIT)
      return answerOf(409, { message: 'too many', code: 'TOO_MANY_RESERVED' });
    const codes = Array.from({ length: count }, () => `CODE${codeCount++}`);
    reserved.push(...codes);
    return answerOf(201, { codes });
  };
});

afterEach(() => {
  session.set(null);
});

const elsewhere = (count: number) => Array.from({ length: count }, (_, index) => `OTHER${index}`);
const finished = () => db.outbox.add({ clientId: `c${codeCount}`, owner: VERA, state: 'sent' } as never);

test.each([
  [3, 24],
  [4, 32],
  [10, 32],
])(
  'a new phone reserves few codes, so that three of them stay below the limit (%i per interview)',
  async (each, count) => {
    for (const _ of [1, 2, 3]) {
      await db.codes.bulkDelete((await db.codes.toCollection().primaryKeys()) as never);
      expect(await refill(VERA, each, 'token')).toBe('refilled');
      expect(await freeCodes(VERA).count()).toBe(count);
    }
    expect(reserved).toHaveLength(3 * count);
  },
);

test('a phone in use reserves codes for a whole day', async () => {
  await finished();
  expect(await refill(VERA, 3, 'token')).toBe('refilled');
  expect(await freeCodes(VERA).count()).toBe(45);
});

test('if there is no room for a whole block, the phone reserves as many codes as there is room for', async () => {
  await finished();
  reserved = elsewhere(90);
  expect(await refill(VERA, 3, 'token')).toBe('refilled');
  expect(await freeCodes(VERA).count()).toBe(10);
});

test('if there is no room at all, the outcome says so, and the next refill may ask for another number', async () => {
  reserved = elsewhere(LIMIT);
  expect(await refill(VERA, 3, 'token')).toBe('too-many');
  reserved = [];
  await finished();
  expect(await refill(VERA, 3, 'token')).toBe('refilled');
  expect(await freeCodes(VERA).count()).toBe(45);
});

test('a service that refuses and one that can’t be reached are different reasons', async () => {
  network.answer = () => answerOf(500, { message: 'no' });
  expect(await refill(VERA, 3, 'token')).toBe('refused');
  network.answer = () => Promise.reject(new TypeError('failed to fetch'));
  expect(await refill(VERA, 3, 'token')).toBe('no-signal');
});
