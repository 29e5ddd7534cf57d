/** The browser deletes the device's store while the app is open, and another window creates a new one. */
import { fillOutbox } from './outbox-rows.ts';
import { enter, expect, surveysOf, test, untilReady, withAndWithoutPin } from './world.ts';

withAndWithoutPin(() => {
  test('interviews with the same number in two windows after the store was wiped are each sent once', {
    tag: '@service-worker',
  }, async ({ page, context, world }) => {
    const person = await world.person();
    await enter(page, world, person);
    await untilReady(page);
    const other = await context.newPage();
    await other.goto(`${world.url}/api/health/live`);
    await page.bringToFront();
    await context.setOffline(true);
    const clientIds = await fillOutbox(page, world, person, 2);
    await page.reload();
    await expect(page.getByText('2 not sent yet.')).toBeVisible();
    await other.evaluate(beginAnewOnceWiped);
    const cdp = await context.newCDPSession(other);
    // The app is paused until the other window has created its store, however long that takes.
    const app = await context.newCDPSession(page);
    await app.send('Debugger.enable');
    const halted = new Promise((stopped) => app.once('Debugger.paused', stopped));
    const going = page.evaluate('debugger');
    await halted;
    await cdp.send('Storage.clearDataForOrigin', { origin: world.url, storageTypes: 'indexeddb' });
    const added = await other.evaluate(() => Reflect.get(globalThis, 'goneOn') as Promise<string[]>);
    await app.send('Debugger.resume');
    await going;
    await app.detach();
    await page.getByRole('link', { name: 'Outbox' }).click();
    // Where nothing has asked for the store yet, the person can.
    const again = page.getByRole('button', { name: 'Try again' });
    await expect(async () => {
      if (await again.isVisible()) await again.click();
      await expect(page.getByText('4 interviews will be sent when you’re online')).toBeVisible({
        timeout: 5_000,
      });
    }).toPass({ timeout: 40_000 });
    await page.reload();
    await context.setOffline(false);
    await expect(page.getByText('All interviews are sent.')).toBeVisible({ timeout: 30_000 });
    const stored = (await surveysOf(world, person)).map(({ clientId }) => clientId);
    expect(stored.sort()).toEqual([...clientIds, ...added].sort());
  });
});

/** Creates a store as the app does, with different interviews under the same keys. */
function beginAnewOnceWiped(): Promise<void> {
  const resultOf = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, failed) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => failed(request.error);
    });
  return (async () => {
    const before = await resultOf(indexedDB.open('field-survey'));
    const shape = [...before.objectStoreNames].map((name) => {
      const store = before.transaction(name).objectStore(name);
      const indexes = [...store.indexNames].map((one) => store.index(one));
      return {
        name,
        options: { keyPath: store.keyPath, autoIncrement: store.autoIncrement },
        indexes: indexes.map(({ name, keyPath, unique }) => ({ name, keyPath, unique })),
      };
    });
    const rows = await resultOf(before.transaction('outbox').objectStore('outbox').getAll());
    // What is sealed belongs to one interview.
    const inClear = ({ sealed: _, ...body }: { sealed?: string }, clientId: string) => ({
      ...body,
      clientId,
      responses: { consent: 'no' },
    });
    const begin = async (): Promise<string[]> => {
      const opening = indexedDB.open('field-survey', before.version);
      opening.onupgradeneeded = () => {
        for (const { name, options, indexes } of shape) {
          const store = opening.result.createObjectStore(name, options);
          for (const { name, keyPath, unique } of indexes) store.createIndex(name, keyPath, { unique });
        }
      };
      const after = await resultOf(opening);
      const outbox = after.transaction('outbox', 'readwrite').objectStore('outbox');
      const ids = rows.map(() => crypto.randomUUID());
      const put = ids.map((clientId, at) =>
        resultOf(outbox.put({ ...rows[at], clientId, body: inClear(rows[at].body, clientId) })),
      );
      await Promise.all(put);
      after.close();
      return ids;
    };
    const goneOn = new Promise<string[]>((resolve) => {
      // While the old store is still being deleted, a new one is closed at once.
      const tryIt = () => void begin().then(resolve, () => setTimeout(tryIt, 100));
      before.onclose = tryIt;
    });
    Object.assign(globalThis, { goneOn });
  })();
}
