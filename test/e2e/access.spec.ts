/** Accessibility of the phone pages: axe on each, on a phone and a large screen, and an interview by keyboard alone. */
import type { Locator, Page } from '@playwright/test';
import { tabTo as tabOn } from './keys.ts';
import { checkBothSizes as check } from './page-checks.ts';
import {
  call,
  choose,
  decline,
  enter,
  expect,
  follow,
  newSeed,
  next,
  skipToEnd,
  startInterview,
  tapDone,
  test,
  untilReady,
  untilSurveys,
  type World,
} from './world.ts';

async function checkOutside(page: Page, world: World): Promise<void> {
  await page.goto(`${world.url}/sign-in`);
  await expect(page.getByLabel('Your phone number')).toBeVisible();
  await check(page, 'sign-in');
  const phone = world.newPhone();
  await follow(page, '/sign-up');
  await page.getByLabel('First name').fill('Pia');
  await check(page, 'sign-up');
  await page.getByLabel('Last name').fill('Field');
  await page.getByLabel('Your phone number').fill(phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill('00000');
  await check(page, 'code');
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(phone));
  await expect(page.getByText('Waiting for approval…')).toBeVisible();
  await check(page, 'waiting');
  await page.goto(`${world.url}/setup#token=x`);
  await expect(page.getByText('This link has already been used')).toBeVisible();
  await check(page, 'setup, used');
}

async function checkInterview(page: Page, world: World): Promise<void> {
  await page.getByRole('button', { name: 'Start an interview' }).click();
  await check(page, 'start');
  await page.getByLabel('Coupon code').fill('ABCDEFGD');
  await expect(page.getByText('has a typo')).toBeVisible();
  await check(page, 'start, a wrong code');
  await page.getByLabel('Coupon code').fill(await newSeed(world));
  await page.getByRole('button', { name: 'Start interview' }).click();
  await expect(page.locator('.interview')).toBeVisible();
  await check(page, 'interview, text');
  await next(page);
  await next(page);
  await expect(page.getByText('Please choose an answer to go on.')).toBeVisible();
  await check(page, 'interview, an error');
  await choose(page, 'Yes, I agree');
  await check(page, 'interview, an answer');
  await page.getByLabel('Show a page of questions').click();
  await next(page);
  await check(page, 'interview, a page of questions');
  for (const name of ['isAdult', 'sleptOutside']) {
    await page.locator(`[data-name=${name}]`).getByText('Yes', { exact: true }).click();
  }
  await page.locator('[data-name=interviewedBefore]').getByText('No', { exact: true }).click();
  await next(page);
  for (let step = 0; step < 9; step += 1) {
    const numbers = page.locator('.interview input[data-number]');
    for (let index = 0; index < (await numbers.count()); index += 1) await numbers.nth(index).fill('12');
    await check(page, `interview, page ${step + 3}`);
    if (await page.getByRole('button', { name: 'Finish' }).count()) break;
    await next(page);
  }
  await skipToEnd(page);
  await expect(page.locator('.coupon')).toHaveCount(3);
  await check(page, 'coupons');
  await page.getByText('Printed', { exact: true }).click();
  await expect(page.getByLabel('Printed coupon 1 of 3')).toBeVisible();
  await check(page, 'coupons, printed');
  await page.evaluate(() => localStorage.removeItem('coupons-from'));
  await tapDone(page);
}

async function checkRest(page: Page): Promise<void> {
  await startInterview(page, null);
  await page.getByLabel('Leave. Your answers are saved.').click();
  await expect(page.getByText('Unfinished interviews')).toBeVisible();
  await check(page, 'home with a draft');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await check(page, 'a question before discarding');
  await page.getByRole('button', { name: 'Delete answers' }).click();
  await follow(page, '/outbox');
  await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible();
  await check(page, 'outbox');
  await follow(page, '/work');
  await page.locator('.row-link').first().click();
  await expect(page.getByText('Yes, I agree')).toBeVisible();
  await check(page, 'one interview');
  await page.getByRole('button', { name: 'Correct answers' }).click();
  await expect(page.locator('.interview [data-name=consent]')).toBeVisible();
  await check(page, 'correcting');
  await follow(page, '/work');
  await expect(page.locator('.row-link').first()).toBeVisible();
  await check(page, 'my work');
  await follow(page, '/me');
  await expect(page.getByRole('heading', { name: 'Me', exact: true })).toBeVisible();
  await check(page, 'me');
  await follow(page, '/nowhere');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await check(page, 'nowhere');
}

// Each takes minutes and is independent of the others, so workers can share them.
test.describe.configure({ mode: 'parallel' });

const SCREENS =
  'pages pass axe, nothing is cut off and tap targets are large, in light and dark mode, on a phone and a large screen';

