/** Right-to-left layout: rarely seen phone pages, the dashboard, and error messages. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

import { fillOutbox } from './outbox-rows.ts';
import { check, expectNoFaults, expectWhole } from './page-checks.ts';
import { call, enter, expect, follow, newSeed, test, type World } from './world.ts';

type Texts = { [key: string]: string | Texts };
const read = (file: string) => JSON.parse(readFileSync(`locales/ar/${file}.json`, 'utf8')) as Texts;
const [app, faults] = [read('field'), read('faults') as Record<string, string>];
const dashboardFaults = read('dashboard-faults') as Record<string, string>;
const dashboard = read('dashboard') as Record<string, Record<string, string>>;
/** Fills in placeholders as the page does, each value between invisible isolation marks. */
const textOf = (text = '', values: Record<string, string | number>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, place: string) => `\u2068${values[place]}\u2069`);
const waiting = read('waiting') as Record<string, string>;
const mend = read('mend') as Record<string, Record<string, string>>;
const word = (path: string) =>
  path.split('.').reduce<Texts | string>((texts, key) => (texts as Texts)[key] ?? path, app) as string;

const questionTexts = JSON.parse(readFileSync('questionnaires/default.ar.json', 'utf8')) as Record<
  string,
  string
>;
const agreed = questionTexts['pages/consentPage/elements/consent/choices/yes/text'] ?? '';

test.use({ locale: 'ar' });

/** Waits until the page has loaded. */
const opened = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible();
const button = (page: Page, path: string) => page.getByRole('button', { name: word(path), exact: true });

/** An interview with two versions, and one with a coupon that was already used. */
async function makeFlags(world: World, token: string): Promise<void> {
  const at = { location: world.sites.harbor };
  const first = { ...at, clientId: crypto.randomUUID(), responses: { consent: 'no' } };
  await call(world, token, 'POST', '/api/surveys', first);
  const other = { consent: 'yes', isAdult: 'no', sleptOutside: 'no', interviewedBefore: 'no' };
  await call(world, token, 'POST', '/api/surveys', { ...first, responses: other }).catch(() => undefined);
  const referralCode = await newSeed(world);
  for (let time = 0; time < 2; time += 1)
    await call(world, token, 'POST', '/api/surveys', {
      ...at,
      clientId: crypto.randomUUID(),
      referralCode,
      onCodeProblem: 'FLAG',
      responses: { consent: 'no' },
    });
}

test.describe('on the phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('sign-in, waiting and set-up are laid out right to left, with error messages in Arabic', async ({
    page,
    world,
  }) => {
    test.setTimeout(180_000);
    await page.goto(`${world.url}/sign-in`);
    await page.getByLabel(word('signIn.phone')).fill('12');
    await button(page, 'signIn.send').click();
    await expect(page.locator('[aria-invalid=true]')).toBeVisible();
    await check(page, 'sign-in, refused');
    const phone = world.newPhone();
    await call(world, world.admin.token, 'POST', '/api/users', {
      phone,
      firstName: 'Nur',
      lastName: 'Waits',
      role: 'VOLUNTEER',
      location: world.sites.harbor,
    });
    await page.getByLabel(word('signIn.phone')).fill(phone);
    await button(page, 'signIn.send').click();
    const code = page.getByLabel(word('code.label'), { exact: true });
    await expect(code).toHaveCSS('direction', 'ltr');
    await check(page, 'code');
    await code.fill('000000');
    await expect(page.getByText(word('problem.OTP_INVALID'))).toBeVisible();
    await check(page, 'code, wrong');
    await code.fill(await world.service.otp(phone));
    await expect(page.getByText(waiting.looking ?? '')).toBeVisible();
    await check(page, 'waiting');
    await page.goto(`${world.url}/setup#token=x`);
    await expect(page.getByText(word('setup.used'))).toBeVisible();
    await check(page, 'setup');
  });

  test('unfinished and rejected interviews, flags, two versions and the offline home page are laid out right to left', {
    tag: '@service-worker',
  }, async ({ page, context, world }) => {
    test.setTimeout(240_000);
    const person = await world.person();
    await makeFlags(world, person.token);
    await enter(page, world, person);
    await expect(page.getByText(word('ready.yes'), { exact: true })).toBeVisible({ timeout: 40_000 });
    await button(page, 'home.start').click();
    await page.getByLabel(word('start.code')).fill('ABCDEFGD');
    await check(page, 'start, a wrong code');
    await button(page, 'start.walkIn').click();
    await expect(page.locator('.interview')).toBeVisible();
    await button(page, 'interview.next').click();
    await page.locator('.interview').getByText(agreed, { exact: true }).click();
    await page.goto(`${world.url}/`);
    await button(page, 'home.discard').click();
    await check(page, 'home, discarding');
    await page.keyboard.press('Escape');
    await context.setOffline(true);
    await page.reload();
    await opened(page);
    await check(page, 'home, no signal');
    await context.setOffline(false);

    await fillOutbox(page, world, person, 1, () => ({ consent: 'perhaps' }));
    await page.goto(`${world.url}/outbox`);
    await expect(page.getByText(mend.answers?.title ?? '')).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText(faults.NO_CHOICE ?? '')).toBeVisible();
    await check(page, 'outbox, refused');
    await follow(page, '/work');
    await expect(page.locator('.row-link').first()).toBeVisible();
    await check(page, 'work, flags');
    await page.emulateMedia({ colorScheme: 'dark' });
    for (let row = 0; row < 3; row += 1) {
      await page.goto(`${world.url}/work`);
      await page.locator('.row-link').nth(row).click();
      await expect(page).toHaveURL(/\/work\/./);
      await expect(page.getByRole('heading', { level: 1, name: word('workItem.title') })).toBeVisible();
      await check(page, `work, row ${row}`);
      const compare = button(page, 'flag.compare');
      if (!(await compare.count())) continue;
      await compare.click();
      await check(page, 'two versions');
    }
    await page.goto(`${world.url}/me`);
    await opened(page);
    await check(page, 'me, dark');
  });
});

