/** No signal, a bad one, or lost responses: nothing is lost and nothing is stored twice. */
import type { Page } from '@playwright/test';
import jwt from 'jsonwebtoken';
import { fillOutbox } from './outbox-rows.ts';
import { JWT_SECRET } from './service.ts';
import {
  answerAll,
  call,
  decline,
  enter,
  expect,
  newSeed,
  otherDevice,
  type Person,
  shownCodes,
  startInterview,
  startWork,
  storeSession,
  surveysOf,
  tapDone,
  test,
  untilReady,
  untilSurveys,
} from './world.ts';

const POST_SURVEY = '**/api/surveys';

test('started offline, the app does an interview, hands out coupons, and sends later', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await world.person();
  const code = await newSeed(world);
  await enter(page, world, person);
  await untilReady(page);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Start an interview' }).click();
  await page.getByLabel('Coupon code').fill(code);
  await expect(page.getByText('looks right')).toBeVisible();
  await page.getByRole('button', { name: 'Start interview' }).click();
  await answerAll(page, 7);
  const codes = await shownCodes(page);
  expect(codes).toHaveLength(3);
  await tapDone(page);
  await page.reload();
  await expect(page.getByRole('link', { name: '1 interview to send' })).toBeVisible();
  expect(await surveysOf(world, person)).toHaveLength(0);

  await context.setOffline(false);
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey?.referralCode).toBe(code);
  expect(survey?.issuedCodes).toEqual(codes);
  await expect(page.getByRole('link', { name: '1 interview to send' })).toBeHidden();
});

test('offline, "My work" says so at once, and loads by itself once online', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await startWork(page, world);
  const body = { location: world.sites.harbor, responses: { consent: 'no' } };
  const { id } = await call<{ id: string }>(world, person.token, 'POST', '/api/surveys', body);
  const notice = page.getByText('Your sent interviews will appear here when you’re online.');
  for (const path of ['/work', `/work/${id}`]) {
    await page.goto(world.url);
    await context.setOffline(true);
    await page.goto(world.url + path);
    await expect(notice).toBeVisible({ timeout: 4_000 });
    await expect(page.getByLabel('Loading')).toBeHidden();
    await context.setOffline(false);
    await expect(page.getByText('Harbor shelter')).toBeVisible();
    await expect(notice).toBeHidden();
  }
  // The usual way: from the open app.
  await page.getByLabel('Back').click();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('link', { name: 'My work' }).click();
  await expect(notice).toBeVisible({ timeout: 4_000 });
  await context.setOffline(false);
  await expect(page.getByText('Harbor shelter')).toBeVisible();
});

test('a dashboard page not stored on the device says it needs a connection, and opens by itself once online', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  await enter(page, world, await world.person({ role: 'MANAGER' }));
  await untilReady(page);
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Manage' }).click();
  const notice = page.getByText('You need to be online to open this page');
  await expect(notice).toBeVisible();
  await expect(page.getByText('This page couldn’t be displayed.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(notice).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Manage' })).toBeVisible();
  await expect(notice).toBeHidden();
});

test('two offline interviews hand out six different coupons', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await startWork(page, world);
  await context.setOffline(true);
  const codes: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    await startInterview(page, null);
    await answerAll(page);
    codes.push(...(await shownCodes(page)));
    await tapDone(page);
  }
  expect(new Set(codes).size).toBe(6);
  await expect(page.getByText('18 coupons on this phone')).toBeVisible();
  await context.setOffline(false);
  await untilSurveys(world, person, 2);
  await expect(page.getByText('45 coupons on this phone')).toBeVisible();
});

test('a connection cut while sending loses and duplicates nothing', async ({ page, context, world }) => {
  const person = await world.person();
  await enter(page, world, person);
  let cuts = 0;
  await context.route(POST_SURVEY, async (route) => {
    cuts += 1;
    if (cuts <= 3) await route.abort('connectionreset');
    else await route.continue();
  });
  await startInterview(page, null);
  await decline(page);
  await tapDone(page);
  await untilSurveys(world, person, 1);
  expect(cuts).toBe(4);
});

test('a response lost after the interview was stored causes no duplicate', async ({
  page,
  context,
  world,
}) => {
  const person = await world.person();
  await enter(page, world, person);
  let requestCount = 0;
  await context.route(POST_SURVEY, async (route) => {
    requestCount += 1;
    if (requestCount > 2) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await startInterview(page, null);
  await answerAll(page);
  const codes = await shownCodes(page);
  await tapDone(page);
  await expect(page.getByRole('link', { name: '1 interview to send' })).toBeHidden();
  expect(requestCount).toBe(3);
  const surveys = await surveysOf(world, person);
  expect(surveys).toHaveLength(1);
  expect(surveys[0]?.issuedCodes).toEqual(codes);
});

test('interviews are kept when the session expires, and sent after the next sign-in', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await startWork(page, world);
  await context.setOffline(true);
  for (let count = 0; count < 3; count += 1) {
    await startInterview(page, null);
    await decline(page);
    await tapDone(page);
  }
  const expired = jwt.sign({ sub: person.id, iat: 1_600_000_000, exp: 1_600_000_100 }, JWT_SECRET, {
    algorithm: 'HS256',
  });
  await storeSession(page, { token: expired });
  await page.reload();
  await context.setOffline(false);
  await expect(page.getByText('3 interviews on this device')).toBeVisible();
  expect(await surveysOf(world, person)).toHaveLength(0);
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  // The number is filled in already.
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(person.phone));
  await untilSurveys(world, person, 3);
  await expect(page.getByRole('link', { name: /to send/ })).toBeHidden();
});

