/**
 * The states of a finished interview (held, waiting, sending, sent, needs attention) while the clock is changed at any
 * moment, and interviews left in each state by an earlier version of the app.
 */
import { answerOf, network, settle, stored, time } from './browser.ts';

const { setClock } = await import('../../client/src/device/clock.ts');
const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const {
  deviceDb: db,
  NotTheOwner,
  countOthersUnsentInterviews: countOthers,
} = await import('../../client/src/device/store/store.ts');
const { currentWorkspace: workspace } = await import('../../client/src/device/workspace.ts');
const { startInterviewSender: startSender } = await import('../../client/src/offline/sender.ts');
const { deleteOldRows: tidy } = await import('../../client/src/device/store/cleanup.ts');
const { holdInterview: hold, releaseInterview: release } = await import('../../client/src/offline/outbox.ts');
const { watchCouponVerdict: followVerdict } = await import(
  '../../client/src/offline/coupons/coupon-verdict.ts'
);
const { generateCode } = await import('../../src/coupons/referral-codes/code.ts');
const { msUntilSendable: waitOf } = await import('../../client/src/offline/row-states.ts');

const { randomBytes } = await import('node:crypto');

const DAY = 86_400_000;
const MINUTE = 60_000;
const VERA = 'a'.repeat(24);
const SAM = 'c'.repeat(24);

const person = (id: string) =>
  ({
    user: { id, approvalStatus: 'APPROVED' },
    rules: [],
    token: `of ${id}`,
    expired: false,
    refreshedAt: time.wall,
  }) as never;

let rowCount = 0;
/** A row as the first version of the app stored it: no source of coupons, nothing put aside. */
const row = (change: object = {}) => {
  rowCount += 1;
  const clientId = `row-${rowCount}`;
  const finishedAt = new Date(time.wall).toISOString();
  return {
    clientId,
    owner: VERA,
    state: 'waiting',
    body: { clientId, questionnaire: 'q1', responses: {} },
    location: 'site',
    referralCode: null,
    issuedCodes: [],
    coupons: 0,
    language: 'en',
    farewell: '',
    finishedAt,
    heldUntil: 0,
    attempts: 0,
    retryAt: 0,
    refused: null,
    sentAt: null,
    survey: null,
    flags: [],
    ...change,
  } as never;
};
const add = (change: object = {}) => db.outbox.add(row(change));
const state = async (seq: number) => (await db.outbox.get(seq))?.state;

beforeAll(() => {
  setClock({ now: () => time.wall, ticks: () => time.run });
});

beforeEach(async () => {
  session.set(person(VERA));
  await db.transaction('rw', db.outbox, db.drafts, async () => {
    await db.outbox.bulkDelete(await db.outbox.toCollection().primaryKeys());
    await db.drafts.bulkDelete(await db.drafts.toCollection().primaryKeys());
  });
  network.sent = [];
  network.answer = () => stored();
});

afterEach(() => {
  session.set(null);
});

const start = async (isApproved = true) => {
  startSender(workspace.get(), { onSent: () => undefined, stillApproved: async () => isApproved });
  await settle();
};

test('after the service refuses coupons of this device, others that it doesn’t know are no longer handed out', async () => {
  const codes = ['KNOWN001', 'UNKNOWN1', 'UNKNOWN2'];
  await db.codes.bulkAdd(
    codes.map((code) => ({ code, owner: VERA, state: 'free' as const, clientId: null })),
  );
  network.answer = (clientId) =>
    clientId.startsWith('/api')
      ? answerOf(200, { codes: ['KNOWN001'] })
      : answerOf(201, {
          id: 'b'.repeat(24),
          issuedCodes: [],
          flags: [{ code: 'ISSUED_CODE_REFUSED', referralCode: 'UNKNOWN0' }],
        });
  await add();
  await start();
  expect(network.sent.at(-1)).toBe('/api/referral-codes/blocks');
  expect((await db.codes.toArray()).map(({ code }) => code)).toEqual(['KNOWN001']);
  await db.codes.bulkDelete(await db.codes.toCollection().primaryKeys());
});

