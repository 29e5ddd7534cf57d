/**
 * Delivering finished interviews after the session has expired or its person has signed out here, and ending sessions at
 * the next contact.
 */
import { answerOf, network, settle, stored, time } from './browser.ts';

const { setClock } = await import('../../client/src/device/clock.ts');
const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
const { lockState: lock } = await import('../../client/src/device/lock/lock.ts');
const { currentWorkspace: workspace } = await import('../../client/src/device/workspace.ts');
const { startInterviewSender: startSender } = await import('../../client/src/offline/sender.ts');
const { sendCouponsAddedLater } = await import('../../client/src/offline/late-coupons.ts');
const { hasStoredSendToken, ownersWithSendToken, renewSendToken, tokenToSendInterviews } = await import(
  '../../client/src/offline/send-token.ts'
);
const { deliverForOthers } = await import('../../client/src/offline/deliver-for-others.ts');
const { finishSignOuts, signOut } = await import('../../client/src/offline/sign-out.ts');

const DAY = 86_400_000;
const VERA = 'a'.repeat(24);
const SEND = 'the send token';
const END = 'the token that ends the session';

const tokenOf = (sid: string | undefined) => `x.${btoa(JSON.stringify({ sid }))}.${sid}`;
const person = (change: object = {}) =>
  ({
    user: { id: VERA, approvalStatus: 'APPROVED' },
    rules: [],
    token: tokenOf('s1'),
    signOutToken: END,
    expired: false,
    refreshedAt: time.wall,
    ...change,
  }) as never;
const receipt = () =>
  answerOf(201, {
    id: 'b'.repeat(24),
    clientId: 'x',
    version: 1,
    status: 'COMPLETED',
    flags: ['CLOCK_ODD'],
    issuedCodes: ['CODE0001'],
    createdAt: new Date(time.wall).toISOString(),
  });
let rowCount = 0;
/** A row as the version before stored it. */
const add = async (change: object = {}) => {
  rowCount += 1;
  const clientId = `row-${rowCount}`;
  await db.outbox.add({
    ...{ clientId, owner: VERA, state: 'waiting', location: 'site', referralCode: null, issuedCodes: [] },
    ...{ coupons: 0, language: 'en', farewell: '', finishedAt: new Date(time.wall).toISOString() },
    ...{ body: { clientId, questionnaire: 'q1', responses: {} }, heldUntil: 0, attempts: 0, retryAt: 0 },
    ...{ refused: null, sentAt: null, survey: null, flags: [], ...change },
  } as never);
  return clientId;
};
const rowOf = async (clientId: string) => await db.outbox.where({ clientId }).first();
const keepToken = () =>
  db.kept.put({ key: `send-token-${VERA}`, value: { token: SEND, session: 's1', fetchedAt: time.wall } });
const start = async () => {
  startSender(workspace.get(), { onSent: () => undefined, stillApproved: async () => true });
  await settle();
  await time.pass(100);
};

beforeAll(() => setClock({ now: () => time.wall, ticks: () => time.run }));
beforeEach(async () => {
  session.set(person());
  await settle();
  await db.outbox.bulkDelete(await db.outbox.toCollection().primaryKeys());
  await db.kept.clear();
  network.sent = [];
  network.tokens = [];
  network.answer = () => stored();
});
afterEach(async () => {
  session.set(null);
  await settle();
});

describe('the send token', () => {
  test('is fetched once for a session, renewed after a day, and fetched anew for the next session', async () => {
    network.answer = () => answerOf(201, { token: SEND, expiresAt: '' });
    await renewSendToken();
    await renewSendToken();
    expect(network.sent).toEqual(['/api/auth/send-token']);
    time.set(DAY + 1);
    await renewSendToken();
    session.set(person({ token: tokenOf('s2') }));
    await renewSendToken();
    expect(network.tokens).toEqual([tokenOf('s1'), tokenOf('s1'), tokenOf('s2')]);
    expect(await hasStoredSendToken(VERA)).toBe(true);
  });

  test('is not asked for by a session of an earlier version, one that expired, or a pending person', async () => {
    for (const change of [
      { token: 'of an earlier version' },
      { token: tokenOf(undefined) },
      { expired: true },
      { user: { id: VERA, approvalStatus: 'PENDING' } },
    ]) {
      session.set(person(change));
      await renewSendToken();
    }
    expect(network.sent).toEqual([]);
  });

  test('is not needed while the session is good, and never used for a pending person', async () => {
    await keepToken();
    expect(await tokenToSendInterviews(VERA)).toBe(tokenOf('s1'));
    session.set(person({ expired: true, user: { id: VERA, approvalStatus: 'PENDING' } }));
    expect(await tokenToSendInterviews(VERA)).toBeNull();
  });
});

