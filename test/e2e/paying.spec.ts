/** Incentives on the phone: handed over at the interview, also without a signal, and to people who return. */
import type { Page } from '@playwright/test';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import { check } from './page-checks.ts';
import {
  answerAll,
  call,
  draftsHere,
  enter,
  expect,
  newSeed,
  type Person,
  setIncentives,
  shownCodes,
  startInterview,
  surveysOf,
  tapDone,
  test,
  toLastQuestion,
  untilReady,
  untilSurveys,
  type World,
} from './world.ts';

const PAYS = { currency: 'USD', interview: '20.00', recruit: '10.00', recruitLimit: 3 };
const POST_SURVEY = '**/api/surveys';

test.beforeAll(async ({ world }) => {
  await setIncentives(world, PAYS);
});
test.afterAll(async ({ world }) => {
  await setIncentives(world, { currency: 'USD' });
});

interface Incentive {
  id: string;
  survey: string;
  kind: string;
  state: string;
  method: string | null;
  reference: string | null;
  paidBy: string | null;
}

const owedTo = async (world: World, survey: string) =>
  (await call<{ data: Incentive[] }>(world, world.admin.token, 'GET', `/api/incentives?survey=${survey}`))
    .data;

/** Goes by pages of questions to the step after the last one. */
async function toLastStep(page: Page): Promise<void> {
  await page.getByLabel('Show a page of questions').click();
  await toLastQuestion(page);
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByRole('heading', { name: 'Incentive', exact: true })).toBeVisible();
}