/** One row held for another 50 seconds and one whose sending failed; then the clock is set. */
const jumps: [string, number][] = [
  ['back by a day', -DAY],
  ['back by 40 days', -40 * DAY],
  ['back by 20 years', -7_300 * DAY],
  ['ahead by five days', 5 * DAY],
];

for (const [how, by] of jumps) {
  test(`with the clock set ${how}, held and delayed interviews are sent within a minute`, async () => {
    const heldRow = await add({ heldUntil: time.wall + 50_000 });
    const failed = await add({ retryAt: time.wall + 30_000, attempts: 3 });
    time.set(by);
    await start();
    await time.pass(MINUTE + 100);
    expect(await state(heldRow)).toBe('sent');
    expect(await state(failed)).toBe('sent');
  });

  test(`with the clock set ${how} while the sender waits, it neither loops nor stops`, async () => {
    network.answer = () => answerOf(503, { code: 'UNAVAILABLE' });
    const seq = await add();
    await start();
    time.set(by);
    const { where } = db.outbox;
    let looks = 0;
    db.outbox.where = ((...args: Parameters<typeof where>) => {
      looks += 1;
      return where.apply(db.outbox, args);
    }) as typeof where;
    for (let step = 0; step < 12; step += 1) await time.pass(10_000);
    // Two minutes: a few attempts, each with a few reads of the store.
    expect(network.sent.length).toBeGreaterThan(3);
    expect(looks).toBeLessThan(150);
    db.outbox.where = where;
    network.answer = () => stored();
    await time.pass(MINUTE + 100);
    expect(await state(seq)).toBe('sent');
  });
}

test('held and delayed interviews are sent at once when a clock five days ahead is corrected', async () => {
  const ahead = time.wall + 5 * DAY;
  const seqs = [
    await add({ heldUntil: ahead + MINUTE }),
    await add({ retryAt: ahead + MINUTE, attempts: 1 }),
  ];
  for (const seq of seqs) expect(waitOf((await db.outbox.get(seq)) as never)).toBe(0);
  await start();
  await time.pass(100);
  expect(await Promise.all(seqs.map(state))).toEqual(['sent', 'sent']);
});

test('an interview is not sent while its coupon page renews the hold, and sent once released', async () => {
  const seq = await add({ clientId: 'coupons-open', heldUntil: time.wall + MINUTE });
  await start();
  for (let renewed = 0; renewed < 6; renewed += 1) {
    await time.pass(20_000);
    await hold('coupons-open');
    await settle();
  }
  expect(await state(seq)).toBe('waiting');
  await release('coupons-open');
  await time.pass(MINUTE + 100);
  expect(await state(seq)).toBe('sent');
});

test('a rejected interview needs attention, a service error is retried, and the rest is sent', async () => {
  const seqs = [await add(), await add(), await add()] as number[];
  network.answer = (clientId) => {
    if (clientId === `row-${rowCount - 2}`) return answerOf(400, { message: 'no', errors: [] });
    return clientId === `row-${rowCount - 1}` && network.sent.length < 4 ? answerOf(500, {}) : stored();
  };
  await start();
  await time.pass(100);
  expect(await Promise.all(seqs.map(state))).toEqual(['attention', 'waiting', 'sent']);
  await time.pass(MINUTE + 100);
  expect(await state(seqs[1] as number)).toBe('sent');
});

test('an interview that a proxy finds too large (413) needs attention and blocks no other', async () => {
  const seqs = [await add(), await add()] as number[];
  const large = `row-${rowCount - 1}`;
  network.answer = (clientId) =>
    clientId === large ? new Response('<h1>Request Entity Too Large</h1>', { status: 413 }) : stored();
  await start();
  await time.pass(100);
  expect(await Promise.all(seqs.map(state))).toEqual(['attention', 'sent']);
  expect((await db.outbox.get(seqs[0] as number))?.refused).toMatchObject({ status: 413 });
});

