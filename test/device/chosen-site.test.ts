/** The site chosen on this device, when the service says that the person is at another one. */
import { waiting } from './browser.ts';

const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const { openStore } = await import('../../client/src/device/store/open-store.ts');
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
await import('../../client/src/device/workspace.ts');
const { chosenSiteAfterMove: choiceAfterMove, chosenSiteKey: siteKey } = await import(
  '../../client/src/device/chosen-site.ts'
);

const VERA = 'a'.repeat(24);
const SENT = '2026-03-01T10:00:00.000Z';

const choose = (whileAt: string) => db.kept.put({ key: siteKey(VERA), value: { location: 'B', whileAt } });
beforeEach(async () => {
  session.set(waiting(VERA));
  await openStore();
  await db.outbox.bulkDelete(await db.outbox.toCollection().primaryKeys());
  await choose('X');
});

const send = (location: string) =>
  db.outbox.add({ clientId: location, owner: VERA, state: 'sent', location, sentAt: SENT } as never);
/** As the app asks once the service has told it. */
const move = (from: string, to: string, since = Date.parse(SENT) - 1_000) =>
  choiceAfterMove(VERA, from, to, since);

test('interviews held earlier at another site leave the choice in place', async () => {
  await send('A');
  expect(await move('X', 'A')).toEqual({ location: 'B', whileAt: 'A' });
  await choose('A');
  await send('B');
  expect(await move('A', 'B')).toBeNull();
});

test('a site assigned by somebody else ends the choice, and does not bring it back later', async () => {
  expect(await move('X', 'A')).toBeNull();
});

test('interviews sent before the last answer of the service do not count', async () => {
  await send('A');
  expect(await move('X', 'A', Date.parse(SENT) + 1_000)).toBeNull();
});

test('nothing changes while the service says the same site', async () => {
  expect([await move('X', 'X'), await move('Y', 'Z')]).toEqual([undefined, undefined]);
});
