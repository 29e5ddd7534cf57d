/** With a full disk, a browser deletes the store while the app is open, and creates an empty one. */
import { network, time } from './browser.ts';

const { setClock } = await import('../../client/src/device/clock.ts');
const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const { openStore, noStoreReason: noStore } = await import('../../client/src/device/store/open-store.ts');
const { applyOutboxRowEvent: advance } = await import('../../client/src/offline/outbox.ts');
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
await import('../../client/src/device/workspace.ts');

const VERA = 'a'.repeat(24);
const SAM = 'c'.repeat(24);
const as = (id: string) =>
  session.set({ user: { id, approvalStatus: 'PENDING' }, rules: [], token: id, expired: false } as never);
const draft = (id: string, owner: string) =>
  ({ id, owner, responses: { consent: 'yes' }, editor: 'tab' }) as never;
const row = (clientId: string, owner: string) =>
  ({ clientId, owner, state: 'waiting', body: { clientId }, issuedCodes: [] }) as never;
const code = (text: string, owner: string, state = 'free') =>
  ({ code: text, owner, state, clientId: null }) as never;

const everything = async () => ({
  drafts: await db.drafts.toArray(),
  outbox: await db.outbox.toArray(),
  codes: await db.codes.toArray(),
  kept: await db.kept.toArray(),
});

/** As in Chromium: the connection closes, and its store is gone. */
async function wipe(): Promise<void> {
  db.close({ disableAutoOpen: false });
  await new Promise((resolve, failed) => {
    const deleting = indexedDB.deleteDatabase(db.name);
    deleting.onsuccess = resolve;
    deleting.onerror = failed;
  });
}

/** A window that does not know the previous store creates a new one. */
async function inAnotherWindow(
  write: (drafts: IDBObjectStore, outbox: IDBObjectStore) => void,
): Promise<void> {
  const other = await new Promise<IDBDatabase>((resolve) => {
    const opening = indexedDB.open(db.name, 10);
    opening.onupgradeneeded = () => {
      const { result } = opening;
      const drafts = result.createObjectStore('drafts', { keyPath: 'id' });
      for (const index of ['owner', '[owner+referralCode]'])
        drafts.createIndex(index, index === 'owner' ? index : ['owner', 'referralCode']);
      const outbox = result.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
      outbox.createIndex('clientId', 'clientId', { unique: true });
      outbox.createIndex('owner', 'owner');
      outbox.createIndex('[owner+state]', ['owner', 'state']);
      outbox.createIndex('[owner+referralCode]', ['owner', 'referralCode']);
      const codes = result.createObjectStore('codes', { keyPath: 'code' });
      codes.createIndex('[owner+state]', ['owner', 'state']);
      codes.createIndex('clientId', 'clientId');
      result.createObjectStore('questionnaires', { keyPath: 'id' });
      result.createObjectStore('kept', { keyPath: 'key' });
      write(drafts, outbox);
    };
    opening.onsuccess = () => resolve(opening.result);
  });
  other.close();
}

beforeAll(async () => {
  setClock({ now: () => time.wall, ticks: () => time.run });
  network.answer = () => Response.error();
  as(VERA);
  await openStore();
  await db.drafts.add(draft('of-vera', VERA));
  await db.outbox.add(row('one', VERA));
  await db.outbox.add(row('two', VERA));
  await db.outbox.delete(1);
  await db.codes.add(code('FREE', VERA));
  await db.kept.put({ key: 'session', value: 'who' });
  as(SAM);
  await db.codes.add(code('GIVEN', SAM, 'given'));
  await db.drafts.add(draft('of-sam', SAM));
  await time.pass(100);
});

test('a wiped store is restored before it is read, with other people’s interviews', async () => {
  const before = await everything();
  expect([before.drafts, before.outbox, before.codes].map((rows) => rows.length)).toEqual([2, 1, 2]);
  await wipe();
  expect(noStore.get()).toBe('closed');
  // Nothing triggers it: the next question opens the store.
  expect(await db.outbox.get(2)).toMatchObject({ clientId: 'two', owner: VERA });
  expect(await everything()).toEqual(before);
  expect(noStore.get()).toBeNull();
  // Once more, from the current content.
  await time.pass(10);
  await db.drafts.update('of-sam', { responses: { consent: 'no' } });
  await time.pass(10);
  await wipe();
  expect(await openStore()).toBe(true);
  expect((await db.drafts.get('of-sam'))?.responses).toEqual({ consent: 'no' });
});

test('records written by another window after a wipe are kept, and deleted ones stay deleted after reopening', async () => {
  await wipe();
  await inAnotherWindow((drafts, outbox) => {
    drafts.put({ id: 'of-vera', owner: VERA, responses: { consent: 'later' }, editor: 'other' });
    // This one was finished meanwhile.
    outbox.put({ clientId: 'of-sam', owner: SAM, state: 'sent', issuedCodes: [] });
  });
  expect((await db.drafts.toArray()).map(({ id, editor }) => [id, editor])).toEqual([['of-vera', 'other']]);
  expect((await db.outbox.toArray()).map(({ clientId }) => clientId).sort()).toEqual(['of-sam', 'two']);
  expect(await db.codes.count()).toBe(2);

  await db.drafts.delete('of-vera').catch(() => undefined);
  as(VERA);
  await db.drafts.delete('of-vera');
  db.close({ disableAutoOpen: false });
  expect(await db.drafts.count()).toBe(0);
});

test('an interview whose number another window has used is restored once under a new number', async () => {
  as(VERA);
  await db.outbox.bulkDelete(await db.outbox.where({ owner: VERA }).primaryKeys());
  await db.outbox.bulkAdd([row('first', VERA), row('second', VERA), row('known', VERA)]);
  const rows = await db.outbox.where({ owner: VERA }).toArray();
  await time.pass(100);
  await wipe();
  await inAnotherWindow((_drafts, outbox) => {
    for (const { seq, clientId } of rows)
      outbox.put({ ...(row(clientId === 'known' ? clientId : `new-${clientId}`, VERA) as object), seq });
  });
  const there = await db.outbox.where({ owner: VERA }).toArray();
  expect(there.map(({ clientId }) => clientId)).toEqual([
    'new-first',
    'new-second',
    'known',
    'first',
    'second',
  ]);
  expect(noStore.get()).toBeNull();
});

test('a response after the numbers changed is stored with its own interview', async () => {
  const [stranger] = await db.outbox.where({ clientId: 'new-first' }).toArray();
  await advance('first', { type: 'send' });
  await advance('first', {
    type: 'arrived',
    survey: { id: 'b'.repeat(24), issuedCodes: [], flags: [] } as never,
  });
  expect((await db.outbox.where({ clientId: 'first' }).first())?.state).toBe('sent');
  expect(await db.outbox.where({ clientId: 'new-first' }).first()).toEqual(stranger);
});
