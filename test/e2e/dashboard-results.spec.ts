/** The pages of results: their numbers match the API, warnings are shown, and downloads need access to every interview. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { isClosed, oneOfEach } from './dashboard.ts';
import { expectNoFaults, expectWhole, faultless } from './page-checks.ts';
import { call, enter, expect, follow, newSeed, test, type World } from './world.ts';

test.use({ viewport: { width: 1280, height: 900 } });

interface Stored {
  issuedCodes: string[];
}

const SLEPT = ['outside', 'outside', 'tent', 'shelter', 'outside', 'tent', 'vehicle'];

/** Answers of a participant, which vary by position. */
const answersOf = (at: number) => ({
  consent: 'yes',
  isAdult: 'yes',
  sleptOutside: 'yes',
  interviewedBefore: 'no',
  networkSize: 3 + ((at * 7) % 18),
  sleptLastNight: SLEPT[at % SLEPT.length],
  veteran: at % 3 === 0 ? 'yes' : 'no',
});

/** Two chains in which each coupon is used; after 30 people the number of coupons falls to two. */
async function aStudy(world: World, people: number): Promise<void> {
  const coupons = [await newSeed(world), await newSeed(world)];
  for (let at = 0; at < people; at += 1) {
    if (at === 30) await call(world, world.admin.token, 'PATCH', '/api/study', { couponsPerSurvey: 2 });
    const body = { location: world.sites.harbor, referralCode: coupons.shift(), responses: answersOf(at) };
    const { issuedCodes } = await call<Stored>(world, world.admin.token, 'POST', '/api/surveys', body);
    coupons.push(...issuedCodes);
  }
}

interface EstimatesReply {
  byWave: number[];
  networkSizes: { median: number; bars: { count: number }[] };
  levels: { value: string; rds2: number; mean: number; interval: { low: number } | null }[];
  warnings: { code: string }[];
  sample: { n: number };
}

const getAnalysis = (world: World, path: string) =>
  call<EstimatesReply>(world, world.admin.token, 'GET', `/api/analysis/${path}`);

