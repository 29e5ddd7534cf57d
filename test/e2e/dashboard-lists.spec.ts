/** The lists of the dashboard: many rows at a glance, sorting, and choosing columns. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { countClicks, couponTitle } from './dashboard.ts';
import { faultless } from './page-checks.ts';
import { call, enter, expect, newSeed, setHeld, test, type World } from './world.ts';

test.use({ viewport: { width: 1280, height: 900 } });

const ROWS = 24;

/** Creates ROWS people and interviews at a new site, the first with the latest interview date; returns the site. */
async function fill(world: World): Promise<string> {
  const site = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/locations', {
    name: `Long list ${crypto.randomUUID().slice(0, 8)}`,
  });
  for (let n = 0; n < ROWS; n += 1) {
    const phone = n === 0 ? '+525512345678' : world.newPhone();
    const body = {
      phone,
      firstName: `Pat${String(n).padStart(2, '0')}`,
      lastName: 'Lind',
      role: 'VOLUNTEER',
    };
    await call(world, world.admin.token, 'POST', '/api/users', body);
    const survey = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/surveys', {
      location: site.id,
      referralCode: await newSeed(world),
      responses: { consent: 'no' },
    });
    await setHeld(world, survey, new Date(Date.now() - (n + 2) * 3_600_000));
  }
  return site.id;
}

const rowsInView = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('.dashboard-table tbody tr')].filter(
        (row) => row.getBoundingClientRect().bottom <= window.innerHeight,
      ).length,
  );

test('a list shows at least eighteen rows, sorts by its headings and shows the chosen columns', async ({
  page,
  world,
}) => {
  test.setTimeout(180_000);
  const site = await fill(world);
  const rows = page.locator('.dashboard-table tbody tr');
  await enter(page, world, world.admin, '/desk/people?search=Pat');
  await expect(rows).toHaveCount(ROWS);
  expect(await rowsInView(page)).toBeGreaterThanOrEqual(18);
  await faultless(page, 'people');
  const abroad = page.getByRole('row', { name: /Pat00/ });
  await expect(abroad).toContainText('55 1234 5678 MX');
  await expect(abroad.getByTitle('+525512345678')).toBeVisible();
  // By the keyboard, as by the mouse; the order is in the address.
  const name = page.getByRole('columnheader', { name: 'Name' });
  await expect(name).toHaveAttribute('aria-sort', 'none');
  await name.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(name).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows.first()).toContainText('Pat00 Lind');
  await expect(page).toHaveURL(/sort=firstName/);
  await page.keyboard.press('Enter');
  await expect(name).toHaveAttribute('aria-sort', 'descending');
  await expect(rows.first()).toContainText(`Pat${ROWS - 1} Lind`);

  await page.goto(`${world.url}/desk/surveys?location=${site}`);
  await expect(rows).toHaveCount(ROWS);
  expect(await rowsInView(page)).toBeGreaterThanOrEqual(18);
  // The findings have arrived.
  for (const row of [rows.first(), rows.last()]) await expect(row).not.toContainText('…');
  const [latest, oldest] = [await rows.first().textContent(), await rows.last().textContent()];
  await page.getByRole('button', { name: 'Interview date' }).click();
  await expect(rows.first()).toHaveText(String(oldest));
  await expect(rows.last()).toHaveText(String(latest));
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Minutes' }).check();
  await page.getByRole('checkbox', { name: 'Wave' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Minutes' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Wave' })).toHaveCount(0);
  await page.goto(`${world.url}/desk/audit?location=${site}&subject=Survey`);
  await expect(rows).toHaveCount(ROWS);
  expect(await rowsInView(page), 'of the history').toBeGreaterThanOrEqual(18);
  // Someone else on the same device has not chosen.
  await enter(page, world, await world.person({ role: 'ADMIN' }), '/desk/surveys');
  await expect(page.getByRole('columnheader', { name: 'Wave' })).toBeVisible();
  await faultless(page, 'interviews');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByLabel('Sort by').selectOption({ label: 'Interview date, ascending' });
  await expect(rows.first()).toBeVisible();
  await expect(page).toHaveURL(/sort=heldAt/);
});