test.each([503, 408])('a %i is retried with backoff, in order, and nothing is lost', async (status) => {
  const seqs = [await add(), await add(), await add()] as number[];
  const [first, second, third] = [rowCount - 2, rowCount - 1, rowCount].map((number) => `row-${number}`);
  const at: number[] = [];
  network.answer = () => {
    at.push(time.run);
    return at.length >= 2 && at.length <= 6 ? answerOf(status, { code: 'UNAVAILABLE' }) : stored();
  };
  await start();
  await time.pass(MINUTE);
  expect(await Promise.all(seqs.map(state))).toEqual(['sent', 'sent', 'sent']);
  expect(network.sent).toEqual([first, ...Array.from({ length: 6 }, () => second), third]);
  const waits = at.slice(2, 7).map((moment, index) => moment - (at[index + 1] ?? 0));
  // Half of each delay is random.
  for (const [index, least] of [200, 400, 800, 1_600, 3_200].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(least);
    expect(waits[index]).toBeLessThanOrEqual(2 * least + 10);
  }
});

test('a 403 is retried with backoff while the approval cannot be checked', async () => {
  const seq = await add();
  network.answer = () => answerOf(403, { code: 'FORBIDDEN' });
  await start(false);
  await time.pass(MINUTE);
  expect(network.sent.length).toBeLessThan(15);
  network.answer = () => stored();
  await time.pass(MINUTE + 100);
  expect(await state(seq)).toBe('sent');
});

test('30 interviews arrive in order over a connection that drops every third request', async () => {
  const clientIds = Array.from({ length: 30 }, (_none, index) => `dropped-${index}`);
  for (const clientId of clientIds) await add({ clientId, body: { clientId, questionnaire: 'q1' } });
  const arrived = new Set<string>();
  let lost = 0;
  network.answer = (clientId) => {
    const isLost = network.sent.length % 3 === 0;
    if (isLost) lost += 1;
    // Every second request arrives, but its response is lost.
    if (!isLost || lost % 2 === 0) arrived.add(clientId);
    return isLost ? Promise.reject(new TypeError('Failed to fetch')) : stored();
  };
  await start();
  await time.pass(2 * MINUTE);
  expect([...arrived]).toEqual(clientIds);
  expect(await db.outbox.where({ owner: VERA, state: 'sent' }).count()).toBe(30);
  expect(lost).toBeGreaterThan(10);
  // Each lost one is sent once more, and no other.
  expect(network.sent).toHaveLength(30 + lost);
});

test('interviews stored by an earlier version are handled in each state', async () => {
  const waiting = await add();
  const sending = await add({ state: 'sending', attempts: 1 });
  const attention = await add({
    state: 'attention',
    refused: { status: 400, code: null, message: 'no', errors: [] },
  });
  const sentRow = await add({ state: 'sent', body: null, sentAt: new Date(time.wall - DAY).toISOString() });
  await start();
  await time.pass(100);
  expect(await Promise.all([waiting, sending, attention, sentRow].map(state))).toEqual([
    'sent',
    'sent',
    'attention',
    'sent',
  ]);
  await tidy();
  expect(await db.outbox.count()).toBe(4);
});

describe('the boundary between people', () => {
  test('a person cannot change another’s interviews, only count them', async () => {
    const seq = await add();
    session.set(person(SAM));
    await settle();
    await time.pass(5_000);
    await expect(db.outbox.update(seq, { state: 'sent' })).rejects.toThrow(NotTheOwner);
    await expect(db.outbox.delete(seq)).rejects.toThrow(NotTheOwner);
    await expect(db.outbox.add(row())).rejects.toThrow(NotTheOwner);
    expect(await countOthers(SAM)).toBe(1);
    expect(await countOthers(VERA)).toBe(0);
  });

  test('a request running when the person changes is dropped, and sent again when its owner signs in', async () => {
    const seq = await add();
    let answer: (value: Response) => void = () => undefined;
    network.answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    await start();
    session.set(person(SAM));
    answer(stored());
    await settle();
    expect(await state(seq)).toBe('sending');
    network.answer = () => stored();
    session.set(person(VERA));
    await start();
    await time.pass(100);
    expect(await state(seq)).toBe('sent');
    expect(network.sent).toHaveLength(2);
  });
});