test('another person on the same device cannot see or send the first person’s interviews', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const [first, second] = [
    await world.person({ firstName: 'Fay' }),
    await world.person({ firstName: 'Sam' }),
  ];
  await enter(page, world, first);
  await untilReady(page);
  await context.setOffline(true);
  await startInterview(page, null);
  await decline(page);
  await tapDone(page);
  await startInterview(page, null);
  await page.getByLabel('Leave. Your answers are saved.').click();
  await expect(page.getByText('Unfinished interviews')).toBeVisible();
  await context.setOffline(false);
  await untilSurveys(world, first, 1);
  await context.setOffline(true);
  await startInterview(page, null);
  await decline(page);
  await tapDone(page);
  await page.getByRole('link', { name: 'Me', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await context.setOffline(false);
  await enter(page, world, second);
  await untilReady(page);
  await expect(page.getByText('Unfinished interviews')).toBeHidden();
  await page.getByRole('link', { name: 'Outbox' }).click();
  await expect(page.getByText('All interviews are sent.')).toBeVisible();
  expect(await surveysOf(world, first)).toHaveLength(1);
  expect(await surveysOf(world, second)).toHaveLength(0);
  await enter(page, world, first);
  await untilSurveys(world, first, 2);
  await expect(page.getByText('Unfinished interviews')).toBeVisible();
});

test('when two devices use one coupon offline, both interviews are kept and one is flagged to be resolved', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const [one, two] = [await world.person(), await world.person()];
  const code = await newSeed(world);
  const second = await otherDevice(context);
  const other = await second.newPage();
  const hold = async (device: Page, person: Person) => {
    await enter(device, world, person);
    await untilReady(device);
    await device.context().setOffline(true);
    await startInterview(device, code);
    await decline(device);
    await tapDone(device);
  };
  await hold(page, one);
  await hold(other, two);
  await context.setOffline(false);
  const [survey] = await untilSurveys(world, one, 1);
  expect(survey?.referralCode).toBe(code);
  await second.setOffline(false);
  const [flagged] = await untilSurveys(world, two, 1);
  expect(flagged?.referralCode).toBeNull();
  expect(flagged?.flags).toMatchObject([{ code: 'REFERRAL_CODE_USED', referralCode: code }]);

  const right = await newSeed(world);
  await other.getByRole('link', { name: 'Outbox' }).click();
  await expect(other.getByText('Coupon presented twice: another interview has this code.')).toBeVisible();
  await other.getByRole('link', { name: 'Open', exact: true }).click();
  await other.getByLabel('Correct code').fill(right);
  await other.getByRole('button', { name: 'Use this code' }).click();
  await expect(other.getByText('Coupon presented twice: another interview has this code.')).toBeHidden();
  const [resolved] = await surveysOf(world, two);
  expect(resolved?.referralCode).toBe(right);
  expect(resolved?.flags).toEqual([]);
  await second.close();
});

test('an offline interview with an expired coupon is kept and flagged', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await world.person();
  const code = await newSeed(world);
  await enter(page, world, person);
  await untilReady(page);
  await context.setOffline(true);
  await startInterview(page, code);
  await decline(page);
  await tapDone(page);
  const codes = (await world.service.database()).db('field_survey').collection('referralcodes');
  await codes.updateOne(
    { code },
    { $set: { createdAt: new Date(Date.now() - 7_200_000), expiresAt: new Date(Date.now() - 3_600_000) } },
  );
  await context.setOffline(false);
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey?.flags).toMatchObject([{ code: 'REFERRAL_CODE_EXPIRED', referralCode: code }]);
  await page.getByRole('link', { name: 'My work' }).click();
  await page.getByRole('link', { name: 'Walk-in' }).click();
  await expect(page.getByText('The coupon had expired.')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss flag' }).click();
  await expect(page.getByText('The coupon had expired.')).toBeHidden();
});

test('12 interviews arrive once each over a connection that drops every third request', async ({
  page,
  context,
  world,
}) => {
  const person = await startWork(page, world);
  let requestCount = 0;
  let lost = 0;
  await context.route(POST_SURVEY, async (route) => {
    requestCount += 1;
    if (requestCount % 3 !== 0) return route.continue();
    lost += 1;
    // Every second request arrives, but its response is lost.
    if (lost % 2 === 0) await route.fetch();
    await route.abort('connectionreset');
  });
  const clientIds = await fillOutbox(page, world, person, 12);
  await page.reload();
  const surveys = await untilSurveys(world, person, 12, 60_000);
  expect(surveys.map((survey) => survey.clientId)).toEqual(clientIds);
  await expect(page.getByRole('link', { name: /to send/ })).toBeHidden();
  expect(lost).toBeGreaterThan(3);
});