test('keyboard shortcuts move through rows, select and open them, and can be turned off', async ({
  page,
  world,
}) => {
  for (const name of ['Ka', 'Kb', 'Kc'])
    await call(world, world.admin.token, 'POST', '/api/users', {
      phone: world.newPhone(),
      firstName: `Key${name}`,
      lastName: 'Lind',
      role: 'VOLUNTEER',
    });
  await enter(page, world, world.admin, '/desk/people?search=KeyK&sort=firstName');
  const link = (name: string) => page.getByRole('link', { name: `Key${name} Lind` });
  await expect(link('Kc')).toBeVisible();
  await page.keyboard.press('j');
  await expect(link('Ka')).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(link('Kb')).toBeFocused();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('2 selected')).toHaveCount(0);
  // In a text field, letters are text and not shortcuts.
  const search = page.getByLabel('Name or phone');
  await search.press('j');
  await expect(search).toHaveValue('jKeyK');
  await search.fill('KeyK');
  await expect(link('Kc')).toBeVisible();

  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await faultless(page, 'all keys');
  await keys.getByRole('switch').uncheck();
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  await page.keyboard.press('j');
  await page.keyboard.press('/');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('button', { name: 'All keyboard shortcuts' }).click();
  await keys.getByRole('switch').check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'KeyKa Lind' })).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL(/\/desk\/people\?search=KeyK&sort=firstName$/);
});

