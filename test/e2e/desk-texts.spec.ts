/** Texts and gift cards in the dashboard: turned on in the settings, looked at beside the payments. */
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
  await page.getByLabel('Texts per day, at most').fill('50');
  await faultless(page, 'study-texts');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  const study = await call<{ contacts: string; messages: { moneyDue: { on: boolean } } }>(
    world,
    world.admin.token,
    'GET',
    '/api/study',
  );
  expect([study.contacts, study.messages.moneyDue.on]).toEqual(['SMS', true]);

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
  await expect(page.getByText(/is in the file twice/)).toBeVisible();
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
