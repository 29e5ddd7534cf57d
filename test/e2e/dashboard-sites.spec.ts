/** The dashboard's sites, seeds, coupons and settings, and the first run of a new service. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import { forged } from './dashboard.ts';
import { expectNoFaults, faultless } from './page-checks.ts';
import { startService } from './service.ts';
import {
  call,
  enter,
  expect,
  follow,
  newSeed,
  newSite,
  setIncentives,
  test,
  withoutTapShield,
} from './world.ts';

test.use({ viewport: { width: 1280, height: 800 } });

async function downloadPdf(page: Page): Promise<Buffer> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Create PDF' }).click();
  const file = await readFile(await (await coming).path());
  // If something does not fit on a sheet (sites of other tests), the dialog says so and stays open.
  const dialog = page.getByRole('dialog');
  const notes = dialog.locator('.notice').filter({ hasText: 'it doesn’t include everything' });
  await expect(async () => {
    if (await notes.isVisible()) await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0, { timeout: 500 });
  }).toPass({ timeout: 15_000 });
  return file;
}

const rowOf = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text });

test('a site can be added, edited and closed; a name already taken is rejected', async ({ page, world }) => {
  await enter(page, world, world.admin, '/desk/sites');
  await page.getByRole('button', { name: 'Add a site' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('harbor SHELTER');
  await dialog.getByLabel('Address').fill('9 Long Lane');
  await dialog.getByLabel('Latitude').fill('47,6');
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByLabel('Longitude').fill('-222');
  await expect(dialog.getByText('A number from -180 to 180')).toBeVisible();
  await dialog.getByLabel('Longitude').fill('-122.3');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('This name is already in use.')).toBeVisible();
  await faultless(page, 'a site refused');
  await expect(dialog.getByLabel('Address')).toHaveValue('9 Long Lane');
  await dialog.getByLabel('Name').fill('Long Lane clinic');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Added Long Lane clinic.')).toBeVisible();
  await expect(rowOf(page, 'Long Lane clinic')).toContainText('47.6, -122.3');

  await page.getByRole('button', { name: 'Edit: Long Lane clinic' }).click();
  await dialog.getByLabel('Type').selectOption('Clinic');
  // Someone else moves it meanwhile.
  const sites = await call<{ data: { id: string; name: string }[] }>(world, '', 'GET', '/api/locations');
  const id = sites.data.find(({ name }) => name === 'Long Lane clinic')?.id;
  const coordinates = { latitude: 47.5, longitude: -122.4 };
  await call(world, world.admin.token, 'PATCH', `/api/locations/${id}`, { coordinates });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(rowOf(page, 'Long Lane clinic')).toContainText('Clinic');
  await expect(rowOf(page, 'Long Lane clinic')).toContainText('47.5, -122.4');

  await page.getByRole('button', { name: 'Close site: Long Lane clinic' }).click();
  await expect(dialog.getByText('You can no longer choose this site for new work.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close site' }).click();
  await expect(rowOf(page, 'Long Lane clinic')).toHaveCount(0);
});

test('a site import is checked line by line, warns where it erases values, and is stored whole or not at all', async ({
  page,
  world,
}) => {
  const body = { name: 'Quay tent', type: 'STREET', coordinates: { latitude: 47.6, longitude: -122.3 } };
  await call(world, world.admin.token, 'POST', '/api/locations', body);
  await enter(page, world, world.admin, '/desk/sites');
  await page.getByRole('button', { name: 'Import sites' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Or paste the table here');
  await field.fill('name,colour\nA,red');
  await dialog.getByRole('button', { name: 'Check first' }).click();
  await expect(dialog.getByText('The column “colour” is unknown.')).toBeVisible();

  const table = (kind: string) =>
    `name;type;address\r\nJetty kitchen;meal site;"1 Jetty; back door"\r\nElm clinic;${kind};\r\n`;
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'sites.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`\ufeff${table('CASTLE')}`),
  });
  await dialog.getByRole('button', { name: 'Check first' }).click();
  await expect(dialog.getByText('1 line has an error.')).toBeVisible();
  await expect(rowOf(page, 'Elm clinic')).toContainText('Error');
  await faultless(page, 'lines of an import');
  await expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled();

  await field.fill('name,address,latitude,longitude\nquay tent,1 Quay,,');
  await dialog.getByRole('button', { name: 'Check first' }).click();
  const line = dialog.getByRole('row').filter({ hasText: 'quay tent' });
  await expect(line).toContainText('Position: from 47.6, -122.3 to nothing');
  await expect(line).toContainText('Address: from nothing to 1 Quay');
  await expect(dialog.getByText('1 line clears saved values')).toBeVisible();
  await faultless(page, 'an import that erases');
  await field.fill('name,address\nquay tent,1 Quay');
  await dialog.getByRole('button', { name: 'Check first' }).click();
  await expect(dialog.getByText('1 line clears')).toHaveCount(0);
  await expect(line).toContainText('Address: from nothing to 1 Quay');
  await field.fill('name,type,address\nquay tent,CASTLE,1 Quay');
  await dialog.getByRole('button', { name: 'Check first' }).click();
  await expect(line).toContainText('Error Type: This must be one of');

  await field.fill(table('clinic'));
  await dialog.getByRole('button', { name: 'Check first' }).click();
  await expect(dialog.getByText('All lines are valid: 2 new, 0 changed, 0 unchanged.')).toBeVisible();
  const names = async () =>
    (await call<{ data: { name: string }[] }>(world, '', 'GET', '/api/locations')).data.map(
      ({ name }) => name,
    );
  expect(await names()).not.toContain('Jetty kitchen');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(page.getByText('2 sites were added or changed.')).toBeVisible();
  expect(await names()).toContain('Jetty kitchen');
  await expect(rowOf(page, 'Jetty kitchen')).toContainText('1 Jetty; back door');
  await page.getByLabel('Name or address').fill('jetty');
  await expect(page).toHaveURL(/search=jetty/);
  await expect(rowOf(page, 'Elm clinic')).toHaveCount(0);
});

test('seeds can be created and printed, and an unused one voided', async ({ page, world }) => {
  // A new site, because other tests may have left unused seeds at others.
  await newSite(world, 'Thursday hall');
  await enter(page, world, world.admin, '/desk/seeds');
  await page.getByRole('button', { name: 'Create seeds' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Site').selectOption('Thursday hall');
  await dialog.getByLabel('How many?').fill('2');
  await dialog.getByLabel('Note').fill('Thursday table');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(dialog.getByText('Created 2 seeds.')).toBeVisible();
  await faultless(page, 'seeds made');
  expect((await downloadPdf(page)).subarray(0, 5).toString()).toBe('%PDF-');
  await expect(rowOf(page, 'Thursday table')).toHaveCount(2);

  await page.getByLabel('Site', { exact: true }).selectOption('Thursday hall');
  await expect(page).toHaveURL(/location=/);
  await page
    .getByRole('button', { name: /^Void: / })
    .first()
    .click();
  await expect(dialog.getByText('Its code will no longer be accepted.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Void' }).click();
  await expect(rowOf(page, 'Thursday table')).toHaveCount(1);

  const printUnused = page.getByRole('button', { name: 'Print all unused' });
  await expect(printUnused).toBeEnabled();
  await page.getByRole('button', { name: /^Void: / }).click();
  await dialog.getByRole('button', { name: 'Void' }).click();
  await expect(page.getByText('This site has no unused seeds to print.')).toBeVisible();
  await expect(printUnused).toBeDisabled();
});

test('a volunteer can create and print seeds but not void them', async ({ page, world }) => {
  const volunteer = await world.person();
  await newSeed(world);
  const { data } = await call<{ data: { id: string }[] }>(
    world,
    world.admin.token,
    'GET',
    '/api/seeds?limit=1',
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, world, volunteer);
  // The only dashboard page that volunteers may open is in the navigation itself.
  await page.getByRole('link', { name: 'Seeds' }).click();
  await expect(page.getByRole('button', { name: 'Create seeds' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Print: / }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Void/ })).toHaveCount(0);
  expect(await forged(world, volunteer, 'DELETE', `/api/seeds/${data[0]?.id}`)).toBe(403);
  await page
    .getByRole('button', { name: /^Print: / })
    .first()
    .click();
  expect((await downloadPdf(page)).subarray(0, 5).toString()).toBe('%PDF-');
});

test('a batch can be created and printed, its unused coupons voided with a reason, and a code looked up', async ({
  page,
  world,
}) => {
  await enter(page, world, world.admin, '/desk/coupons');
  await page.getByRole('button', { name: 'Print new coupons' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Site').selectOption('Harbor shelter');
  await dialog.getByLabel('How many?').fill('12');
  await dialog.getByLabel('Note').fill('Winter sheets');
  await dialog.getByRole('button', { name: 'Create coupons' }).click();
  expect((await downloadPdf(page)).subarray(0, 5).toString()).toBe('%PDF-');
  await faultless(page, 'a batch made');

  await page.getByRole('link', { name: 'Winter sheets' }).click();
  await expect(page.getByText('12 total.')).toBeVisible();
  await faultless(page, 'codes');
  const code = (await page.getByRole('rowheader').first().textContent()) ?? '';
  await page.getByRole('textbox', { name: 'Check a coupon code' }).fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText(`${code} is valid`)).toBeVisible();
  await page
    .getByRole('region', { name: 'Check a coupon code' })
    .getByRole('button', { name: /^Void/ })
    .click();
  await expect(dialog.getByRole('button', { name: 'Void' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('Found in the rain');
  await dialog.getByRole('button', { name: 'Void' }).click();
  await expect(page.getByText('The coupon is voided.')).toBeVisible();

  await page.getByText('Printed batches', { exact: true }).click();
  await page.getByRole('button', { name: 'Void: Winter sheets' }).click();
  await expect(dialog.getByText('Void the 11 coupons that weren’t handed out?')).toBeVisible();
  await dialog.getByLabel('Reason').fill('The sheet was lost');
  await dialog.getByRole('button', { name: 'Void' }).click();
  await expect(page.getByText('11 coupons are voided.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Void: Winter sheets' })).toHaveCount(0);
});

test('a returned coupon links to both interviews and their tree', async ({ page, world }) => {
  const seed = await newSeed(world);
  const submit = (body: object) =>
    call<{ id: string; issuedCodes: string[]; seed: string }>(
      world,
      world.admin.token,
      'POST',
      '/api/surveys',
      {
        location: world.sites.harbor,
        responses: {
          consent: 'yes',
          isAdult: 'yes',
          sleptOutside: 'yes',
          interviewedBefore: 'no',
          networkSize: 3,
        },
        ...body,
      },
    );
  const first = await submit({ referralCode: seed });
  const code = first.issuedCodes[0] ?? '';
  const second = await submit({ referralCode: code, location: world.sites.chapel });
  await enter(page, world, world.admin, '/desk/coupons');
  await page.getByRole('textbox', { name: 'Check a coupon code' }).fill(code);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const lookup = page.getByRole('region', { name: 'Check a coupon code' });
  await expect(lookup.getByText(/has already been used/)).toBeVisible();
  await expect(lookup.getByRole('link', { name: /Chapel meals/ })).toHaveAttribute(
    'href',
    `/desk/surveys/${second.id}`,
  );
  await expect(lookup.getByRole('link', { name: /Harbor shelter/ })).toHaveAttribute(
    'href',
    `/desk/surveys/${first.id}`,
  );
  await expectNoFaults(page, 'a code looked up');
  await lookup.getByRole('link', { name: 'Show tree' }).click();
  await expect(page).toHaveURL(new RegExp(`/desk/tree/${first.seed}`));
});

test('a manager can read but not edit sites, and print coupons but not list them', async ({
  page,
  world,
}) => {
  const manager = await world.person({ role: 'MANAGER', firstName: 'Mona' });
  const code = await newSeed(world);
  await enter(page, world, manager, '/desk/sites');
  await expect(rowOf(page, 'Harbor shelter')).toBeVisible();
  await expect(page.getByRole('button', { name: /Add a site|Import|Edit|Close/ })).toHaveCount(0);
  await page.goto(`${world.url}/desk/coupons`);
  await expect(page.getByRole('button', { name: 'Print new coupons' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Check a coupon code' }).fill(code);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/is valid/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Void/ })).toHaveCount(0);
  await expect(page.getByText('All coupons')).toHaveCount(0);
});

test('settings can be changed, invalid ones are rejected, and changes are in the history', async ({
  page,
  world,
}) => {
  await enter(page, world, world.admin, '/desk/study');
  await page.getByLabel('Days a coupon is valid').fill('30');
  await page.getByLabel('Study name').fill(' ');
  // Unsaved changes survive visiting another page.
  await page.getByRole('link', { name: 'Sites', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Sites' })).toBeVisible();
  await page.getByRole('link', { name: 'Study', exact: true }).click();
  await expect(page.getByText('2 unsaved changes.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Something is missing or invalid.' })).toBeVisible();
  await expect(page.getByLabel('Days a coupon is valid')).toHaveValue('30');
  await page.getByLabel('Study name').fill('Harbor count');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(rowOf(page, 'Days a coupon is valid: from nothing to 30')).toContainText('Ada Field');
  await expect(page.getByText('America/Los_Angeles', { exact: true })).toBeVisible();
  await faultless(page, 'study settings');

  await page.getByLabel('Add a language').selectOption('Somali');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('Coupon text in Somali').fill('Keen kuubankan.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No changes to save.')).toBeVisible();
  expect(await call(world, world.admin.token, 'GET', '/api/study')).toMatchObject({
    couponValidDays: 30,
    languages: expect.arrayContaining(['so']),
    couponText: { so: 'Keen kuubankan.' },
  });

  // Someone else writes the text of another language meanwhile.
  await page.getByLabel('Coupon text in Somali').fill('Keen kuubankan oo dhan.');
  const { couponText } = await call<{ couponText: object }>(world, world.admin.token, 'GET', '/api/study');
  const theirs = { ...couponText, fa: 'این کوپن را بیاورید.' };
  await call(world, world.admin.token, 'PATCH', '/api/study', { couponText: theirs });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No changes to save.')).toBeVisible();
  expect(await call(world, world.admin.token, 'GET', '/api/study')).toMatchObject({
    couponText: { ...theirs, so: 'Keen kuubankan oo dhan.' },
  });
});

test('settings and sites are saved once the service has stored them, whatever else the page is still asking for', async ({
  page,
  world,
}) => {
  const { name } = await call<{ name: string }>(world, world.admin.token, 'GET', '/api/study');
  await enter(page, world, world.admin, '/desk/study');
  await expect(page.getByLabel('Study name')).toHaveValue(name);
  await expect(page.getByRole('region', { name: 'Change history' }).getByRole('row').first()).toBeVisible();
  // None of these is ever answered.
  await page.route(/\/api\/(audit|questionnaires|auth\/session)/, () => undefined);
  await page.getByLabel('Study name').fill('Saved at once');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(page.getByText('No changes to save.')).toBeVisible();
  await expect(page.getByLabel('Study name')).toHaveValue('Saved at once');
  await page.getByLabel('Study name').fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No changes to save.')).toBeVisible();
  await page.unrouteAll();
  expect(await call(world, world.admin.token, 'GET', '/api/study')).toMatchObject({ name });
  await newSite(world, 'Answered at once');
  await follow(page, '/desk/sites');
  await page.getByRole('button', { name: 'Edit: Answered at once' }).click();
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? undefined : route.continue(),
  );
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('1 Short Street');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Updated Answered at once.')).toBeVisible();
  await expect(dialog).toBeHidden();
});

test('unsaved settings do not keep the window open once their owner has signed out', async ({
  page,
  world,
}) => {
  const admin = await world.person({ role: 'ADMIN' });
  await enter(page, world, admin, '/desk/study');
  const asks = () =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await page.getByLabel('Study name').fill('Never saved');
  expect(await asks()).toBe(true);
  await page.getByRole('link', { name: 'Me', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.getByLabel('Your phone number')).toBeVisible();
  expect(await asks()).toBe(false);
});

test('results settings can be changed, and errors of the API appear at their fields', async ({
  page,
  world,
}) => {
  await enter(page, world, world.admin, '/desk/study');
  await page.getByLabel('Lowest plausible population size').fill('900');
  await page.getByLabel('Estimated population size').fill('500');
  await page.getByLabel('Smallest group to show').fill('8');
  await page.getByLabel('Calculate confidence intervals every night').uncheck();
  await page.getByRole('button', { name: 'Add outcome' }).click();
  await page.getByLabel('Short name').fill('isVeteran');
  await page.getByLabel('Title in English').fill('Has served');
  await page.getByLabel('Formula').fill("{soldier} = 'yes'");
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await expect(page.getByLabel('Lowest plausible population size')).toHaveAccessibleDescription(
    /must be in ascending order/,
  );
  await page.getByLabel('Lowest plausible population size').fill('400');
  await save.click();
  const expression = page.getByLabel('Formula');
  await expect(expression).toHaveAccessibleDescription(/no question named soldier/);
  await expression.fill("{veteran} = 'yes'");
  await save.click();
  await expect(page.getByText('No changes to save.')).toBeVisible();
  expect(await call(world, world.admin.token, 'GET', '/api/study')).toMatchObject({
    populationSizeLow: 400,
    populationSize: 500,
    smallestCell: 8,
    analysisRuns: 'OFF',
    outcomes: [
      { name: 'isVeteran', title: { en: 'Has served' }, kind: 'CATEGORY', expression: "{veteran} = 'yes'" },
    ],
  });
  await expect(rowOf(page, 'Smallest group to show: from 5 to 8')).toContainText('Ada Field');
  await faultless(page, 'settings of results');

  const admin = await world.person({ role: 'ADMIN', firstName: 'Anna' });
  await enter(page, world, admin, '/desk/study');
  await expect(page.getByLabel('Smallest group to show')).toBeDisabled();
  // With outcomes of their own, people could derive suppressed numbers.
  await expect(page.getByRole('button', { name: 'Remove isVeteran' })).toHaveCount(0);
  await page.getByLabel('Calculate confidence intervals every night').check();
  await save.click();
  await expect(page.getByText('No changes to save.')).toBeVisible();
  expect(await call(world, world.admin.token, 'GET', '/api/study')).toMatchObject({
    outcomes: [{ name: 'isVeteran' }],
    analysisRuns: 'AUTOMATIC',
  });
});

test('incentives can be set with a currency, an invalid amount is rejected at its field, and the history lists them', async ({
  page,
  world,
}) => {
  await enter(page, world, world.admin, '/desk/study');
  await page.getByLabel('Currency').selectOption('USD – US Dollar');
  await page.getByLabel('For the interview').fill('20');
  await page.getByLabel('For each recruit').fill('ten');
  await page.getByLabel('Maximum recruits paid for, per person').fill('3');
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await expect(page.getByLabel('For each recruit')).toHaveAccessibleDescription(/Enter an amount above 0/);
  await page.getByLabel('For each recruit').fill('10,5');
  await save.click();
  await expect(page.getByText('No changes to save.')).toBeVisible();
  await expect(page.getByLabel('For the interview')).toHaveValue('20.00');
  expect(await call(world, world.admin.token, 'GET', '/api/study')).toMatchObject({
    incentives: { currency: 'USD', interview: '20.00', recruit: '10.50', recruitLimit: 3 },
  });
  await expect(rowOf(page, /Incentives.*For the interview: 20.00/).first()).toContainText('Ada Field');
  await faultless(page, 'settings of incentives');

  // Someone else changes another amount meanwhile: both changes are kept.
  await page.getByLabel('For each recruit').fill('12');
  await setIncentives(world, { currency: 'USD', interview: '25.00', recruit: '10.50', recruitLimit: 3 });
  await save.click();
  await expect(page.getByText('No changes to save.')).toBeVisible();
  expect(await call(world, world.admin.token, 'GET', '/api/study')).toMatchObject({
    incentives: { currency: 'USD', interview: '25.00', recruit: '12.00', recruitLimit: 3 },
  });

  // After the first interview with an incentive, the currency is fixed.
  const volunteer = await world.person();
  const body = { location: world.sites.harbor, status: 'COMPLETED', responses: EXAMPLE_RESPONSES };
  await call(world, volunteer.token, 'POST', '/api/surveys', body);
  await page.getByLabel('Currency').selectOption('JPY – Japanese Yen');
  await page.getByLabel('For the interview').fill('2000');
  await page.getByLabel('For each recruit').fill('');
  await save.click();
  await expect(page.getByLabel('Currency')).toHaveAccessibleDescription(/You can’t change the currency/);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByLabel('Currency').selectOption('No incentives');
  await expect(page.getByLabel('For the interview')).toHaveCount(0);
  await page.getByRole('button', { name: 'Discard' }).click();
  await setIncentives(world, { currency: 'USD' });
});

test('the set-up link of a new service leads through the wizard to its first seeds', async ({ browser }) => {
  test.setTimeout(180_000);
  const service = await startService();
  const context = await withoutTapShield(
    await browser.newContext({
      locale: 'en-US',
      timezoneId: 'America/Denver',
      viewport: { width: 390, height: 844 },
    }),
  );
  try {
    const page = await context.newPage();
    await page.goto(service.url);
    await expect(page.getByText('This service isn’t set up yet')).toBeVisible();
    await page.goto(`${service.url}/setup#token=${service.setupToken()}`);
    await page.getByLabel('First name').fill('Ada');
    await faultless(page, 'set-up');
    await page.getByLabel('Last name').fill('Field');
    // A mistyped number does not use up the link.
    await page.getByLabel('Your phone number').fill('(206) 555-0101');
    await page.getByRole('button', { name: 'Text me a code' }).click();
    await expect(page.getByText('The link works until you enter a correct code')).toBeVisible();
    await faultless(page, 'set-up: code');
    await page.getByRole('button', { name: 'Use another number' }).click();
    await page.getByLabel('Your phone number').fill('(206) 555-0100');
    await page.getByRole('button', { name: 'Text me a code' }).click();
    await page.getByLabel('Code', { exact: true }).fill(await service.otp('+12065550100'));
    await expect(page.getByRole('heading', { name: 'Your study' })).toBeVisible();
    // Where the browser is, wherever the server is.
    await expect(page.getByText(/^America\/Denver: it’s now/)).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('America/Denver');
    await page.getByLabel('Study name').fill('River count');
    await page.getByLabel('Contact', { exact: true }).fill('(206) 555-0142');
    await page.getByLabel('Add a language').selectOption('Somali');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByText('The questions aren’t translated into Somali')).toBeVisible();
    await expect(page.getByText('The coupon has no text in Somali')).toBeVisible();
    await expect(page.getByText(/buttons and messages are only available in English/)).toBeVisible();
    await faultless(page, 'wizard: study');
    await page.getByRole('button', { name: 'Next' }).click();

    await expect(page.getByRole('heading', { name: 'Your sites' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
    await expect(page.getByText('Add a site first')).toBeVisible();
    await page.getByLabel('Name').fill('Rivver shelter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove Rivver shelter' }).click();
    await page.getByRole('button', { name: 'Remove site' }).click();
    await expect(page.getByText('Rivver shelter')).toHaveCount(0);
    await page.getByLabel('Name').fill('River shelter');
    await page.keyboard.press('Enter');
    await expect(page.getByText('River shelter')).toBeVisible();
    await expect(page.getByText('No site has an address yet')).toBeVisible();
    await page.getByRole('button', { name: 'Edit: River shelter' }).click();
    await page.getByRole('dialog').getByLabel('Address').fill('1 River Road');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('1 River Road')).toBeVisible();
    await expect(page.getByText('No site has an address yet')).toHaveCount(0);
    await faultless(page, 'wizard: sites');
    // Typed text is not lost on continuing.
    await page.getByLabel('Name').fill('Hill kitchen');
    await page.getByRole('button', { name: 'Add “Hill kitchen” and continue' }).click();
    await expect(page.getByRole('heading', { name: 'Your first seeds' })).toBeVisible();
    await expect(page.getByLabel('Site', { exact: true }).getByRole('option')).toContainText([
      'Hill kitchen',
    ]);

    await page.getByLabel('How many?').fill('3');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page.getByText('Created 3 seeds')).toBeVisible();
    await expect(page.locator('.dashboard-codes .code')).toHaveCount(3);
    const warning = page.getByText('Other phones can’t reach this service yet');
    await expect(warning).toBeVisible();
    await faultless(page, 'wizard: seeds');
    await page.getByRole('button', { name: 'Print' }).click();
    await expect(page.getByRole('dialog').getByText('Other phones can’t reach')).toBeVisible();
    // Somali has no coupon text: it is not left out silently.
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('The coupon has no text in Somali. Add it under “Study”.')).toBeVisible();
    await expect(dialog.getByRole('combobox', { name: 'Language' })).toContainText('English and Spanish');
    expect((await downloadPdf(page)).subarray(0, 5).toString()).toBe('%PDF-');
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByRole('heading', { name: 'Ready' })).toBeVisible();
    await expect(page.getByText(`${service.url}/sign-up`)).toBeVisible();
    await faultless(page, 'wizard: ready');
    await page.getByRole('link', { name: /Start the first interview/ }).click();
    await expect(page.getByLabel('Coupon code')).toBeVisible();
    await expect(page.getByLabel('Where are you?')).toHaveValue(/^[0-9a-f]{24}$/);

    // The link is used up, which is shown before anything is filled in.
    await page.goto(`${service.url}/setup#token=${service.setupToken()}`);
    await expect(page.getByText('This link has already been used')).toBeVisible();
    const stranger = await (await browser.newContext({ locale: 'en-US' })).newPage();
    await stranger.goto(`${service.url}/setup#token=${service.setupToken()}`);
    await expect(stranger.getByText('This link has already been used')).toBeVisible();
    await expect(stranger.getByLabel('First name')).toHaveCount(0);
    await stranger.getByRole('link', { name: 'Sign in' }).click();
    await expect(stranger.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await expect(stranger.getByText('This service isn’t set up yet')).toBeHidden();
    await stranger.context().close();
  } finally {
    await context.close();
    await service.stop();
  }
});