test('saved views store filters per person on this device, without the search text', async ({
  page,
  world,
}) => {
  await enter(page, world, world.admin, '/desk/people?search=Ve&status=APPROVED&role=ADMIN');
  const open = () => page.getByRole('button', { name: 'Saved views' }).click();
  await open();
  await page.getByLabel('Name of this view').fill('Admins at work');
  await faultless(page, 'a view to be kept');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.goto(`${world.url}/desk/people`);
  await open();
  await page.getByRole('link', { name: 'Admins at work' }).click();
  await expect(page).toHaveURL(/\/desk\/people\?role=ADMIN&status=APPROVED$/);
  await expect(page.getByLabel('Role')).toHaveValue('ADMIN');
  await enter(page, world, await world.person({ role: 'ADMIN' }), '/desk/people');
  await open();
  await expect(page.getByText('save the view here under a name')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Admins at work' })).toHaveCount(0);
  await enter(page, world, world.admin, '/desk/people');
  await open();
  await page.getByRole('button', { name: 'Remove view Admins at work' }).click();
  await page.reload();
  await open();
  await expect(page.getByRole('link', { name: 'Admins at work' })).toHaveCount(0);
});

test('the search box keeps a trailing space while typing and follows the URL', async ({ page, world }) => {
  await enter(page, world, world.admin, '/desk/people');
  const search = page.getByRole('searchbox');
  await search.pressSequentially('Vera ');
  await expect(page).toHaveURL(/search=Vera$/);
  // The page follows its address a moment later.
  await page.waitForTimeout(1_000);
  await page.keyboard.press('F');
  await expect(page).toHaveURL(/search=Vera(\+|%20)F$/);
  await expect(search).toHaveValue('Vera F');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(search).toHaveValue('');
});

test('a day can be typed into a filter, and nothing is requested for a partly typed year', async ({
  page,
  world,
}) => {
  await enter(page, world, world.admin, '/desk/surveys');
  const requested = new Set<string>();
  page.on('request', (request) => {
    const from = new URL(request.url()).searchParams.get('from');
    if (from) requested.add(from);
  });
  const day = page.getByLabel('Received from');
  await day.focus();
  await page.keyboard.type('11222026', { delay: 400 });
  await expect(day).toHaveValue('2026-11-22');
  await expect(page).toHaveURL(/from=2026-11-22/);
  expect([...requested]).toEqual(['2026-11-22']);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(day).toHaveValue('');
});

test('interviews are found by coupon code in any spelling, by interviewer and by ID', async ({
  page,
  world,
}) => {
  const quinn = await world.person({ firstName: 'Quinn' });
  const code = await newSeed(world);
  const responses = { consent: 'no' };
  const { id } = await call<{ id: string }>(world, quinn.token, 'POST', '/api/surveys', {
    location: world.sites.harbor,
    referralCode: code,
    responses,
  });
  await enter(page, world, world.admin, '/desk/surveys');
  const rows = page.locator('.dashboard-table tbody tr');
  for (const [text, message] of [
    [`${code.slice(0, 4)} ${code.slice(4)}`.toLowerCase(), /^Showing interviews with the coupon/],
    ['quinn f', /^Showing interviewers whose name begins with “quinn f”/],
    [id, /^Showing the interview with this ID/],
  ] as const) {
    await page.getByLabel('Search').fill(text);
    await expect(page.getByText(message)).toBeVisible();
    await expect(rows).toHaveCount(1);
    await expect(rows.first().getByRole('link')).toHaveAttribute('href', `/desk/surveys/${id}`);
    // And back to what was found.
    await rows.first().getByRole('link').click();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect(page.getByText(message)).toBeVisible();
  }
  await page.getByLabel('Search').fill('7K3M9QX2');
  await expect(page.getByText('looks like a coupon code with a typo')).toBeVisible();
  await expect(page.getByText('No interviews match these filters.')).toBeVisible();
});

test('a list page whose rows are all gone leads to the page before', async ({ page, world }) => {
  // As after approving everyone on the second page.
  await page.route(/\/api\/users\?.*cursor=/, (route) =>
    route.fulfill({ headers: { 'X-Request-Id': 'gone' }, json: { data: [], nextCursor: null, total: 2 } }),
  );
  await enter(page, world, world.admin, '/desk/people?cursor=gone');
  await expect(page.locator('.dashboard-table tbody tr').first()).toBeVisible();
  await expect(page).toHaveURL(/\/desk\/people$/);
});

test('a coupon can be found from any page; its page shows its interviews and their recruits', async ({
  page,
  world,
}) => {
  const responses = {
    consent: 'yes',
    isAdult: 'yes',
    sleptOutside: 'yes',
    interviewedBefore: 'no',
    networkSize: 5,
  };
  const body = { location: world.sites.harbor, responses };
  const submit = (more: object) =>
    call<{ id: string; issuedCodes: string[] }>(world, world.admin.token, 'POST', '/api/surveys', {
      ...body,
      ...more,
    });
  const giver = await submit({ referralCode: await newSeed(world) });
  const [code = ''] = giver.issuedCodes;
  const brought = await submit({ referralCode: code });
  const late = await submit({ referralCode: code, onCodeProblem: 'FLAG' });
  const recruit = await submit({ referralCode: brought.issuedCodes[0] });
  const printedCode = `${code.slice(0, 4)}-${code.slice(4)}`;
  const clicks = await countClicks(page);
  const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');

  await enter(page, world, world.admin, '/desk/people');
  await expect(page.getByRole('button', { name: 'Find a coupon, person or site' })).toBeVisible();
  clicks.since();
  await page.keyboard.press('/');
  await page.keyboard.type(` ${printedCode.toLowerCase()}`);
  await expect(options).toHaveText([`${printedCode}Coupon`]);
  await faultless(page, 'the field that finds');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: couponTitle(code), level: 1 })).toBeVisible();
  expect(clicks.since()).toBe(0);
  const links = page.getByRole('region', { name: 'Interviews' }).getByRole('listitem');
  for (const [{ id }, part] of [
    [giver, 'handed it out'],
    [brought, 'presented it'],
    [late, 'presented it when it wasn’t valid'],
  ] as const)
    await expect(links.filter({ has: page.locator(`a[href$="${id}"]`) })).toContainText(part);
  // Each is linked once.
  for (const { id } of [giver, brought, late])
    await expect(page.locator(`main a[href="/desk/surveys/${id}"]`)).toHaveCount(1);
  const recruits = page.getByRole('region', { name: 'Recruits' });
  await expect(recruits.getByRole('link')).toHaveAttribute('href', `/desk/surveys/${recruit.id}`);
  await faultless(page, 'a coupon');

  // People and sites by a part of the name; what is none of these is looked for in the interviews.
  const person = await world.person({ firstName: 'Quentin' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('quen');
  await expect(options.first()).toHaveText('Quentin FieldPerson');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/desk/people/${person.id}$`));
  await page.keyboard.press('/');
  await page.keyboard.type('chapel');
  await expect(options.first()).toHaveText('Chapel mealsSite');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/surveys\?search=chapel$/);
  // In a text field, "/" is text.
  await page.getByLabel('Search').press('/');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // On a phone it is only at the top of the dashboard's pages and of the home page, and volunteers do not have it.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('button', { name: 'Find a coupon, person or site' })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL(`${world.url}/`);
  await expect(page.getByRole('button', { name: 'Find a coupon, person or site' })).toBeVisible();
  await page.getByRole('link', { name: 'My work' }).click();
  await expect(page).toHaveURL(/work$/);
  await expect(page.getByRole('button', { name: 'Find a coupon, person or site' })).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await enter(page, world, person, '/');
  await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Find a coupon, person or site' })).toHaveCount(0);
});

test('a CSV download has the filtered rows and the visible columns; no cell starts a formula', async ({
  page,
  world,
}) => {
  const clicks = await countClicks(page);
  const people = [];
  for (const firstName of ['=SUM(1)', 'Tom']) {
    const body = { phone: world.newPhone(), firstName, lastName: 'Tally', role: 'MANAGER' };
    people.push(await call<{ phone: string }>(world, world.admin.token, 'POST', '/api/users', body));
  }
  const codes = await newSeed(world);
  await call(world, world.admin.token, 'POST', '/api/surveys', {
    location: world.sites.chapel,
    referralCode: codes,
    responses: { consent: 'no' },
  });
  const textOf = async (): Promise<string[]> => {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(/^list-of-[a-z]+-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), 'utf8');
    return text.trimEnd().split('\n');
  };
  await enter(page, world, world.admin, '/desk/people?role=MANAGER&search=tally&sort=firstName');
  await expect(page.locator('.dashboard-table tbody tr')).toHaveCount(2);
  clicks.since();
  const [head, ...rows] = await textOf();
  expect(clicks.since()).toBe(1);
  expect(head).toBe('\uFEFFName,Role,Site,Phone,Status,Signed up');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(
    new RegExp(`^'=SUM\\(1\\) Tally,Site manager,No site,\\${people[0]?.phone},Pending,\\d{4}-`),
  );
  expect(rows[1]).toMatch(/^Tom Tally,/);
  await expect(page.getByText('Downloaded 2 rows.')).toBeVisible();
  for (const path of ['surveys', 'seeds', 'sites', 'coupons', 'coupons?view=codes', 'audit?sort=createdAt']) {
    await page.goto(`${world.url}/desk/${path}`);
    await expect(page.locator('.dashboard-table tbody tr, .dashboard-empty').first()).toBeVisible();
    const lines = await textOf();
    expect(lines[0]?.split(',').length, path).toBeGreaterThan(2);
    // What happened in words, the oldest first, as it is sorted on the page.
    if (path.startsWith('audit')) {
      expect(lines[0]).toBe('\uFEFFWhen,By,What,Before and after');
      expect(lines.some((line) => line.includes('submitted the interview'))).toBe(true);
      const times = lines.flatMap((line) => line.match(/^\d{4}-\d\d-\d\d \d\d:\d\d/) ?? []);
      expect(times).toEqual(times.toSorted());
    }
    if (path === 'surveys') {
      expect(lines.some((line) => line.includes(`${codes.slice(0, 4)}-${codes.slice(4)}`))).toBe(true);
      await page.getByRole('link', { name: 'Export for statistics' }).click();
      await expect(page.getByText('interviews.csv')).toBeVisible();
    }
  }
});

