/** The lock of a device: what lies there under a PIN, how tries are counted, and what locking leaves. */
import { settle, time } from './browser.ts';

Object.assign(globalThis, { location: { pathname: '/interview/1', search: '' } });
/** The windows of this page's browser that are out of sight, and what they listen for. */
const listeners = new Map<string, Set<() => void>>();
const sight = { visibilityState: 'visible' };
Object.assign(globalThis.document, {
  addEventListener: (name: string, act: () => void) =>
    listeners.set(name, (listeners.get(name) ?? new Set()).add(act)),
  removeEventListener: (name: string, act: () => void) => listeners.get(name)?.delete(act),
});
Object.defineProperty(globalThis.document, 'visibilityState', { get: () => sight.visibilityState });
const look = (state: 'visible' | 'hidden') => {
  sight.visibilityState = state;
  for (const act of [...(listeners.get('visibilitychange') ?? [])]) act();
};

const { setClock } = await import('../../client/src/device/clock.ts');
const {
  destroyClearKeys,
  currentUserKey: personKey,
  findStoredKey,
  storePersonKey: storeKey,
} = await import('../../client/src/device/person-key.ts');
const { writeKeyRow: writeRow } = await import('../../client/src/device/key-rows.ts');
const { openStore, storeGeneration } = await import('../../client/src/device/store/open-store.ts');
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
const {
  storeDeviceSession: keepSession,
  sessionAwaitingPin: pendingSession,
  currentSession: session,
} = await import('../../client/src/device/stored-session.ts');
const {
  showLockScreenIfNeeded: findLock,
  lockState: lock,
  lockStorageKey: lockKey,
  findLockRow,
} = await import('../../client/src/device/lock/lock.ts');
const { MAX_WRONG_PINS, pinTriesLeft: triesLeft } = await import(
  '../../client/src/device/lock/count-tries.ts'
);
const {
  forgetLock,
  lockNow,
  putSessionUnderLock: protect,
  unlockByPin,
} = await import('../../client/src/device/lock/device-lock.ts');
const { sessionCipher, unwrapByPin, wrapByPin } = await import('../../client/src/device/lock/wrap-key.ts');

const VERA = 'a'.repeat(24);
const SAM = 'c'.repeat(24);
const PIN = '482915';
const sessionOf = (id: string, token = `token of ${id}`) =>
  ({
    user: { id, firstName: id === VERA ? 'Vera' : 'Sam', approvalStatus: 'APPROVED' },
    rules: [],
    token,
    expired: false,
    refreshedAt: time.wall,
  }) as never;
const storedText = async () => JSON.stringify(await db.kept.toArray());

beforeAll(async () => {
  setClock({ now: () => time.wall, ticks: () => time.run });
  await openStore();
});
beforeEach(async () => {
  lockNow();
  for (const owner of [VERA, SAM]) await forgetLock(owner);
  await db.kept.clear();
  lock.set({ is: 'off' });
  look('visible');
});

describe('under a PIN', () => {
  test('neither the session nor the key is stored in plaintext', async () => {
    keepSession(sessionOf(VERA));
    await settle();
    expect(await storedText()).toContain('token of');
    await protect(sessionOf(VERA), { pin: PIN });
    expect(await storedText()).not.toContain('token of');
    const key = await findStoredKey(VERA);
    expect([key?.identity, key?.wrapped]).toEqual([undefined, expect.objectContaining({ by: 'pin' })]);
    expect([lock.get().is, session.get()?.user.id]).toEqual(['open', VERA]);
  });

  test('a renewed session is stored sealed, and is there after the next unlock', async () => {
    await protect(sessionOf(VERA), { pin: PIN });
    keepSession(sessionOf(VERA, 'the renewed token'));
    await settle();
    expect(await storedText()).not.toContain('renewed');
    lockNow();
    expect([lock.get().is, session.get(), personKey.get()?.identity ?? null]).toEqual(['locked', null, null]);
    expect(await unlockByPin(VERA, PIN)).toEqual({ is: 'open' });
    expect(session.get()?.token).toBe('the renewed token');
    expect(personKey.get()?.identity).toMatch(/^AGE-SECRET-KEY-1/);
  });

  test('a new window starts locked, and asks who is using it if there are several people', async () => {
    await protect(sessionOf(VERA), { pin: PIN });
    lock.set({ is: 'off' });
    await findLock();
    expect(lock.get()).toEqual({ is: 'locked', owner: VERA, place: null });
    await protect(sessionOf(SAM), { pin: '730462' });
    lock.set({ is: 'off' });
    await findLock();
    expect(lock.get()).toEqual({ is: 'locked', owner: null, place: null });
    await unlockByPin(SAM, '730462');
    expect(session.get()?.user.id).toBe(SAM);
  });

  test('someone who signs in again while locked gets the new session', async () => {
    await protect(sessionOf(VERA), { pin: PIN });
    const before = personKey.get()?.recipient;
    lockNow();
    pendingSession.set(sessionOf(VERA, 'a new token'));
    await unlockByPin(VERA, PIN);
    expect([session.get()?.token, pendingSession.get(), personKey.get()?.recipient]).toEqual([
      'a new token',
      null,
      before,
    ]);
  });

  test('only the same person returns to the same page', async () => {
    const places: string[] = [];
    globalThis.history.replaceState = (_: unknown, __: string, place: string) => void places.push(place);
    await protect(sessionOf(SAM), { pin: '730462' });
    await protect(sessionOf(VERA), { pin: PIN });
    lockNow();
    places.length = 0;
    await unlockByPin(VERA, PIN);
    expect(places.at(-1)).toBe('/interview/1');
    lockNow();
    places.length = 0;
    await unlockByPin(SAM, '730462');
    expect(places).not.toContain('/interview/1');
  });
});

