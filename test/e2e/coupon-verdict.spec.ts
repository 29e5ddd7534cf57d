/** Coupons that don't count, and coupons that the service could not answer for at first. */
import type { Page } from '@playwright/test';
import {
  call,
  choose,
  decline,
  enter,
  expect,
  newSeed,
  next,
  type StoredSurvey,
  tapDone,
  test,
  untilReady,
  untilSurveys,
  type World,
} from './world.ts';

const VALIDATE = '**/api/validate-referral-code/*';
const keepCode = (page: Page) => page.getByRole('button', { name: 'Interview anyway, keep the code' });

async function usedCoupon(world: World): Promise<string> {
  const referralCode = await newSeed(world);
  const body = { location: world.sites.harbor, responses: { consent: 'no' }, referralCode };
  await call(world, world.admin.token, 'POST', '/api/surveys', body);
  return referralCode;
}

async function voidCoupon(world: World): Promise<string> {
  const code = await newSeed(world);
  await call(world, world.admin.token, 'PATCH', `/api/referral-codes/${code}`, {
    void: true,
    reason: 'lost',
  });
  return code;
}

async function expiredCoupon(world: World): Promise<string> {
  const code = await newSeed(world);
  const codes = (await world.service.database()).db('field_survey').collection('referralcodes');
  const [validFrom, expiresAt] = [new Date(Date.now() - 90_000), new Date(Date.now() - 60_000)];
  await codes.updateOne({ code }, { $set: { validFrom, expiresAt, createdAt: validFrom } });
  return code;
}

const KINDS: [string, string, (world: World) => Promise<string>][] = [
  ['used', 'REFERRAL_CODE_USED', usedCoupon],
  ['voided', 'REFERRAL_CODE_VOID', voidCoupon],
  ['expired', 'REFERRAL_CODE_EXPIRED', expiredCoupon],
  ['unknown', 'REFERRAL_CODE_UNKNOWN', async () => '00000000'],
];

for (const [kind, flag, make] of KINDS) {
  test(`a person with a coupon that is ${kind} can still be interviewed: the code is kept and flagged`, async ({
    page,
    world,
  }) => {
    const person = await world.person();
    const code = await make(world);
    await enter(page, world, person);
    await page.getByRole('button', { name: 'Start an interview' }).click();
    await page.getByLabel('Coupon code').fill(code);
    await expect(keepCode(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Start as walk-in' })).toBeVisible();
    await keepCode(page).click();
    await decline(page);
    await tapDone(page);
    const [survey] = await untilSurveys(world, person, 1);
    expect(survey).toMatchObject({ referralCode: null, seed: null, wave: null });
    expect(survey?.flags).toMatchObject([{ code: flag, referralCode: code }]);
  });
}

test('a coupon that isn’t accepted can be left out: the interview starts a new chain', async ({
  page,
  world,
}) => {
  const person = await world.person();
  const code = await usedCoupon(world);
  await enter(page, world, person, `/start?code=${code}`);
  await expect(keepCode(page)).toBeVisible();
  await page.getByRole('button', { name: 'Start as walk-in' }).click();
  await decline(page);
  await tapDone(page);
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey).toMatchObject({ wave: 0, flags: [] });
  expect(survey?.seed).not.toBeNull();
});

test('on a slow line an interview can start after five seconds, and a used coupon is reported during the interview', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await world.person();
  const code = await usedCoupon(world);
  await enter(page, world, person);
  await untilReady(page);
  await page.getByRole('button', { name: 'Start an interview' }).click();
  await expect(page.getByLabel('Coupon code')).toBeVisible();
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  const conditions = { offline: false, latency: 14_000, downloadThroughput: 2_000, uploadThroughput: 2_000 };
  await line.send('Network.emulateNetworkConditions', conditions);
  await page.getByLabel('Coupon code').fill(code);
  await expect(page.getByText('We couldn’t check it right now.')).toBeVisible({ timeout: 12_000 });
  await expect(page.getByText('You’re offline')).toHaveCount(0);
  await page.getByRole('button', { name: 'Start interview' }).click();
  await next(page);
  await choose(page, 'No, I do not want to take part');
  const notice = page.getByRole('status').filter({ hasText: 'has already been used' });
  await expect(notice).toBeVisible({ timeout: 60_000 });
  await notice.getByRole('button', { name: 'Continue' }).click();
  await expect(notice).toBeHidden();
  await line.send('Network.emulateNetworkConditions', {
    ...conditions,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await page.getByRole('button', { name: 'Finish' }).click();
  await tapDone(page);
  const [survey] = await untilSurveys(world, person, 1);
  expect((survey as StoredSurvey).flags).toMatchObject([{ code: 'REFERRAL_CODE_USED', referralCode: code }]);
});

for (const status of [403, 429, 500]) {
  test(`when the service answers ${status}, the phone says it couldn’t check the coupon and asks again`, async ({
    page,
    context,
    world,
  }) => {
    const person = await world.person();
    const code = await usedCoupon(world);
    await enter(page, world, person);
    const answer = { status, headers: { 'X-Request-Id': 'test' }, json: { message: 'not now' } };
    await context.route(VALIDATE, (route) => route.fulfill(answer));
    await page.getByRole('button', { name: 'Start an interview' }).click();
    await page.getByLabel('Coupon code').fill(code);
    await expect(page.getByText('We couldn’t check it right now.')).toBeVisible();
    await expect(page.getByText('You’re offline')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Start interview' })).toBeVisible();
    await context.unroute(VALIDATE);
    await expect(keepCode(page)).toBeVisible({ timeout: 30_000 });
  });
}

test('a coupon entered offline is checked once the phone is online again, while the interview goes on', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await world.person();
  const code = await usedCoupon(world);
  await enter(page, world, person);
  await untilReady(page);
  await page.getByRole('button', { name: 'Start an interview' }).click();
  await expect(page.getByLabel('Coupon code')).toBeVisible();
  await context.setOffline(true);
  await page.getByLabel('Coupon code').fill(code);
  await page.getByRole('button', { name: 'Start interview' }).click();
  await expect(page.locator('.interview')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('We couldn’t check this coupon when you started.')).toBeVisible({
    timeout: 30_000,
  });
});