test('an incentive paid offline after the interview is recorded once when sent', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const person = await world.person();
  await enter(page, world, person);
  await untilReady(page);
  await context.setOffline(true);
  await page.reload();
  await startInterview(page, null);
  await answerAll(page, 7, toLastStep);
  await expect(page.getByText('$20.00')).toBeVisible();
  await expect(page.getByText(/They also get \$10.00.*at most 3/)).toBeVisible();
  await check(page, 'incentive after the last question');
  const claim = (await page.locator('.claim .code').textContent())?.replace('-', '');

  // No payment method is preselected.
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Choose how you’re paying' })).toBeVisible();
  await page.getByRole('radio', { name: 'Gift card' }).press('Space');
  await page.getByLabel('Reference (optional)').fill('card 4711');
  const incentive = { method: 'GIFT_CARD', reference: 'card 4711' };
  await expect.poll(() => draftsHere(page)).toEqual([expect.objectContaining({ incentive })]);
  // After a restart all of it is still there.
  await page.reload();
  const finish = page.getByRole('button', { name: 'Finish' });
  await finish.click();
  await expect(page.getByRole('heading', { name: 'Incentive', exact: true })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Gift card' })).toBeChecked();
  await expect(page.getByLabel('Reference (optional)')).toHaveValue('card 4711');
  await expect(page.locator('.claim .code')).toHaveText(
    new RegExp(`${claim?.slice(0, 4)}.${claim?.slice(4)}`),
  );
  await finish.click();
  await expect(page.getByRole('heading', { name: 'Coupons' })).toBeVisible();
  const codes = await shownCodes(page);
  expect(codes).toHaveLength(3);
  expect(codes).not.toContain(claim);
  await tapDone(page);
  expect(await surveysOf(world, person)).toHaveLength(0);

  // The first two responses are lost, so that it is sent three times.
  let requestCount = 0;
  await context.route(POST_SURVEY, async (route) => {
    requestCount += 1;
    if (requestCount > 2) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await context.setOffline(false);
  const [survey] = await untilSurveys(world, person, 1);
  await expect(page.getByRole('link', { name: '1 interview to send' })).toBeHidden();
  expect(requestCount).toBe(3);
  expect(survey).toMatchObject({ referralCode: claim, issuedCodes: codes, flags: [] });
  expect(await owedTo(world, survey?.id ?? '')).toEqual([
    expect.objectContaining({
      ...{ kind: 'INTERVIEW', state: 'PAID', method: 'GIFT_CARD', reference: 'card 4711', paidBy: person.id },
    }),
  ]);
});

test('“Not now” leaves the incentive due, and the coupon is the claim number', async ({ page, world }) => {
  const person = await world.person();
  const code = await newSeed(world);
  await enter(page, world, person);
  await startInterview(page, code);
  await answerAll(page, 7, toLastStep);
  await expect(page.locator('.claim .code')).toHaveText(new RegExp(`${code.slice(0, 4)}.${code.slice(4)}`));
  await page.getByText('Not now', { exact: true }).click();
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByRole('heading', { name: 'Coupons' })).toBeVisible();
  await tapDone(page);
  const [survey] = await untilSurveys(world, person, 1);
  expect(await owedTo(world, survey?.id ?? '')).toEqual([
    expect.objectContaining({ kind: 'INTERVIEW', state: 'DUE', method: null }),
  ]);
});

interface Interviewed {
  id: string;
  issuedCodes: string[];
}

/** Submits the interview of a participant with this coupon. */
async function interviewed(world: World, by: Person, referralCode: string): Promise<Interviewed> {
  const body = {
    location: world.sites.harbor,
    status: 'COMPLETED',
    responses: EXAMPLE_RESPONSES,
    referralCode,
  };
  return await call<Interviewed>(world, by.token, 'POST', '/api/surveys', body);
}

test('returning people are paid by claim number, only once even if a response is lost', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  const interviewer = await world.person();
  const code = await newSeed(world);
  const first = await interviewed(world, interviewer, code);
  const [coupon = ''] = first.issuedCodes;
  const second = await interviewed(world, interviewer, coupon);
  const payer = await world.person({ firstName: 'Pia' });

  await enter(page, world, payer);
  await page.getByRole('link', { name: 'Pay a returning person' }).click();
  const claim = page.getByLabel('Claim number');
  await expect(claim).toBeFocused();
  await claim.fill('ABCD-EFGH');
  await expect(page.getByText('This code has a typo')).toBeVisible();
  await claim.fill(await newSeed(world));
  await expect(page.getByText('No interview found with this number')).toBeVisible();
  await claim.fill(code);
  await expect(page.getByRole('checkbox', { name: 'Interview $20.00' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Recruit $10.00' })).toBeChecked();
  await expect(page.getByText('Paid at: Harbor shelter')).toBeVisible();
  await check(page, 'what is due');

  let requestCount = 0;
  await context.route('**/api/incentives/*/pay', async (route) => {
    requestCount += 1;
    if (requestCount > 1) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Pay $30.00' }).click();
  await expect(page.getByText('We don’t know yet if this was recorded')).toBeVisible();
  await page.getByRole('button', { name: 'Pay $30.00' }).click();
  await expect(page.getByText('Paid $30.00')).toBeVisible();
  await check(page, 'paid');
  const paid = await owedTo(world, first.id);
  expect(paid.map(({ state, method, paidBy }) => [state, method, paidBy])).toEqual([
    ['PAID', 'CASH', payer.id],
    ['PAID', 'CASH', payer.id],
  ]);

  // The next payment in three steps, by keyboard: the number, "Pay", "Next person".
  await expect(page.getByRole('button', { name: 'Next person' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(claim).toBeFocused();
  await page.keyboard.type(coupon);
  const pay = page.getByRole('button', { name: 'Pay $20.00' });
  await expect(pay).toBeVisible();
  // Someone else pays first.
  const [due] = await owedTo(world, second.id);
  const quicker = { method: 'CASH', clientId: crypto.randomUUID(), code: coupon };
  await call(world, interviewer.token, 'POST', `/api/incentives/${due?.id}/pay`, quicker);
  await pay.press('Enter');
  await expect(page.getByText('This has already been paid.')).toBeVisible();
  await expect(page.getByText('Nothing is due')).toBeVisible();
  await expect(page.getByText('Paid before: 1 payment, $20.00')).toBeVisible();

  await context.setOffline(true);
  await page.getByRole('button', { name: 'Next person' }).click();
  await expect(page.getByText('You need to be online to pay someone')).toBeVisible();
  await check(page, 'paying without a signal');
});

test('a gift card’s reference is cleared when another claim number is entered', async ({ page, world }) => {
  const interviewer = await world.person();
  const code = await newSeed(world);
  const { issuedCodes } = await interviewed(world, interviewer, code);
  const [coupon = ''] = issuedCodes;
  await interviewed(world, interviewer, coupon);
  await enter(page, world, interviewer);
  await page.getByRole('link', { name: 'Pay a returning person' }).click();
  const claim = page.getByLabel('Claim number');
  await claim.fill(code);
  const card = page.getByRole('radio', { name: 'Gift card' });
  const reference = page.getByLabel('Reference (optional)');
  await card.check({ force: true });
  await reference.fill('card 4711');
  await claim.fill(coupon);
  await expect(page.getByRole('button', { name: 'Pay $20.00' })).toBeVisible();
  await expect(card).toBeChecked();
  await expect(reference).toHaveValue('');
});

test('the claim number is shown with its QR code beside the coupons, on paper and in My work, always labeled', async ({
  page,
  world,
}) => {
  const person = await world.person();
  await enter(page, world, person);
  await untilReady(page);
  await startInterview(page, null);
  await answerAll(page, 7, toLastStep);
  const code = (await page.locator('.claim .code').textContent()) ?? '';
  await page.getByRole('radio', { name: 'Not now' }).press('Space');
  await page.getByRole('button', { name: 'Finish' }).click();
  const slip = page.getByRole('article', { name: 'Claim number' });
  await expect(slip).toContainText(code);
  await expect(slip.getByRole('img', { name: `QR code of the claim number ${code}` })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(slip).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  const [coupon] = await shownCodes(page);
  await tapDone(page);
  await untilSurveys(world, person, 1);
  await page.getByRole('link', { name: 'My work' }).click();
  await page.getByRole('link', { name: `Claim number: ${code}` }).click();
  await expect(slip).toContainText(code);
  // A coupon to hand out is not the number that its person is paid with.
  await page.goto(`${world.url}/pay`);
  await page.getByLabel('Claim number').fill(coupon ?? '');
  await expect(page.getByText('This isn’t a claim number')).toBeVisible();
  await expect(page.getByText('with their own claim number')).toBeVisible();
});