describe('wrong PINs', () => {
  test('are counted before the try, and forgotten after the right one', async () => {
    await protect(sessionOf(VERA), { pin: PIN });
    lockNow();
    const trying = unlockByPin(VERA, '000000');
    await settle();
    expect((await findLockRow(VERA))?.failures).toBe(1);
    expect(await trying).toEqual({ is: 'wrong', left: MAX_WRONG_PINS - 1 });
    await unlockByPin(VERA, PIN);
    expect((await findLockRow(VERA))?.failures).toBe(0);
  });

  test('destroy key and session at the tenth, even in two windows at once, but nobody else’s', async () => {
    await protect(sessionOf(SAM), { pin: '730462' });
    await protect(sessionOf(VERA), { pin: PIN });
    lockNow();
    const attempts = await Promise.all(
      Array.from({ length: MAX_WRONG_PINS }, () => unlockByPin(VERA, '000000')),
    );
    expect(attempts.map((one) => one.is === 'wrong' && one.left).sort()).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
    expect([await findStoredKey(VERA), (await findLockRow(VERA))?.session]).toEqual([null, null]);
    expect(await unlockByPin(VERA, PIN)).toEqual({ is: 'wrong', left: 0 });
    expect(await unlockByPin(SAM, '730462')).toEqual({ is: 'open' });
  });

  test('are counted even if the store is full', async () => {
    await protect(sessionOf(VERA), { pin: PIN });
    lockNow();
    const put = db.kept.put.bind(db.kept);
    db.kept.put = (() => Promise.reject(new DOMException('full', 'QuotaExceededError'))) as never;
    try {
      await unlockByPin(VERA, '000000');
      await unlockByPin(VERA, '000000');
      const row = await findLockRow(VERA);
      expect(row && triesLeft(row)).toBe(MAX_WRONG_PINS - 2);
    } finally {
      db.kept.put = put;
    }
    expect(await unlockByPin(VERA, PIN)).toEqual({ is: 'open' });
    const row = await findLockRow(VERA);
    expect(row && triesLeft(row)).toBe(MAX_WRONG_PINS);
  });
});

describe('out of sight', () => {
  test('a window locks after the minutes that the study allows', async () => {
    await db.kept.put({ key: 'study', value: { deviceLock: 'PIN', lockAfterMinutes: 2 } });
    await protect(sessionOf(VERA), { pin: PIN });
    await time.pass(100);
    look('hidden');
    time.set(60_000);
    look('visible');
    expect(lock.get().is).toBe('open');
    look('hidden');
    time.set(120_000);
    look('visible');
    expect([lock.get().is, session.get()]).toEqual(['locked', null]);
  });

  test('a clock that is set back does not keep it open', async () => {
    await db.kept.put({ key: 'study', value: { deviceLock: 'PIN', lockAfterMinutes: 10 } });
    await protect(sessionOf(VERA), { pin: PIN });
    await time.pass(100);
    look('hidden');
    time.set(-3_600_000);
    look('visible');
    expect(lock.get().is).toBe('locked');
  });
});

test('turning off the study’s lock stores key and session in plaintext again', async () => {
  await db.kept.put({ key: 'study', value: { deviceLock: 'PIN' } });
  await protect(sessionOf(VERA), { pin: PIN });
  const identity = personKey.get()?.identity;
  await db.kept.put({ key: 'study', value: { deviceLock: 'OFF' } });
  for (let turn = 0; turn < 5; turn += 1) await time.pass(100);
  expect([lock.get().is, session.get()?.user.id]).toEqual(['off', VERA]);
  expect((await findStoredKey(VERA))?.identity).toBe(identity);
  expect(await db.kept.get(lockKey(VERA))).toBeUndefined();
  expect(await storedText()).toContain('token of');
});

