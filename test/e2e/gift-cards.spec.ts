/** Gift cards that the study has stored: paid on the phone after the interview, to people who return, and on the dashboard. */
import type { Page } from '@playwright/test';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import { check, faultless } from './page-checks.ts';
import {
  answerAll,
  call,
  enter,
  expect,
  newSeed,
  setIncentives,
  startInterview,
  surveysOf,
  test,
  toLastQuestion,
  type World,
} from './world.ts';

let serial = 603_950_200_000;

async function stock(world: World, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, at) => String(serial + at));
  serial += count;
  const file = ['number,pin,amount,currency', ...numbers.map((one) => `${one},4321,20.00,USD`)].join('\n');
  const answer = await fetch(`${world.url}/api/cards/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.admin.token}`, 'content-type': 'text/csv' },
    body: file,
  });
  expect(answer.status).toBe(200);
  return numbers;
}

test.beforeAll(async ({ world }) => {
  await setIncentives(world, { currency: 'USD', interview: '20.00', recruit: null, recruitLimit: null });
});
test.afterAll(async ({ world }) => {
  await setIncentives(world, { currency: 'USD' });
  // Other tests pay with cards that the study does not know.
  const database = (await world.service.database()).db('field_survey');
  await database.collection('cards').deleteMany({});
  await database.collection('studies').updateOne({}, { $set: { giftCards: false } });
});

const spaced = (number: string | undefined) => (number ?? '').replace(/(\d{4})(?=\d)/g, '$1 ');
const inHistory = (page: Page) => page.evaluate(() => JSON.stringify(history.state));

test('after the interview, the phone sends it first and then shows a gift card of the study', async ({
  page,
  context,
  world,
}) => {
  const [number] = await stock(world, 1);
  const person = await world.person();
  await enter(page, world, person);
  await startInterview(page, null);
  await answerAll(page, 7, async () => {
    await page.getByLabel('Show a page of questions').click();
    await toLastQuestion(page);
    await page.getByRole('button', { name: 'Finish' }).click();
  });
  await expect(page.getByText(/choose “Not now” and pay after the coupons/)).toBeVisible();
  await page.getByText('Not now', { exact: true }).click();
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByRole('heading', { name: 'Coupons' })).toBeVisible();
  let isHeld = true;
  await context.route('**/api/surveys', async (route) => {
    while (isHeld) await new Promise((resolve) => setTimeout(resolve, 50));
    await route.continue();
  });
  await page.getByRole('link', { name: 'Pay with a gift card' }).click();
  await expect(page.getByText('Sending the interview first…')).toBeVisible();
  isHeld = false;
  await expect(page.getByRole('button', { name: 'Pay $20.00' })).toBeVisible();
  expect(await surveysOf(world, person)).toHaveLength(1);
  await page.getByText('Gift card', { exact: true }).click();
  await expect(page.getByRole('radio', { name: 'Show one from the stock' })).toBeChecked();
  await expect(page.getByLabel('Reference (optional)')).toHaveCount(0);
  await check(page, 'choice of a gift card');
  await page.getByRole('button', { name: 'Pay $20.00' }).click();
  await expect(page.getByText(spaced(number))).toBeVisible();
  await expect(page.getByText('4321')).toBeVisible();
  await check(page, 'a gift card');

  // The browser stores its history, and the phone what it knows: neither has the card.
  await page.getByRole('link', { name: 'Receipt' }).click();
  await expect(page.getByText(`…${number?.slice(-4)}`)).toBeVisible();
  expect(await inHistory(page)).not.toContain(number);
  await page.goto(`${world.url}/pay/day`);
  await page.getByRole('button', { name: 'Show the card' }).click();
  await expect(page.getByText(spaced(number))).toBeVisible();
  await check(page, 'a gift card shown again');
});