describe('once the session has expired', () => {
  test('interviews of this and of earlier versions are sent with the send token', async () => {
    await keepToken();
    const [one, other] = [await add(), await add({ claimNumber: 'KEPT0001' })];
    network.answer = () => (network.tokens.at(-1) === SEND ? receipt() : answerOf(401, {}));
    await start();
    expect(network.tokens).toEqual([tokenOf('s1'), SEND, SEND]);
    expect(session.get()?.expired).toBe(true);
    expect(await rowOf(one)).toMatchObject({ state: 'sent', body: null, flags: ['CLOCK_ODD'] });
    expect(await rowOf(other)).toMatchObject({ state: 'sent', claimNumber: 'KEPT0001' });
  });

  test('nothing is sent without a send token, as before', async () => {
    const row = await add();
    session.set(person({ expired: true }));
    await start();
    expect([network.sent, (await rowOf(row))?.state]).toEqual([[], 'waiting']);
  });

  test('a send token that the service refuses is dropped, and interviews wait for the next sign-in', async () => {
    await keepToken();
    const row = await add();
    session.set(person({ expired: true }));
    network.answer = () => answerOf(401, {});
    await start();
    await time.pass(120_000);
    expect(network.tokens).toEqual([SEND]);
    expect([await ownersWithSendToken(), (await rowOf(row))?.state]).toEqual([[], 'waiting']);
    network.answer = () => stored();
    session.set(person({ token: tokenOf('s2') }));
    await time.pass(1_000);
    expect((await rowOf(row))?.state).toBe('sent');
  });

  test('a 403 to the send token is tried again later, and others go first', async () => {
    await keepToken();
    const [one, other] = [await add(), await add()];
    session.set(person({ expired: true }));
    network.answer = (clientId) => (clientId === one ? answerOf(403, {}) : receipt());
    await start();
    expect([(await rowOf(one))?.state, (await rowOf(other))?.state]).toEqual(['waiting', 'sent']);
    network.answer = () => receipt();
    await time.pass(61_000);
    expect((await rowOf(one))?.state).toBe('sent');
  });

  test('coupons that were handed out later are reported with the send token', async () => {
    await keepToken();
    const row = await add({ state: 'sent', body: null, survey: 'b'.repeat(24), late: ['CODE0001'] });
    session.set(person({ expired: true }));
    network.answer = () => receipt();
    await sendCouponsAddedLater();
    expect(network.tokens).toEqual([SEND]);
    expect(await rowOf(row)).toMatchObject({ late: [], issuedCodes: ['CODE0001'] });
  });
});

describe('signing out', () => {
  test('ends the session at the service at once, and keeps the send token', async () => {
    await keepToken();
    network.answer = () => new Response(null, { status: 204, headers: { 'X-Request-Id': 'test' } });
    signOut();
    await settle();
    expect(session.get()).toBeNull();
    expect([network.sent, network.tokens]).toEqual([['/api/auth/sign-out'], [END]]);
    expect(await tokenToSendInterviews(VERA)).toBe(SEND);
    await finishSignOuts();
    expect(network.sent).toHaveLength(1);
  });

  test('without a signal, ends it at the next contact', async () => {
    network.answer = () => Promise.reject(new TypeError('Failed to fetch'));
    signOut();
    await settle();
    expect(session.get()).toBeNull();
    network.answer = () => new Response(null, { status: 204, headers: { 'X-Request-Id': 'test' } });
    await finishSignOuts();
    await finishSignOuts();
    expect(network.tokens).toEqual([END, END]);
  });

  test('leaves in the store only a token that ends the session, also under a lock', async () => {
    for (const is of ['off', 'open'] as const) {
      session.set(person());
      lock.set(is === 'open' ? { is, owner: VERA } : { is });
      network.tokens = [];
      network.answer = () => Promise.reject(new TypeError('Failed to fetch'));
      signOut();
      await settle();
      // After a reload nothing but the store is left.
      expect((await db.kept.get('sign-outs'))?.value).toEqual([END]);
      expect(JSON.stringify(await db.kept.toArray())).not.toContain(tokenOf('s1'));
      network.answer = () => new Response(null, { status: 204, headers: { 'X-Request-Id': 'test' } });
      await finishSignOuts();
      expect(network.tokens).toEqual([END, END]);
      expect(await db.kept.get('sign-outs')).toBeUndefined();
    }
  });

  test('ends a session of an earlier version at the next contact too, without storing its token', async () => {
    session.set(person({ signOutToken: undefined }));
    network.answer = () => Promise.reject(new TypeError('Failed to fetch'));
    signOut();
    await settle();
    expect(JSON.stringify(await db.kept.toArray())).not.toContain(tokenOf('s1'));
    network.answer = () => new Response(null, { status: 204, headers: { 'X-Request-Id': 'test' } });
    await finishSignOuts();
    await finishSignOuts();
    expect(network.sent).toEqual(['/api/auth/sign-out', '/api/auth/sign-out']);
    expect(network.tokens).toEqual([tokenOf('s1'), tokenOf('s1')]);
  });

  test('leaves finished interviews to the send token, until the service has them', async () => {
    await keepToken();
    const row = await add();
    network.answer = () => Promise.reject(new TypeError('Failed to fetch'));
    signOut();
    await settle();
    network.answer = () => receipt();
    await deliverForOthers(workspace.get());
    await time.pass(1_000);
    expect(network.tokens.at(-1)).toBe(SEND);
    expect(await rowOf(row)).toMatchObject({ state: 'sent', owner: VERA });
  });

  test('of a session that has ended already asks the service only once', async () => {
    network.answer = () => answerOf(401, {});
    signOut();
    await settle();
    await finishSignOuts();
    expect(network.sent).toEqual(['/api/auth/sign-out']);
  });
});