test(`${SCREENS}: from sign-up to handing out coupons`, async ({ page, world }) => {
  test.setTimeout(240_000);
  await checkOutside(page, world);
  await enter(page, world, await world.person());
  await untilReady(page);
  await check(page, 'home');
  await checkInterview(page, world);
});

test(`${SCREENS}: unfinished, sent, flagged and rejected interviews, and offline`, {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  test.setTimeout(240_000);
  const person = await world.person();
  const responses = { consent: 'yes', isAdult: 'no', sleptOutside: 'yes', interviewedBefore: 'no' };
  await call(world, person.token, 'POST', '/api/surveys', { location: world.sites.harbor, responses });
  await enter(page, world, person);
  await untilReady(page);
  await checkRest(page);
  await checkTrouble(page, world);
  await context.setOffline(true);
  await page.goto(`${world.url}/`);
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  await check(page, 'home without a signal');
  await context.setOffline(false);
});

/** Flags, two versions and a rejected interview. */
async function checkTrouble(page: Page, world: World): Promise<void> {
  const person = await world.person();
  const used = await newSeed(world);
  const declined = { location: world.sites.harbor, responses: { consent: 'no' }, onCodeProblem: 'FLAG' };
  await call(world, world.admin.token, 'POST', '/api/surveys', { ...declined, referralCode: used });
  await call(world, person.token, 'POST', '/api/surveys', { ...declined, referralCode: used });
  const body = { ...declined, clientId: crypto.randomUUID() };
  await call(world, person.token, 'POST', '/api/surveys', body);
  const second = {
    ...body,
    responses: { consent: 'yes', isAdult: 'no', sleptOutside: 'no', interviewedBefore: 'no' },
  };
  await call(world, person.token, 'POST', '/api/surveys', second).catch(() => undefined);
  await enter(page, world, person, '/work');
  await page.locator('.row-link').first().click();
  await expect(page.getByText('A second version')).toBeVisible();
  await check(page, 'a flag: second copy');
  await page.getByRole('button', { name: 'Compare both' }).click();
  await check(page, 'two versions');
  await page.goto(`${world.url}/work`);
  await page.locator('.row-link').nth(1).click();
  await expect(page.getByLabel('Correct code')).toBeVisible();
  await check(page, 'a flag: code used');
  await page.route('**/api/surveys', (route) => {
    const submission = route.request().postDataJSON() as object;
    return route.continue({ postData: JSON.stringify({ ...submission, responses: { consent: 'perhaps' } }) });
  });
  await page.goto(world.url);
  await startInterview(page, null);
  await decline(page);
  await tapDone(page);
  await expect(page.getByText('1 interview needs your attention')).toBeVisible();
  await check(page, 'home, an interview needs you');
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await expect(page.getByText('Some answers aren’t valid')).toBeVisible();
  await check(page, 'outbox, an interview needs you');
}

test('an interview can be done with the keyboard alone, from sign-in to coupons', async ({ page, world }) => {
  const person = await world.person();
  const code = await newSeed(world);
  await page.goto(world.url);
  await expect(page.getByLabel('Your phone number')).toBeVisible();
  const press = (key: string) => page.keyboard.press(key);
  const tabTo = (what: Locator) => tabOn(page, what);
  const button = (name: string) => page.getByRole('button', { name });
  await tabTo(page.getByLabel('Your phone number'));
  await page.keyboard.type(person.phone);
  await press('Enter');
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await page.keyboard.type(await world.service.otp(person.phone));
  await untilReady(page);
  await tabTo(button('Start an interview'));
  await press('Enter');
  await tabTo(page.getByLabel('Coupon code'));
  await page.keyboard.type(code);
  await expect(button('Start interview')).toBeVisible();
  await tabTo(button('Start interview'));
  await press('Enter');
  await tabTo(button('Next'));
  await press('Enter');
  for (const answer of ['Yes, I agree', 'Yes', 'Yes', 'No']) {
    const radio = page.getByRole('radio', { name: answer, exact: true });
    await expect(radio).toBeVisible();
    await tabTo(page.getByRole('radio').first());
    await press(answer === 'No' ? 'ArrowDown' : 'Space');
    await expect(radio).toBeChecked();
    await tabTo(button('Next'));
    await press('Enter');
  }
  for (let step = 0; step < 60; step += 1) {
    const number = page.locator('.interview input[data-number]');
    if (await number.count()) {
      await tabTo(number.first());
      await page.keyboard.type('12');
    }
    if (await button('Finish').count()) break;
    await tabTo(button('Next'));
    await press('Enter');
  }
  await tabTo(button('Finish'));
  await press('Enter');
  await expect(page.locator('.coupon')).toHaveCount(3);
  await tabTo(button('Done'));
  await press('Enter');
  const [survey] = await untilSurveys(world, person, 1);
  expect(survey?.referralCode).toBe(code);
});
