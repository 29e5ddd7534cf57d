/** Somebody who forgets the PIN in the field, and signs in with a code by text message. */
import { check, checkBothSizes } from './page-checks.ts';
import { choosePin, guessTooOften, OTHER_PIN, signInHere, tapPin } from './pin.ts';
import { call, choose, expect, next, setLock, startInterview, test, untilReady } from './world.ts';

test.use({ viewport: { width: 360, height: 740 } });
test.beforeAll(({ world }) => setLock(world, 'PIN'));
test.afterAll(({ world }) => setLock(world, 'OFF'));

test('an unfinished interview that signing in by text message can’t open says what can, and links to it', async ({
  page,
  world,
}) => {
  const person = await world.person({ firstName: 'Vera' });
  await page.goto(`${world.url}/sign-in`);
  await signInHere(page, world, person);
  await choosePin(page);
  await untilReady(page);
  await startInterview(page, null);
  await next(page);
  await choose(page, 'Yes, I agree');
  await next(page);
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await guessTooOften(page);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await signInHere(page, world, person);
  await choosePin(page, OTHER_PIN);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('A code by text message doesn’t open it.')).toBeVisible();
  await check(page, 'an interview that a text message doesn’t open');
  await checkBothSizes(page, 'an interview that a text message doesn’t open');
  await page.getByRole('button', { name: 'Sign in again' }).click();
  const path = `/api/users/${person.id}/sign-in-code`;
  const { code } = await call<{ code: string }>(world, world.admin.token, 'POST', path);
  await check(page, 'signing in with a code first');
  await expect(page.getByText('by someone else')).toBeHidden();
  await page.getByLabel('Your phone number').fill(person.phone);
  await page.getByRole('button', { name: 'I have a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(code);
  await expect(page.getByRole('heading', { name: 'Enter your PIN' })).toBeVisible();
  await tapPin(page, OTHER_PIN);
  await expect(page.getByText('1 answer')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.locator('.interview')).toBeVisible();
});
