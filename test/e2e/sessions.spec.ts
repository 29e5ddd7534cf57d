/** Sessions: where a person is signed in, ending them, and interviews that are sent without one. */
import type { Page } from '@playwright/test';
import { fillOutbox } from './outbox-rows.ts';
import { checkBothSizes, faultless } from './page-checks.ts';
import {
  call,
  enter,
  expect,
  type Person,
  signOutHere,
  storeSession,
  test,
  untilSurveys,
  type World,
} from './world.ts';

/** With a token of a real sign-in. */
async function signedIn(
  world: World,
  agent = 'Mozilla/5.0 (Android 14; Mobile) Firefox/132.0',
): Promise<Person> {
  return await again(world, await world.person(), agent);
}

async function again(world: World, person: Person, agent: string): Promise<Person> {
  const { phone } = person;
  await call(world, '', 'POST', '/api/auth/send-otp-login', { phone });
  const response = await fetch(`${world.url}/api/auth/verify-otp-login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': agent },
    body: JSON.stringify({ phone, code: await world.service.otp(phone) }),
  });
  const { token } = (await response.json()) as { token: string };
  return { ...person, token };
}

const statusOf = async (world: World, token: string) =>
  (await fetch(`${world.url}/api/auth/session`, { headers: { Authorization: `Bearer ${token}` } })).status;

/** The device can now send without a session. */
const untilSends = (page: Page, owner: string) =>
  expect
    .poll(() =>
      page.evaluate(
        (key) =>
          new Promise((resolve) => {
            const opening = indexedDB.open('field-survey');
            opening.onsuccess = () => {
              const request = opening.result.transaction('kept').objectStore('kept').get(key);
              request.onsuccess = () => {
                opening.result.close();
                resolve(request.result !== undefined);
              };
            };
          }),
        `send-token-${owner}`,
      ),
    )
    .toBe(true);

test('“Me” lists where a person is signed in, and ends a session on another device', async ({
  page,
  world,
}) => {
  const phone = await signedIn(world);
  const computer = await again(
    world,
    phone,
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36',
  );
  await enter(page, world, computer, '/me');
  const card = page.getByRole('region', { name: 'Signed in on' });
  await expect(card.locator('.row')).toHaveText([
    /Chrome, Windows\s*This device/,
    /Firefox, Android\s*Last active/,
  ]);
  await checkBothSizes(page, 'sessions under Me');
  await card.getByRole('button', { name: 'End' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await expect(card.locator('.row')).toHaveCount(1);
  expect([await statusOf(world, phone.token), await statusOf(world, computer.token)]).toEqual([401, 200]);
});

test('the page of a person lists their sessions for whoever may sign them out', async ({ page, world }) => {
  const person = await signedIn(world);
  await enter(page, world, world.admin, `/desk/people/${person.id}`);
  await expect(page.getByRole('heading', { name: 'Signed in on' })).toBeVisible();
  await expect(page.getByText('Firefox, Android')).toBeVisible();
  await faultless(page, 'sessions of a person');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText('Not signed in anywhere.')).toBeVisible();
});

test('finished interviews are sent after the session has expired', async ({ page, context, world }) => {
  const person = await signedIn(world);
  await enter(page, world, person);
  await untilSends(page, person.id);
  await context.setOffline(true);
  await fillOutbox(page, world, person, 2);
  await context.setOffline(false);
  // Loaded anew, it has a token that the service refuses.
  await storeSession(page, { token: `${person.token.slice(0, -4)}AAAA` });
  await page.reload();
  await untilSurveys(world, person, 2);
  await expect(page.getByText('finished interviews are still sent')).toBeVisible();
});

test('signing out ends the session at the service, and finished interviews are still sent', async ({
  page,
  context,
  world,
}) => {
  const person = await signedIn(world);
  await enter(page, world, person, '/me');
  await expect(page.getByText('This device', { exact: true })).toBeVisible();
  await untilSends(page, person.id);
  await context.setOffline(true);
  await fillOutbox(page, world, person, 1);
  await signOutHere(page);
  expect(await statusOf(world, person.token)).toBe(200);
  await context.setOffline(false);
  await expect.poll(() => statusOf(world, person.token), { timeout: 30_000 }).toBe(401);
  await untilSurveys(world, await again(world, person, 'x'), 1);
});