const percent = (share: number, digits = 1) =>
  new Intl.NumberFormat('en', {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(share);

const headFigure = (page: Page, level: string) => page.locator(`[data-level="${level}"] .results-figure`);

const pathOf = (page: string) => `/desk/results/${page}`;

/** Clicks and returns the downloaded file's name and bytes. */
async function saved(page: Page, button: ReturnType<Page['getByRole']>) {
  const saving = page.waitForEvent('download');
  await button.click();
  const file = await saving;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test.beforeAll(async ({ world }) => {
  test.setTimeout(180_000);
  await aStudy(world, 60);
});
test.afterAll(async ({ world }) => {
  await call(world, world.admin.token, 'PATCH', '/api/study', { couponsPerSurvey: 3 });
});

test('the page shows the estimates of the API, says what to do about each warning, and downloads its table', async ({
  page,
  world,
}) => {
  const estimates = await getAnalysis(world, 'estimates?outcome=veteran');
  await enter(page, world, world.admin, '/desk/results?outcome=veteran');
  const yes = estimates.levels.find(({ value }) => value === 'yes');
  await expect(headFigure(page, 'yes')).toHaveText(percent(yes?.rds2 ?? Number.NaN, 0));
  await expect(page.getByText('No confidence interval yet.')).toBeVisible();

  expect(estimates.warnings.length).toBeGreaterThan(0);
  const all = page.getByRole('button', { name: /^Show all/ });
  if (await all.count()) await all.click();
  for (const { code } of estimates.warnings)
    await expect(page.locator(`[data-warning=${code}] .results-do`)).not.toBeEmpty();

  const picture = page.getByRole('region', { name: 'Estimators compared' });
  await expect(picture.getByRole('img')).toHaveAccessibleName(/Estimators compared/);
  await picture.getByText('Table and downloads').click();
  const row = picture.getByRole('row', { name: /^Yes/ });
  await expect(row.getByRole('cell').nth(1)).toHaveText(percent(yes?.rds2 ?? Number.NaN));
  await expect(row.getByRole('cell').nth(5)).toHaveText(percent(yes?.mean ?? Number.NaN));
  const saving = page.waitForEvent('download');
  await picture.getByRole('button', { name: /^Table \(CSV\)/ }).click();
  const file = await readFile(await (await saving).path(), 'utf8');
  const cells =
    file
      .split('\n')
      .find((line) => line.startsWith('Yes'))
      ?.split(',') ?? [];
  expect(Number(cells[2])).toBeCloseTo(yes?.rds2 ?? Number.NaN, 12);
  for (const [label, start] of [
    ['Image (SVG)', '<svg'],
    ['Image (PNG)', '\u{FFFD}PNG'],
  ]) {
    const drawn = page.waitForEvent('download');
    await picture.getByRole('button', { name: label ?? '' }).click();
    expect((await readFile(await (await drawn).path(), 'utf8')).slice(0, 4)).toBe(start);
  }

  // From the plots over time one gets to what was changed in the study meanwhile.
  const changed = 'What changed in the study meanwhile';
  const rest = page.getByRole('region', { name: 'Convergence: has the estimate settled?' });
  await expect(rest.getByRole('link', { name: changed })).toBeVisible();

  const waves = page.getByRole('region', { name: 'Interviews by wave' });
  const inWave = estimates.byWave.map((people, wave) => `${wave ? `Wave ${wave}` : 'Seeds'}: ${people}`);
  await expect(waves.getByRole('img')).toHaveAccessibleName(new RegExp(inWave.join('; ')));
  const sizes = page.getByRole('region', { name: 'Network sizes' });
  await expect(sizes.getByText(`the median is ${estimates.networkSizes.median}`)).toBeVisible();
  await sizes.getByText('Table and downloads').click();
  const bars = estimates.networkSizes.bars.map(({ count }) => String(count));
  await expect(sizes.getByRole('row').getByRole('cell')).toHaveText(bars);

  // Choosing another question by keyboard; the URL keeps it.
  await page.getByLabel('What to estimate').focus();
  await page.keyboard.type('Where did you sleep last');
  await expect(page).toHaveURL(/outcome=slept/);
  await faultless(page, 'the estimates');

  await page.goto(`${world.url}/desk/board`);
  const days = page.getByRole('region', { name: 'Interviews by day and site' });
  await days.getByRole('link', { name: changed }).click();
  await expect(page).toHaveURL(/desk\/audit\?subject=Study/);
  await expect(page.getByText(/coupons per person/i).first()).toBeVisible();
});

test('rate-limited estimates are not requested again right away', async ({ page, world }) => {
  await enter(page, world, world.admin, '/desk/board');
  let requestCount = 0;
  await page.route(/analysis\/estimates/, (route) => {
    requestCount += 1;
    return route.fulfill({ status: 429, headers: { 'Retry-After': '60' }, json: { code: 'RATE_LIMITED' } });
  });
  await page.goto(`${world.url}/desk/results?outcome=veteran`);
  await expect.poll(() => requestCount).toBeGreaterThan(0);
  await page.waitForTimeout(2_000);
  // A run that ends meanwhile causes requests too.
  expect(requestCount).toBeLessThan(5);
});

test('answers are counted beside their estimates, and can be compared by the groups of another question', async ({
  page,
  world,
}) => {
  interface Counted {
    questions: { levels: { value: string; count: number; share: number; rds2: number }[] }[];
  }
  const { questions } = await call<Counted>(
    world,
    world.admin.token,
    'GET',
    '/api/analysis/answers?question=veteran',
  );
  const yes = questions[0]?.levels.find(({ value }) => value === 'yes');
  await enter(page, world, world.admin, pathOf('answers'));
  await expect(page.getByRole('region')).not.toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Find a question' }).fill('the military');
  const veteran = page.getByRole('region');
  await expect(veteran).toHaveCount(1);
  await expect(veteran.getByRole('img')).toHaveAccessibleName(
    new RegExp(`Yes: ${percent(yes?.share ?? Number.NaN, 0)} \\(${yes?.count}\\)`),
  );
  await veteran.getByText('Table and downloads').click();
  const cells = veteran.getByRole('row', { name: /^Yes/ }).getByRole('cell');
  await expect(cells).toHaveText([`${yes?.count}`, percent(yes?.share ?? 0), percent(yes?.rds2 ?? 0)]);
  await faultless(page, 'the answers');
  await veteran.getByRole('link', { name: /^By site/ }).click();
  await expect(page).toHaveURL(/results\/compare\?outcome=veteran&by=location/);

  interface Groups {
    groups: { value: string; levels: { value: string; rds2: number }[] }[];
  }
  const { groups } = await call<Groups>(
    world,
    world.admin.token,
    'GET',
    '/api/analysis/compare?outcome=sleptLastNight&by=veteran',
  );
  await page.goto(`${world.url}/desk/results/compare?outcome=sleptLastNight&by=veteran`);
  await page.getByText('Table and downloads').click();
  const compared = page.getByRole('row', { name: /^Yes/ }).getByRole('cell');
  const served = groups.find(({ value }) => value === 'yes');
  const shares = (served?.levels ?? []).map(({ rds2 }) => percent(rds2));
  expect(shares.length).toBeGreaterThan(1);
  for (const [at, share] of shares.entries()) await expect(compared.nth(2 + at)).toHaveText(share);
  await faultless(page, 'the comparison');
});

test('a small group is shown as suppressed, never as zero', async ({ page, world }) => {
  const { admin } = await oneOfEach(world);
  await call(world, world.admin.token, 'PATCH', '/api/study', { smallestCell: 20 });
  await enter(page, world, admin, '/desk/results?outcome=sleptLastNight');
  const picture = page.getByRole('region', { name: 'Estimators compared' });
  await picture.getByText('Table and downloads').click();
  const hidden = picture.getByRole('cell', { name: 'not shown (groups of fewer than 20)' });
  await expect(hidden.first()).toBeVisible();
  for (const row of await picture.getByRole('row').filter({ has: hidden }).all())
    await expect(row.getByRole('cell').nth(1)).toHaveText('–');
  await call(world, world.admin.token, 'PATCH', '/api/study', { smallestCell: 5 });
});

test('a confidence interval can be calculated from the page and used in a population estimate', async ({
  page,
  world,
}) => {
  test.setTimeout(180_000);
  const device = await page.context().newCDPSession(page);
  await device.send('Emulation.setTimezoneOverride', { timezoneId: 'Pacific/Kiritimati' });
  await enter(page, world, world.admin, '/desk/results?outcome=veteran');
  await page.getByRole('button', { name: 'Calculate confidence interval' }).click();
  await expect(page.getByText(/confidence interval\), if whom|confidence interval\)\. If whom/)).toBeVisible({
    timeout: 60_000,
  });
  const { levels } = await getAnalysis(world, 'estimates?outcome=veteran');
  const yes = levels.find(({ value }) => value === 'yes');
  await expect(page.getByText(`${percent(yes?.interval?.low ?? Number.NaN, 0)} to`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Recalculate' })).toBeVisible();

  await page.goto(`${world.url}/desk/results/counts`);
  await page.getByRole('button', { name: 'Add estimate' }).click();
  const form = page.getByRole('dialog');
  // The study's date, in its time zone; the device is almost a day ahead.
  const today = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: 'America/Los_Angeles' });
  await expect(form.getByLabel('Date of the count')).toHaveValue(today.format(new Date()));
  await form.getByLabel('Name').fill('Winter count');
  await form.getByLabel('Question').selectOption('veteran');
  await form.getByLabel('Answer counted by the other source').selectOption('yes');
  await form.getByLabel('Number of people').fill('412');
  await form.getByLabel('Source', { exact: true }).fill('The list of the county');
  await form.getByLabel('What exactly was counted').fill('All who served and slept in the county that night');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Winter count', level: 1 })).toBeVisible();
  const total = new Intl.NumberFormat('en').format(Math.round(412 / (yes?.rds2 ?? Number.NaN)));
  await expect(page.locator('.count-totals .results-figure').first()).toHaveText(total);
  await expect(page.locator('.count-text')).toContainText('The list of the county');
  await expect(page.getByText(/^Most likely (between|at least)/).first()).toBeVisible({ timeout: 60_000 });
  await faultless(page, 'a count');
  await page.getByRole('button', { name: 'Edit' }).click();
  await form.getByLabel('Number of people').fill('824');
  await form.getByRole('button', { name: 'Save' }).click();
  const twice = new Intl.NumberFormat('en').format(Math.round(824 / (yes?.rds2 ?? Number.NaN)));
  await expect(page.locator('.count-totals .results-figure').first()).toHaveText(twice);
});

test('the report matches the API, and can be downloaded as Markdown and its waves as an image', async ({
  page,
  world,
}) => {
  interface Report {
    items: { item: string; name: string; value: unknown; text: string; reason: string | null }[];
  }
  interface Row {
    level: string;
    known: number;
    mean: number;
    rds2: number;
  }
  const report = await call<Report>(world, world.admin.token, 'GET', '/api/analysis/report');
  await enter(page, world, world.admin, pathOf('report'));
  const plain = report.items.filter(({ item }) => item !== '14');
  expect(plain.length).toBeGreaterThan(15);
  for (const { name, text, reason } of plain)
    await expect(page.getByRole('region', { name, exact: true })).toContainText(reason ?? text);

  const levels = report.items.find(({ name }) => name === 'sleptLastNight')?.value as Row[];
  const rows = page.locator('[data-outcome=sleptLastNight] tr:has(td)');
  await expect(rows).toHaveCount(levels.length);
  for (const [at, { known, mean, rds2 }] of levels.entries())
    await expect(rows.nth(at).getByRole('cell')).toHaveText([String(known), percent(mean), percent(rds2)]);
  // For a question with several answers each choice is a row; questions nobody was asked are left out.
  await expect(page.locator('[data-outcome*="."], [data-outcome=networkSizeMissing]')).toHaveCount(0);

  const waves = page.getByRole('region', { name: 'Waves', exact: true });
  const figuresOf = (itemName: string) => report.items.find(({ name }) => name === itemName)?.value;
  const [seeds] = (figuresOf('Waves') ?? []) as { people: number }[];
  await expect(waves.getByRole('img')).toHaveAccessibleName(new RegExp(`Seeds: ${seeds?.people};`));
  await waves.getByText('Table and downloads').click();
  const picture = await saved(page, waves.getByRole('button', { name: /^Image \(SVG\)/ }));
  expect(picture).toMatchObject({ name: 'waves.svg' });
  expect(picture.bytes.toString()).toContain('Wave 1');
  await faultless(page, 'the report');

  const markdown = await saved(page, page.getByRole('button', { name: 'Save as Markdown' }));
  expect(markdown.name).toBe('report-of-harbor-count.md');
  for (const { name } of plain) expect(markdown.bytes.toString()).toContain(` ${name}\n`);
  expect(markdown.bytes.toString()).toContain(
    `| ${levels[0]?.known} | ${percent(levels[0]?.mean ?? Number.NaN)} |`,
  );

  // Only the report is printed.
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation').first()).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Report of Harbor count' })).toBeVisible();
});