test.describe('on a computer', () => {
  test.use({ viewport: { width: 1280, height: 900 } });

  test('every dashboard page is laid out right to left and passes axe', async ({ page, world }) => {
    test.setTimeout(240_000);
    const person = await world.person();
    await makeFlags(world, person.token);
    const coordinates = { latitude: 47.6, longitude: -122.3 };
    await call(world, world.admin.token, 'PATCH', `/api/locations/${world.sites.harbor}`, { coordinates });
    const first = async (path: string) =>
      (await call<{ data: { id: string }[] }>(world, world.admin.token, 'GET', path)).data[0]?.id;
    const [seed, survey, questionnaire] = [
      await first('/api/seeds'),
      await first('/api/surveys'),
      await first('/api/questionnaires'),
    ];
    await enter(page, world, world.admin, '/desk');
    await opened(page);
    for (const path of [
      '',
      '/approvals',
      '/people',
      `/people/${person.id}`,
      '/board',
      `/tree/${seed}`,
      // dashboard-results.spec.ts looks at the others.
      '/results/answers',
      '/results/runs',
      '/surveys',
      `/surveys/${survey}`,
      '/import',
      '/seeds',
      '/coupons',
      '/sites',
      '/questionnaires',
      `/questionnaires/${questionnaire}`,
      '/study',
      '/audit',
      '/first-run',
    ]) {
      if (path) await follow(page, `/desk${path}`);
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
      const name = `desk${path.replace(/[0-9a-f]{24}/, 'one')}`;
      await expectNoFaults(page, name);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectWhole(page, `${name}, 360`);
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    // Mantine's hidden field keeps the width of the previous page.
    await page.goto(`${world.url}/desk/study`);
    await opened(page);
    await follow(page, '/desk/audit');
    await opened(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectWhole(page, 'desk/audit after desk/study, 360');
  });

  test('print warnings and line errors of a site import are in Arabic', async ({ page, world }) => {
    const name = 'தமி Haus';
    const site = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/locations', { name });
    await newSeed(world);
    await enter(page, world, world.admin, '/desk/seeds');
    await page.getByRole('button', { name: dashboard.seeds?.printUnused ?? '' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: dashboard.print?.go ?? '' }).click();
    await expect(dialog.getByText(dashboard.print?.notes ?? '')).toBeVisible();
    const warning = textOf(dashboardFaults.LETTERS_OF_SITE, { letters: 'த மி', site: name });
    await expect(dialog.getByText(warning)).toBeVisible();
    await expectNoFaults(page, 'notes of a print');
    await call(world, world.admin.token, 'DELETE', `/api/locations/${site.id}`);

    await page.goto(`${world.url}/desk/sites`);
    await page.getByRole('button', { name: dashboard.sites?.import ?? '' }).click();
    await dialog.getByLabel(dashboard.sites?.importText ?? '').fill('name,type\n\nQuay,CASTLE\nPier,\npier,');
    await dialog.getByRole('button', { name: dashboard.sites?.importTry ?? '' }).click();
    await expect(dialog.getByText(textOf(faults.NAME_TWICE_IN_LIST, { row: 4 }))).toBeVisible();
    await expect(dialog.getByRole('table')).not.toContainText(/must|this/);
    await expectNoFaults(page, 'a list with wrong lines');
  });
});
