/** Texts and gift cards in the dashboard: turned on in the settings, looked at beside the payments. */
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import { faultless } from './page-checks.ts';
import { call, enter, expect, setIncentives, test } from './world.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test.afterAll(async ({ world }) => {
  await call(world, world.admin.token, 'PATCH', '/api/study', { contacts: 'OFF', messages: {} });
  await setIncentives(world, { currency: 'USD' });
  // Other tests pay with cards that the study does not know.
  const database = (await world.service.database()).db('field_survey');
  await database.collection('cards').deleteMany({});
  await database.collection('studies').updateOne({}, { $set: { giftCards: false } });
});

test('a super-admin turns texts on, stores gift cards, and sees what is left', async ({ page, world }) => {
  await setIncentives(world, { currency: 'USD', interview: '20.00', recruit: null, recruitLimit: null });
  await enter(page, world, world.admin, '/desk/study');
  await page.getByLabel('Ask for a phone number for texts').check();
  await page.getByLabel('Tell people when money is due').check();
  await page.getByLabel('Hours to wait after money is due').fill('48');
  await page.getByLabel('Tell people before their coupons expire').check();
  await page.getByLabel('Days before the coupons expire').fill('5');
  await page.getByLabel('Texts per day, at most').fill('50');
  await faultless(page, 'study-texts');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  const study = await call<{
    contacts: string;
    messages: { moneyDue: { on: boolean; afterHours: number }; couponsExpire: { daysBefore: number } };
  }>(world, world.admin.token, 'GET', '/api/study');
  const { moneyDue, couponsExpire } = study.messages;
  expect([study.contacts, moneyDue.on, moneyDue.afterHours, couponsExpire.daysBefore]).toEqual([
    'SMS',
    true,
    48,
    5,
  ]);

  await page.goto(`${world.url}/desk/payments`);
  await page.getByRole('link', { name: 'Texts' }).click();
  await expect(page.getByText('No texts yet.')).toBeVisible();
  await faultless(page, 'texts');

  await page.goto(`${world.url}/desk/payments/cards`);
  await expect(page.getByText('No gift cards are stored.')).toBeVisible();
  const file = (lines: string) => ({
    ...{ name: 'cards.csv', mimeType: 'text/csv' },
    buffer: Buffer.from(`number,pin,amount,currency\n${lines}`),
  });
  await page.locator('input[type=file]').setInputFiles(file('1234,1,20.00,USD\n1234,1,20.00,USD\n'));
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText(/^Line 3: .*is in the file twice/)).toBeVisible();
  // So that the corrected file is read.
  await expect(page.getByText('Choose a file')).toBeVisible();
  await page.locator('input[type=file]').setInputFiles(file('603950120001,1,20.00,USD\n'));
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('1 card added.')).toBeVisible();
  await expect(page.getByText('Fewer than 20 cards of an amount are left.')).toBeVisible();
  await faultless(page, 'gift-cards');
  const row = page.getByRole('row', { name: /…0001/ });
  await row.getByRole('button', { name: /^Void/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/Nobody gets this card from now on/)).toBeVisible();
  await faultless(page, 'gift-card-void');
  await dialog.getByLabel(/Reason/).fill('The vendor says it was used.');
  await dialog.getByRole('button', { name: 'Void' }).click();
  await expect(row.getByText('Voided')).toBeVisible();
  await expect(row.getByText('The vendor says it was used.')).toBeVisible();
  await expect(row.getByRole('button')).toHaveCount(0);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: /Download/ }).click();
  expect((await saved).suggestedFilename()).toBe('cards.csv');
});

test('an interview shows that the person gets texts, without the number, and that can be undone', async ({
  page,
  world,
}) => {
  await call(world, world.admin.token, 'PATCH', '/api/study', { contacts: 'SMS' });
  const volunteer = await world.person();
  const { id } = await call<{ id: string }>(world, volunteer.token, 'POST', '/api/surveys', {
    ...{ location: world.sites.harbor, status: 'COMPLETED', responses: EXAMPLE_RESPONSES },
    contact: { phone: '+12065550177', language: 'es', consent: true },
  });
  await enter(page, world, world.admin, `/desk/surveys/${id}`);
  await expect(page.getByText('Gets texts (Spanish)')).toBeVisible();
  expect(await page.content()).not.toContain('5550177');
  await page.getByRole('button', { name: 'No longer wants texts' }).click();
  await expect(page.getByText(/The phone number is deleted/)).toBeVisible();
  await faultless(page, 'contact-removal');
  await page.getByRole('button', { name: 'Delete the number' }).click();
  await expect(page.getByText('Gets texts (Spanish)')).toBeHidden();
  const { contact } = await call<{ contact: null }>(world, world.admin.token, 'GET', `/api/surveys/${id}`);
  expect(contact).toBeNull();
});

test('the board shows what to prepare for tomorrow, in total and by site, and which cards are running low', async ({
  page,
  world,
}) => {
  const forecast = {
    ...{ asOf: new Date().toISOString(), noForecast: null, liveCoupons: 40, returnCurve: [] },
    days: [
      { day: '2026-12-01', expected: 11.4, low: 8, high: 15 },
      { day: '2026-12-02', expected: 9, low: 6, high: 12 },
    ].map((one) => ({ ...one, money: { low: '160.00', high: '340.00' }, interviewers: 3 })),
  };
  await page.route('**/api/recruitment/forecast*', async (route) =>
    route.fulfill({ response: await route.fetch(), json: forecast }),
  );
  await setIncentives(world, { currency: 'USD', interview: '20.00', recruit: null, recruitLimit: null });
  const answer = await fetch(`${world.url}/api/cards/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.admin.token}`, 'content-type': 'text/csv' },
    body: 'number,amount,currency\n603950129999,20.00,USD\n',
  });
  expect(answer.status).toBe(200);
  await enter(page, world, world.admin, '/desk/board');
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Tomorrow' }) });
  await expect(card).toContainText(
    'On Dec 1, 2026, expect about 11 people (most likely 8 to 15). Have $160.00 to $340.00 ready, in cash or gift cards. At the usual pace, 3 interviewers are enough.',
  );
  await card.getByText('By site').click();
  await expect(card.getByText('Harbor shelter')).toBeVisible();
  await expect(page.getByText('Gift cards are running low')).toBeVisible();
  await faultless(page, 'board-tomorrow');
});