test('the seed list and its CSV show the chain status of every used seed, also beyond the first page', async ({
  page,
  world,
}) => {
  const CHAINS = 52;
  const site = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/locations', {
    name: `Many chains ${crypto.randomUUID().slice(0, 8)}`,
  });
  const body = { location: site.id, responses: { consent: 'no' } };
  const submit = () => call(world, world.admin.token, 'POST', '/api/surveys', body);
  for (let count = 0; count < CHAINS; count += 13) await Promise.all(Array.from({ length: 13 }, submit));
  await call(world, world.admin.token, 'POST', '/api/seeds', { location: site.id });
  // The board knows the largest chains alone, and may come late.
  await page.route('**/api/recruitment/summary*', (route) => route.abort());
  await enter(page, world, world.admin, `/desk/seeds?location=${site.id}`);
  const rows = page.locator('.dashboard-table tbody tr');
  await expect(rows).toHaveCount(50);
  await expect(rows.filter({ hasText: 'No live coupons' })).toHaveCount(49);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'No live coupons' })).toHaveCount(3);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await readFile(await (await coming).path(), 'utf8');
  const lines = file.trimEnd().split('\n');
  expect(lines).toHaveLength(1 + 1 + CHAINS);
  const used = /,No live coupons,1,0,\d{4}-\d\d-\d\d \d\d:\d\d,0,/;
  expect(lines.filter((line) => used.test(line))).toHaveLength(CHAINS);
});
