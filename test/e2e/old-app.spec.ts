/** A phone whose app is updated in the middle of a study: what the version before stored in clear is sealed, and nothing is lost. */
import type { Page } from '@playwright/test';
import { fillOutbox } from './outbox-rows.ts';
import {
  answerAll,
  choose,
  enter,
  expect,
  next,
  setLock,
  startInterview,
  tapDone,
  test,
  untilSurveys,
  withAndWithoutPin,
} from './world.ts';

/** What lies in these tables, as text. With `age`, drafts were last changed five minutes ago. */
const stored = (page: Page, { age = false } = {}) =>
  page.evaluate(
    (isAged) =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('field-survey');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction(['drafts', 'outbox'], 'readwrite');
          const [drafts, outbox] = ['drafts', 'outbox'].map((name) => transaction.objectStore(name));
          const rows = [drafts, outbox].map((store) => store?.getAll());
          if (isAged && rows[0])
            rows[0].onsuccess = () => {
              const updatedAt = new Date(Date.now() - 5 * 60_000).toISOString();
              for (const draft of rows[0]?.result ?? []) drafts?.put({ ...draft, updatedAt });
            };
          transaction.oncomplete = () => {
            opening.result.close();
            resolve(JSON.stringify(rows.map((one) => one?.result)));
          };
        };
      }),
    age,
  );

const REFUSED = { status: 400, code: 'VALIDATION_ERROR', message: 'Some fields are invalid.', errors: [] };

withAndWithoutPin(() => {
  test('interviews that an earlier app stored in plaintext are sealed after an update, and all arrive', async ({
    page,
    context,
    world,
    lock,
  }) => {
    test.setTimeout(150_000);
    // The study turns its lock on later.
    await setLock(world, 'OFF');
    const person = await world.person();
    const former = await context.newPage();
    // As on plain http, where it stores what versions before sealing stored.
    await former.addInitScript(() =>
      Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined, configurable: true }),
    );
    const POST_SURVEY = '**/api/surveys';
    await context.route(POST_SURVEY, (route) => route.abort());
    await enter(former, world, person);
    await startInterview(former, null);
    await answerAll(former, 23);
    await tapDone(former);
    await startInterview(former, null);
    await next(former);
    await choose(former, 'Yes, I agree');
    await next(former);
    const draft = new URL(former.url()).pathname.split('/').at(-1);
    await former.getByLabel('Leave. Your answers are saved.').click();
    await expect(former.getByText('1 answer')).toBeVisible();
    const waiting = await fillOutbox(former, world, person, 2);
    const refused = { state: 'attention', refused: REFUSED };
    const attention = await fillOutbox(former, world, person, 1, undefined, refused);
    expect(await stored(former, { age: true })).toContain('"consent":"yes"');
    await former.close();

    await setLock(world, lock);
    await page.goto(world.url);
    await expect(page.getByText('1 answer')).toBeVisible();
    await expect.poll(() => stored(page)).not.toContain('consent');
    await page.reload();
    await expect(page.getByText('1 answer')).toBeVisible();

    await context.unroute(POST_SURVEY);
    await page.getByRole('link', { name: 'Outbox' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await untilSurveys(world, person, 4, 90_000);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await choose(page, 'No');
    await page.getByRole('button', { name: 'Finish' }).click();
    await tapDone(page);
    const surveys = await untilSurveys(world, person, 5);
    const byId = new Map(surveys.map(({ clientId, responses }) => [clientId, responses]));
    for (const clientId of [...waiting, ...attention]) expect(byId.get(clientId)).toEqual({ consent: 'no' });
    expect(byId.get(draft ?? '')).toEqual({ consent: 'yes', isAdult: 'no' });
    expect(surveys.find(({ issuedCodes }) => issuedCodes.length === 3)?.responses).toMatchObject({
      consent: 'yes',
    });
  });
});