test('the dashboard pays several people with cards by text, and each text is sent once', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const numbers = await stock(world, 2);
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  await call(world, world.admin.token, 'PATCH', '/api/study', {
    ...{ contacts: 'SMS', messages: { card: { on: true } } },
    // Twelve hours from now; the tests are in Los Angeles.
    quietHours: { from: clock(12 - 8), to: clock(13 - 8) },
  });
  const volunteer = await world.person({ firstName: 'Carda' });
  for (const last of [1, 2])
    await call(world, volunteer.token, 'POST', '/api/surveys', {
      ...{ location: world.sites.harbor, status: 'COMPLETED', responses: EXAMPLE_RESPONSES },
      contact: { phone: `+1206555019${last}`, language: 'en', consent: true },
    });
  await enter(page, world, world.admin, `/desk/payments?state=DUE&search=carda`);
  await expect(page.getByRole('checkbox')).toHaveCount(3);
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await page.getByRole('button', { name: 'Pay selected' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Gift card', { exact: true }).click();
  await expect(dialog.getByRole('radio', { name: 'Text one from the stock' })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: 'Show one from the stock' })).toHaveCount(0);
  const choice = dialog.getByLabel('Paid at');
  if ((await choice.count()) > 0) await choice.selectOption({ index: 1 });
  await faultless(page, 'dashboard-pay-cards-by-text');
  await dialog.getByRole('button', { name: 'Pay' }).click();
  const texts = async () => {
    const { data } = await call<{ data: { kind: string; state: string }[] }>(
      world,
      world.admin.token,
      'GET',
      '/api/messages?kind=CARD',
    );
    return data.map(({ state }) => state);
  };
  await expect.poll(texts, { timeout: 30_000 }).toEqual(['SENT', 'SENT']);
  await page.goto(`${world.url}/desk/payments/messages`);
  await expect(page.getByRole('row', { name: /Gift card/ })).toHaveCount(2);
  // When it was sent, in words.
  await expect(page.locator('tbody')).not.toContainText(/\dT\d/);
  for (const secret of [...numbers, '5550191', '5550192']) expect(await page.content()).not.toContain(secret);
  await call(world, world.admin.token, 'PATCH', '/api/study', { contacts: 'OFF', messages: {} });
});

test('the dashboard pays with a card of the study, shows it again, and says when none is left', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const [number] = await stock(world, 1);
  const body = { location: world.sites.harbor, status: 'COMPLETED', responses: EXAMPLE_RESPONSES };
  const volunteer = await world.person();
  const interviews = await Promise.all(
    [1, 2].map(async () =>
      call<{ id: string }>(world, volunteer.token, 'POST', '/api/surveys', {
        ...body,
        referralCode: await newSeed(world),
      }),
    ),
  );
  await enter(page, world, world.admin, `/desk/surveys/${interviews[0]?.id}`);
  const pay = async () => {
    await page.getByRole('button', { name: /^Pay/ }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Gift card', { exact: true }).click();
    await expect(dialog.getByRole('radio', { name: 'Show one from the stock' })).toBeChecked();
    const choice = dialog.getByLabel('Paid at');
    if ((await choice.count()) > 0) await choice.selectOption({ index: 1 });
    await faultless(page, 'dashboard-pay-card');
    await dialog.getByRole('button', { name: 'Pay' }).click();
    return dialog;
  };
  const shown = await pay();
  await expect(shown.getByText(spaced(number))).toBeVisible();
  await faultless(page, 'dashboard-card');
  await shown.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText(`…${number?.slice(-4)}`)).toBeVisible();
  await page.getByRole('button', { name: /^Show the card/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Show the card' }).click();
  await expect(page.getByText(spaced(number))).toBeVisible();
  await page.goto(`${world.url}/desk/surveys/${interviews[0]?.id}`);
  await page.getByRole('button', { name: /^Reopen/ }).click();
  await expect(page.getByRole('dialog').getByText(/Ask the vendor to cancel it too/)).toBeVisible();
  await page.goto(`${world.url}/desk/surveys/${interviews[1]?.id}`);
  const refused = await pay();
  await expect(refused.getByText('No gift card of this amount is left.')).toBeVisible();
});