test('every download has its file name and content; sample files need access to every interview', async ({
  page,
  world,
}) => {
  await enter(page, world, world.admin, pathOf('downloads'));
  const files = new Map<string, Buffer>();
  const buttons = page.getByRole('button', { name: /^Download: / });
  await expect(buttons).toHaveCount(10);
  for (const button of await buttons.all()) {
    const { name, bytes } = await saved(page, button);
    await expect(button).toHaveAccessibleName(`Download: ${name}`);
    expect(bytes.length, name).toBeGreaterThan(100);
    files.set(name, bytes);
  }
  expect([...files.keys()].toSorted()).toEqual(
    'bundle.zip codebook.csv incentives.csv interviews.csv interviews.json publication.zip rds.csv rdsat.txt tree.dot tree.graphml'.split(
      ' ',
    ),
  );
  const { sample } = await getAnalysis(world, 'estimates?outcome=veteran');
  const [head = '', ...rows] = (files.get('rds.csv') ?? '').toString().trim().split(/\r?\n/);
  expect(head).toContain('recruiter.id');
  expect(rows).toHaveLength(sample.n);
  expect((files.get('bundle.zip') ?? '').toString('latin1').slice(0, 2)).toBe('PK');
  await faultless(page, 'the downloads');
  const ofToday = page.getByText('Only interviews received today.');
  await expect(ofToday).toHaveCount(0);

  const { admin, manager } = await oneOfEach(world);
  await enter(page, world, admin, pathOf('downloads'));
  await expect(page.getByText('You don’t have access to these files')).toBeVisible();
  await expect(ofToday).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download: interviews.csv' })).toBeVisible();
  await expect(page.getByRole('button', { name: /rds|tree|bundle/ })).toHaveCount(0);
  await isClosed(page, world, manager, pathOf('downloads'));
});

test.describe('in Arabic', () => {
  test.use({ locale: 'ar' });
  test('every results page is laid out right to left and passes axe', async ({ page, world }) => {
    test.setTimeout(180_000);
    for (const couponsPerSurvey of [4, 3])
      await call(world, world.admin.token, 'PATCH', '/api/study', { couponsPerSurvey });
    await enter(page, world, world.admin, '/desk/results?outcome=sleptLastNight');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const name of ['', 'compare', 'counts', 'report', 'downloads']) {
      if (name) await follow(page, `/desk/results/${name}`);
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
      await expect(page.locator('.dashboard .card, .dashboard table').first()).toBeVisible();
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await expectNoFaults(page, `${name || 'estimates'} in Arabic, ${width}`);
        if (width === 360) await expectWhole(page, `${name || 'estimates'} in Arabic, ${width}`);
        const wide = await page
          .locator('.report .figure-scroll')
          .evaluateAll((all) =>
            all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
          );
        expect.soft(wide, `tables of the report that are wider than ${width}`).toEqual([]);
      }
    }
  });
});
