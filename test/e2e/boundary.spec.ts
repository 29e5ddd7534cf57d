/** Several people share one phone: the second can't see anything that the first opened, read or typed. */
import type { Page } from '@playwright/test';
import jwt from 'jsonwebtoken';
import { JWT_SECRET } from './service.ts';
import {
  call,
  choose,
  enter,
  expect,
  newSeed,
  next,
  type Person,
  startInterview,
  storeSession,
  surveysOf,
  test,
  type World,
} from './world.ts';

const expired = (person: Person) =>
  jwt.sign({ sub: person.id, iat: 1_600_000_000, exp: 1_600_000_100 }, JWT_SECRET, { algorithm: 'HS256' });

/** Signs in through the form, whoever was signed in before. */
async function signInAs(page: Page, world: World, person: Person): Promise<void> {
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Your phone number').fill(person.phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(person.phone));
  await expect(page.getByRole('heading', { name: `Hello, ${person.firstName}` })).toBeVisible();
}

/** All text on the screen, in fields, and in the history state. */
const everything = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map(
      (one) => (one as HTMLInputElement).value,
    );
    return JSON.stringify([document.body.textContent, fields, history.state, document.title, location.href]);
  });

test('after the token expires and another person signs in, no tab shows or requests anything of the first', async ({
  page,
  context,
  world,
}) => {
  test.setTimeout(180_000);
  const first: Person = world.admin;
  const second = await world.person({ firstName: 'Sam' });
  // The presented coupon code, which only the first person may read.
  const code = await newSeed(world);
  const secret = new RegExp(`${code.slice(0, 4)}-?${code.slice(4)}`);
  const interview = await call<{ id: string }>(world, first.token, 'POST', '/api/surveys', {
    location: world.sites.harbor,
    responses: { consent: 'no' },
    referralCode: code,
  });
  await enter(page, world, first);
  const opened = [
    '/work',
    `/work/${interview.id}`,
    '/desk/people',
    `/desk/surveys/${interview.id}`,
    '/me',
    '/outbox',
  ];
  for (const path of opened) {
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  const other = await context.newPage();
  await other.goto(`${world.url}/work/${interview.id}`);
  await expect(other.getByText(secret)).toBeVisible();
  await page.goto(`${world.url}/work/${interview.id}`);
  await expect(page.getByText(secret)).toBeVisible();
  await storeSession(page, { token: expired(first) });
  await page.reload();
  await expect(page.getByText('Please sign in again').first()).toBeVisible();

  const requests: string[] = [];
  context.on('request', (request) => {
    const token = request.headers().authorization ?? '';
    if (request.url().includes('/api/') && token)
      requests.push(`${new URL(request.url()).pathname} ${token}`);
  });
  await signInAs(page, world, second);
  await expect(page).toHaveURL(`${world.url}/`);
  // The other tab follows immediately.
  await expect(other.getByRole('heading', { name: 'Hello, Sam' })).toBeVisible();
  for (const tab of [page, other]) expect(await everything(tab)).not.toMatch(secret);
  const secondToken = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('field-survey');
        opening.onsuccess = () => {
          const reading = opening.result.transaction('kept').objectStore('kept').get('session');
          reading.onsuccess = () => resolve(reading.result.value.token);
        };
      }),
  );
  await page.waitForTimeout(1_500);
  const withSecond = requests
    .filter((line) => line.endsWith(secondToken))
    .map((line) => line.split(' ')[0] ?? '');
  // The second person's token requests nothing that the first had open.
  expect(withSecond.filter((path) => path.includes(interview.id) || path === '/api/users')).toEqual([]);
  for (const path of [...opened, ...opened.map(() => 'back')]) {
    if (path === 'back') await page.goBack();
    else await page.goto(world.url + path);
    await page.waitForLoadState('networkidle').catch(() => undefined);
    const storedText = await everything(page);
    expect(storedText).not.toMatch(secret);
    expect(storedText).not.toContain(first.phone);
  }
  await page.reload();
  expect(await everything(page)).not.toMatch(secret);
});

test('the next person on the device sees nothing of an unfinished interview; its interviewer can continue it later', async ({
  page,
  context,
  world,
}) => {
  const [first, second] = [
    await world.person({ firstName: 'Fay' }),
    await world.person({ firstName: 'Sam' }),
  ];
  await enter(page, world, first);
  await startInterview(page, null);
  await next(page);
  await choose(page, 'Yes, I agree');
  const address = page.url();
  // The second person signs in in another window while the first one's answer is still being stored.
  const other = await context.newPage();
  await other.goto(`${world.url}/me`);
  await other.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(other.getByText('1 interview hasn’t been sent.')).toBeVisible();
  await other.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(other.getByText('1 interview by someone else is on this device')).toBeVisible();
  expect(await everything(other)).not.toContain(first.phone);
  await other.getByLabel('Your phone number').fill(second.phone);
  await other.getByRole('button', { name: 'Text me a code' }).click();
  await other.getByLabel('Code', { exact: true }).fill(await world.service.otp(second.phone));
  await expect(other.getByRole('heading', { name: 'Hello, Sam' })).toBeVisible();
  await expect(other.getByText('1 interview by someone else is on this device')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Hello, Sam' })).toBeVisible();
  for (const tab of [page, other]) expect(await everything(tab)).not.toMatch(/Fay|Unfinished interviews/);
  await other.goto(address);
  await expect(other.getByText('This interview has been finished or discarded.')).toBeVisible();
  expect(await surveysOf(world, second)).toHaveLength(0);

  // The key to the answers went with the sign-out: the service opens them for whoever has just signed in.
  await other.close();
  await page.goto(`${world.url}/me`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.getByLabel('Your phone number').fill(first.phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(first.phone));
  await expect(page.getByRole('heading', { name: 'Hello, Fay' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  // The place in the interview is sealed for the lost key alone.
  await next(page);
  await expect(page.getByRole('radio', { name: 'Yes, I agree' })).toBeChecked();
});

test('a response that arrives after another person has signed in is discarded', async ({
  page,
  context,
  world,
}) => {
  const [first, second] = [
    await world.person({ firstName: 'Fay' }),
    await world.person({ firstName: 'Sam' }),
  ];
  await enter(page, world, first, '/work');
  await expect(page.getByText('You haven’t sent any interviews today.')).toBeVisible();
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  await context.route('**/api/surveys?**', async (route) => {
    if (!route.request().url().includes(first.id)) return route.continue();
    waiting += 1;
    await gate;
    const survey = {
      id: 'a'.repeat(24),
      flags: [],
      location: world.sites.harbor,
      createdAt: new Date().toISOString(),
    };
    await route
      .fulfill({ headers: { 'X-Request-Id': 'of-the-test' }, json: { data: [survey], nextCursor: null } })
      .catch(() => undefined);
  });
  await page.goto(`${world.url}/work`);
  await expect.poll(() => waiting).toBe(1);
  const other = await context.newPage();
  await enter(other, world, second);
  await other.bringToFront();
  // Like a background tab that checks the session when it becomes visible.
  await page.bringToFront();
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByRole('heading', { name: 'Hello, Sam' })).toBeVisible();
  release();
  await page.getByRole('link', { name: 'My work' }).click();
  await expect(page.getByText('You haven’t sent any interviews today.')).toBeVisible();
});
