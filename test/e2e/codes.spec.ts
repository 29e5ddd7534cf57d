/** The device's block of coupon codes when responses are lost, and when a device with a block is lost. */
import type { Page } from '@playwright/test';
import {
  answerAll,
  call,
  enter,
  expect,
  otherDevice,
  type Person,
  shownCodes,
  startInterview,
  startWork,
  tapDone,
  test,
  untilSurveys,
  type World,
} from './world.ts';

const BLOCKS = '/api/referral-codes/blocks';

async function heldCodes(world: World, person: Person): Promise<string[]> {
  return (await call<{ codes: string[] }>(world, person.token, 'GET', BLOCKS)).codes;
}

const onDevice = (page: Page, count: number) =>
  expect(page.getByText(`${count} coupons on this phone`)).toBeVisible();

test('a refill repeated after lost responses gets the same codes again', async ({ page, context, world }) => {
  const person = await world.person();
  let lost = 0;
  await context.route(`**${BLOCKS}`, async (route) => {
    if (route.request().method() !== 'POST' || lost >= 5) return route.continue();
    await route.fetch();
    lost += 1;
    await route.abort('connectionreset');
  });
  await enter(page, world, person);
  // Five blocks would exceed the limit per person.
  for (let times = 1; times <= 5; times += 1) {
    await expect.poll(() => lost).toBeGreaterThanOrEqual(times);
    await page.reload();
  }
  await onDevice(page, 24);
  expect(await heldCodes(world, person)).toHaveLength(24);
});

test('two tabs that refill at the same time share one block', async ({ page, context, world }) => {
  const person = await world.person();
  await enter(page, world, person, '/sign-in');
  const others = [await context.newPage(), await context.newPage()];
  await Promise.all([page, ...others].map((tab) => tab.goto(world.url)));
  await onDevice(page, 24);
  await page.waitForTimeout(500);
  expect(await heldCodes(world, person)).toHaveLength(24);
});

test('freeing up the coupons of a lost phone makes room for new ones, and the lost ones stay valid', async ({
  page,
  world,
}) => {
  const person = await world.person();
  for (const _ of [1, 2]) await call(world, person.token, 'POST', BLOCKS, { count: 50 });
  const lost = await heldCodes(world, person);
  await enter(page, world, person);
  await page.getByRole('link', { name: 'Me', exact: true }).click();
  await expect(page.getByText('100 of your coupons are not on this phone')).toBeVisible();
  await page.getByRole('button', { name: 'Free up coupons' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Free up coupons' }).click();
  await expect(page.getByText('are not on this phone')).toBeHidden();
  await onDevice(page, 24);
  const reservedCodes = await heldCodes(world, person);
  expect(reservedCodes).toHaveLength(24);
  expect(reservedCodes.filter((code) => lost.includes(code))).toEqual([]);
  const verdict = await call(world, person.token, 'GET', `/api/validate-referral-code/${lost[0]}`);
  expect(verdict).toMatchObject({ isValid: true });
});

test('codes that are on this device or handed out from it are not listed as lost', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await startWork(page, world);
  await context.setOffline(true);
  await startInterview(page, null);
  await answerAll(page);
  expect(await shownCodes(page)).toHaveLength(3);
  await tapDone(page);
  await page.route('**/api/surveys', (route) => route.abort());
  await context.setOffline(false);
  const blockReply = page.waitForResponse(
    (response) => response.request().method() === 'GET' && response.url().endsWith(BLOCKS),
  );
  await page.getByRole('link', { name: 'Me', exact: true }).click();
  expect(((await (await blockReply).json()) as { codes: string[] }).codes.length).toBeGreaterThanOrEqual(15);
  await expect(page.getByText('This phone', { exact: true })).toBeVisible();
  await expect(page.getByText('not on this phone')).toBeHidden();
  await page.unroute('**/api/surveys');
  await untilSurveys(world, person, 1, 60_000);
});

test('on three phones of one person, each has coupons from the first sign-in on', async ({
  page,
  context,
  world,
}) => {
  const person = await world.person();
  await enter(page, world, person);
  await onDevice(page, 24);
  for (const _ of [2, 3]) {
    const other = await (await otherDevice(context)).newPage();
    await enter(other, world, person);
    await onDevice(other, 24);
    await other.context().close();
  }
  expect(await heldCodes(world, person)).toHaveLength(72);
});

test('a phone whose person has all coupons on other devices says so, and one button gives them back for new ones', async ({
  page,
  world,
}) => {
  const person = await world.person();
  for (const _ of [1, 2]) await call(world, person.token, 'POST', BLOCKS, { count: 50 });
  await enter(page, world, person);
  const reason = page.getByText('100 unused coupons of yours are on other devices');
  await expect(page.getByText('0 coupons on this phone')).toBeVisible();
  await expect(reason).toBeVisible();
  await page.getByRole('button', { name: 'Start an interview' }).click();
  await expect(page.getByText('Not enough coupons on this phone')).toBeVisible();
  await expect(reason).toBeVisible();
  await expect(page.getByText('next time you’re online')).toHaveCount(0);
  await page.getByRole('button', { name: 'Give them back and get new ones' }).click();
  await expect(page.getByText('Not enough coupons on this phone')).toBeHidden();
  await page.getByLabel('Back').click();
  await onDevice(page, 24);
});

test('on the page of coupons, coupons that are given back fill the empty places', async ({ page, world }) => {
  const person = await world.person();
  for (const _ of [1, 2]) await call(world, person.token, 'POST', BLOCKS, { count: 50 });
  await page.route('**/api/surveys', (route) => route.abort());
  await enter(page, world, person);
  await startInterview(page, null);
  await answerAll(page);
  await expect(page.getByText('3 coupons are missing')).toBeVisible();
  await page.getByRole('button', { name: 'Give them back and get new ones' }).click();
  await expect(page.locator('.coupon .code')).toHaveCount(3);
});