test('a wait that the service asked of one person does not delay another one’s interviews', async () => {
  network.answer = () => answerOf(429, { code: 'RATE_LIMITED' }, { 'Retry-After': '600' });
  const hers = await add();
  await start();
  await time.pass(100);
  session.set(person(SAM));
  network.answer = () => stored();
  const his = await add({ owner: SAM });
  await start();
  await time.pass(100);
  expect([await state(hers), await state(his)]).toEqual(['waiting', 'sent']);
  session.set(person(VERA));
  await start();
  await time.pass(590_000);
  expect(await state(hers)).toBe('waiting');
  await time.pass(11_000);
  expect(await state(hers)).toBe('sent');
});

describe('cleanup', () => {
  const code = (text: string, change: object) =>
    db.codes.put({ code: text, owner: VERA, clientId: null, ...change } as never);

  test('deletes only sent interviews, their codes and unused questionnaires after a week, whoever is signed in', async () => {
    const old = new Date(time.wall - 8 * DAY).toISOString();
    await add({ clientId: 'old', state: 'sent', body: null, sentAt: old });
    await add({
      clientId: 'ahead',
      state: 'sent',
      body: null,
      sentAt: new Date(time.wall + 900 * DAY).toISOString(),
    });
    await add({ clientId: 'fresh', state: 'sent', body: null, sentAt: new Date(time.wall).toISOString() });
    await add({ clientId: 'unsent', finishedAt: old, body: { questionnaire: 'q2' } });
    for (const clientId of ['old', 'fresh', 'unsent', 'unknown'])
      await code(`of ${clientId}`, { state: 'given', clientId });
    await code('replaced', { state: 'spent', clientId: 'old' });
    await code('free', { state: 'free' });
    await db.drafts.put({ id: 'draft', owner: VERA, questionnaire: 'q3' } as never);
    await db.kept.put({ key: 'active', value: 'q4' });
    for (const id of ['q1', 'q2', 'q3', 'q4']) await db.questionnaires.put({ id } as never);
    session.set(person(SAM));
    await time.pass(5_000);
    await settle();
    await tidy();
    expect((await db.outbox.toArray()).map(({ clientId }) => clientId)).toEqual(['fresh', 'unsent']);
    expect((await db.codes.toCollection().primaryKeys()).sort()).toEqual(['free', 'of fresh', 'of unsent']);
    expect(await db.questionnaires.toCollection().primaryKeys()).toEqual(['q2', 'q3', 'q4']);
    expect(await db.drafts.count()).toBe(1);
  });
});

test('a coupon of an unsent or own interview on this device is used; for others’ drafts and sent ones the service decides', async () => {
  const verdict = async (change: { owner: string; state?: string }, begun = false) => {
    session.set(person(change.owner));
    const referralCode = generateCode(randomBytes);
    network.answer = () => answerOf(200, { code: referralCode, isValid: true, reason: null });
    if (begun) await db.drafts.add({ id: referralCode, referralCode, ...change } as never);
    else await add({ referralCode, ...change });
    return await new Promise((resolve) => {
      const stop = followVerdict(VERA, referralCode, ({ kind }) => {
        setImmediate(() => stop());
        resolve(kind);
      });
    });
  };
  expect(await verdict({ owner: SAM, state: 'waiting' })).toBe('used-here');
  expect(await verdict({ owner: SAM, state: 'attention' })).toBe('used-here');
  expect(await verdict({ owner: VERA, state: 'sent' })).toBe('used-here');
  expect(await verdict({ owner: VERA }, true)).toBe('used-here');
  expect(await verdict({ owner: SAM, state: 'sent' })).not.toBe('used-here');
  expect(await verdict({ owner: SAM }, true)).not.toBe('used-here');
});