test('a browser that is killed while a PIN is stored has key and session either in plaintext or under the PIN', async () => {
  keepSession(sessionOf(VERA));
  await storeKey(VERA, { recipient: 'age1', identity: 'AGE-SECRET-KEY-1' });
  await settle();
  const killedAt = async (name: 'deleteDatabase' | 'put') => {
    const killed = () => {
      throw new Error('killed');
    };
    const [remove, put] = [indexedDB.deleteDatabase.bind(indexedDB), db.kept.put.bind(db.kept)];
    if (name === 'put') db.kept.put = killed as never;
    else indexedDB.deleteDatabase = killed;
    const change = () => db.kept.delete('session');
    await expect(storeKey(VERA, { recipient: 'age1', wrapped: 'by a PIN' }, change)).rejects.toThrow(
      'killed',
    );
    db.kept.put = put;
    indexedDB.deleteDatabase = remove;
    return [(await findStoredKey(VERA))?.identity !== undefined, (await storedText()).includes('token of')];
  };
  expect(await killedAt('put')).toEqual([true, true]);
  expect(await killedAt('deleteDatabase')).toEqual([false, false]);
  // At the next start nothing of the former key is left.
  await destroyClearKeys(() => true);
  expect(await findStoredKey(VERA)).toEqual({ recipient: 'age1', wrapped: 'by a PIN' });
  const names = (await indexedDB.databases()).map(({ name }) => name);
  expect(names.filter((name) => name?.startsWith(`key-${VERA}`))).toEqual([`key-${VERA}`]);
});

test('a PIN that another window has changed opens this one', async () => {
  await protect(sessionOf(VERA), { pin: PIN });
  const identity = personKey.get()?.identity ?? '';
  lockNow();
  const opening = indexedDB.open(`key-${VERA}`);
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const { recipient } = (await findStoredKey(VERA)) ?? {};
  const changed = { recipient, wrapped: await wrapByPin(identity, '730462') };
  const put = opening.result.transaction('key', 'readwrite').objectStore('key').put(changed, 0);
  await new Promise((resolve) => (put.onsuccess = resolve));
  opening.result.close();
  expect(await unlockByPin(VERA, PIN)).toMatchObject({ is: 'wrong' });
  expect(await unlockByPin(VERA, '730462')).toEqual({ is: 'open' });
});

describe('a key that the browser throws away with the store', () => {
  const throwAway = async () => {
    const deleting = indexedDB.deleteDatabase(`key-${VERA}`);
    await new Promise((resolve) => (deleting.onsuccess = resolve));
  };
  const reopen = async () => {
    storeGeneration.set(storeGeneration.get() + 1);
    await settle();
  };

  test('is restored under its PIN by a window that was unlocked, unless another one has destroyed it', async () => {
    await protect(sessionOf(VERA), { pin: PIN });
    const own = await findStoredKey(VERA);
    await throwAway();
    await reopen();
    expect(await findStoredKey(VERA)).toEqual(own);
    lockNow();
    expect(await unlockByPin(VERA, PIN)).toEqual({ is: 'open' });
    await throwAway();
    await db.kept.delete(`person-key-${VERA}`);
    await reopen();
    expect(await findStoredKey(VERA)).toBeNull();
  });

  test('is remembered by a window that unlocked it and never stored it', async () => {
    await protect(sessionOf(VERA), { pin: PIN });
    const identity = personKey.get()?.identity ?? '';
    lockNow();
    const { recipient = '' } = (await findStoredKey(VERA)) ?? {};
    const changed = { recipient, wrapped: await wrapByPin(identity, '730462') };
    await writeRow(`key-${VERA}`, changed);
    await unlockByPin(VERA, '730462');
    await throwAway();
    await reopen();
    expect(await findStoredKey(VERA)).toEqual(changed);
  });

  test('is reported as lost at once if nothing is left of it, and no PIN is called wrong', async () => {
    await protect(sessionOf(VERA), { pin: PIN });
    lockNow();
    await throwAway();
    await unlockByPin(VERA, PIN);
    const row = await findLockRow(VERA);
    expect([row?.session, row && triesLeft(row)]).toEqual([null, MAX_WRONG_PINS]);
  });
});

test('signing out deletes the key and the session', async () => {
  await protect(sessionOf(VERA), { pin: PIN });
  keepSession(null);
  await settle();
  expect([await findStoredKey(VERA), await findLockRow(VERA), lock.get().is]).toEqual([
    null,
    undefined,
    'off',
  ]);
});

test('a key is opened by its PIN alone, and a session by its key alone', async () => {
  const wrap = await wrapByPin('AGE-SECRET-KEY-1X', PIN);
  expect([await unwrapByPin(wrap, PIN), await unwrapByPin(wrap, '482916')]).toEqual([
    'AGE-SECRET-KEY-1X',
    null,
  ]);
  const [mine, other] = [await sessionCipher('mine'), await sessionCipher('other')];
  const sealed = await mine.seal({ token: 'x' });
  expect([await mine.open(sealed), await other.open(sealed)]).toEqual([{ token: 'x' }, null]);
});
