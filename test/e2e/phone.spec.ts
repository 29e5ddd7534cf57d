/** Features that only some phones have: location, sharing, printing, installing, updates; and missing APIs. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { create } from 'qrcode';
import { CHROMIUM } from '../../playwright.config.ts';
import { fillOutbox } from './outbox-rows.ts';
import {
  answerAll,
  choose,
  decline,
  enter,
  expect,
  next,
  otherDevice,
  shownCodes,
  signOutHere,
  startInterview,
  tapDone,
  test,
  untilReady,
  untilSurveys,
  type World,
  withAndWithoutPin,
} from './world.ts';

test('the GPS position is sent only if it was added, with its accuracy', async ({ page, context, world }) => {
  const person = await world.person();
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 47.6, longitude: -122.33, accuracy: 17 });
  await enter(page, world, person);
  const hold = async () => {
    await page.getByRole('button', { name: 'Start as walk-in' }).click();
    await decline(page);
    await tapDone(page);
  };
  await page.getByRole('button', { name: 'Start an interview' }).click();
  await page.getByRole('button', { name: 'Add GPS position' }).click();
  await expect(page.getByText('Position added, accurate to 17 m')).toBeVisible();
  await hold();
  await page.getByRole('button', { name: 'Start an interview' }).click();
  await page.getByRole('button', { name: 'Add GPS position' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Position added')).toBeHidden();
  await hold();
  const surveys = (await untilSurveys(world, person, 2)) as unknown as { coordinates: object | null }[];
  expect(surveys.map(({ coordinates }) => coordinates)).toEqual([
    { latitude: 47.6, longitude: -122.33, accuracy: 17 },
    null,
  ]);
});

test('a blocked GPS position is reported as optional, and the interview continues', async ({
  page,
  world,
}) => {
  const person = await world.person();
  await enter(page, world, person, '/start');
  await page.getByRole('button', { name: 'Add GPS position' }).click();
  await expect(page.getByText('The browser isn’t allowed to use your position.')).toBeVisible();
  await page.getByRole('button', { name: 'Start as walk-in' }).click();
  await decline(page);
  await tapDone(page);
  await untilSurveys(world, person, 1);
});

/** Records requests to share and print instead of doing them. */
function recordRequests(): void {
  const shared: unknown[] = [];
  const printed: string[] = [];
  Object.assign(globalThis, { shared, printed });
  Navigator.prototype.share = async (data) => void shared.push(data);
  globalThis.print = () => void printed.push(location.pathname);
}

async function toCoupons(page: Page): Promise<string[]> {
  await startInterview(page, null);
  await answerAll(page);
  await expect(page.locator('.coupon')).toHaveCount(3);
  return shownCodes(page);
}

test('a coupon is shared through the phone’s share sheet with the public URL; without one there is no button', async ({
  page,
  context,
  world,
}) => {
  const publicUrl = 'https://count.example.org';
  await page.addInitScript(recordRequests);
  // The service of these tests is on localhost only and has no public URL.
  await context.route('**/api/auth/session', async (route) => {
    try {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), publicUrl } });
    } catch {
      // The page is closed and needs no response.
    }
  });
  await enter(page, world, await world.person());
  await untilReady(page);
  const [code = ''] = await toCoupons(page);
  const { modules } = create(`${publicUrl}/c/${code}`, { errorCorrectionLevel: 'M' });
  const dark = modules.data.reduce((sum, module) => sum + module, 0);
  const drawn = (await page.locator('.coupon svg path').first().getAttribute('d')) ?? '';
  expect(drawn.split('z').length - 1).toBe(dark);
  const share = page.getByRole('button', { name: 'Share', exact: true });
  await share.first().click();
  expect(await page.evaluate('shared')).toEqual([
    { title: 'Coupon 1 of 3', text: `${code.slice(0, 4)}-${code.slice(4)}`, url: `${publicUrl}/c/${code}` },
  ]);
  await page.addInitScript('delete Navigator.prototype.share');
  await page.reload();
  await expect(page.locator('.coupon')).toHaveCount(3);
  await expect(share).toHaveCount(0);
});

test('printing shows only the coupons, each whole on its page', async ({ page, world }) => {
  await page.addInitScript(recordRequests);
  await enter(page, world, await world.person());
  await untilReady(page);
  const codes = await toCoupons(page);
  const texts = page.locator('.coupon-text:visible');
  await expect(texts).toHaveCount(1);
  const text = texts.filter({ hasText: (await texts.textContent()) ?? '' });
  await page.getByRole('button', { name: 'Print' }).click();
  expect(await page.evaluate('printed')).toEqual([expect.stringMatching(/^\/coupons\/[\da-f-]{36}$/)]);
  await page.emulateMedia({ media: 'print' });
  for (const code of codes)
    await expect(page.getByLabel(`QR code ${code.slice(0, 4)}-${code.slice(4)}`)).toBeVisible();
  for (const rest of ['.head', '.actions', '.coupon .icon-button'])
    await expect(page.locator(rest).first()).toBeHidden();
  await expect(page.locator('.coupon').first()).toHaveCSS('break-inside', 'avoid');
  // The coupon text is shown once on the screen, and printed on each coupon.
  await expect(text).toHaveCount(3);
  await page.emulateMedia({ media: 'screen' });
  await expect(texts).toHaveCount(1);
});

test('the browser’s install prompt is kept from the first page on and used once', async ({ page, world }) => {
  const offer = () =>
    page.evaluate(() => {
      const event = new Event('beforeinstallprompt', { cancelable: true });
      const promptPaths: string[] = [];
      Object.assign(globalThis, { asked: promptPaths });
      Object.assign(event, { prompt: async () => void promptPaths.push(location.pathname) });
      dispatchEvent(event);
      return event.defaultPrevented;
    });
  const person = await world.person();
  await enter(page, world, person, '/me');
  await expect(page.getByRole('heading', { name: 'Me', exact: true })).toBeVisible();
  expect(await offer()).toBe(true);
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('button', { name: 'Install' }).click();
  await expect(page.getByRole('button', { name: 'Install' })).toBeHidden();
  expect(await page.evaluate('asked')).toEqual(['/']);
  await offer();
  await expect(page.getByRole('button', { name: 'Install' })).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event('appinstalled')));
  await expect(page.getByRole('button', { name: 'Install' })).toBeHidden();
});

interface Versioned {
  server: Server;
  url: string;
  version: string;
  /** The dashboard's files of the version before have gone. */
  gone: boolean;
  /** Nobody answers who asks for them. */
  held: boolean;
  /** The files of the page of coupons have gone with the first version. */
  withoutCoupons: boolean;
}

const COUPONS_PAGE = /\/assets\/coupons-[\w-]+\.js$/;
const LISTED_COUPONS_PAGE = /\{[^{}]*assets\/coupons-[\w-]+\.js[^{}]*\},/;

/** A proxy of the service, whose app becomes a new version when `version` changes. */
async function versioned(target: string): Promise<Versioned> {
  const state = { version: '1', gone: false, held: false, withoutCoupons: false };
  const server = createServer((incoming, answer) => {
    const { method, url } = incoming;
    const isCoupons = url !== undefined && COUPONS_PAGE.test(url);
    const isOfDashboard = url?.startsWith('/assets/dashboard/');
    if (state.held && isOfDashboard) return;
    if ((state.gone && isOfDashboard) || (state.withoutCoupons && isCoupons)) {
      answer.writeHead(404).end();
      return;
    }
    const headers = { ...incoming.headers };
    if (url === '/sw.js') {
      headers['accept-encoding'] = 'identity';
      // Without these headers there is no 304.
      for (const condition of ['if-none-match', 'if-modified-since']) delete headers[condition];
    }
    const onward = forward(new URL(url ?? '/', target), { method, headers }, (reply) => {
      const isWorker = url === '/sw.js';
      const { 'content-length': _length, ...rest } = reply.headers;
      // The browser must get this file from the service worker, not from its own cache.
      if (isCoupons) reply.headers['cache-control'] = 'no-store';
      answer.writeHead(reply.statusCode ?? 502, isWorker ? rest : reply.headers);
      if (!isWorker) return void reply.pipe(answer);
      let worker = '';
      reply.on('data', (chunk: Buffer) => {
        worker += chunk.toString();
      });
      reply.on('end', () => {
        const listed = state.withoutCoupons ? worker.replace(LISTED_COUPONS_PAGE, '') : worker;
        answer.end(`${listed}\n// ${state.version}`);
      });
    });
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(state, { server, url: `http://localhost:${(server.address() as AddressInfo).port}` });
}

withAndWithoutPin(() => {
  test('a new version is offered but never forced, and not during an interview', async ({
    context,
    world,
  }) => {
    const app = await versioned(world.url);
    const device = await otherDevice(context);
    const page = await device.newPage();
    await enter(page, { ...world, url: app.url }, await world.person());
    await untilReady(page);
    await startInterview(page, null);
    await next(page);
    await choose(page, 'Yes, I agree');
    const banner = page.getByText('A new version is ready');
    app.version = '2';
    await page.evaluate('globalThis.sameDocument = true');
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration?.update();
    });
    await expect
      .poll(() =>
        page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting)),
      )
      .toBe(true);
    await page.waitForTimeout(1_000);
    await expect(banner).toBeHidden();
    await page.getByLabel('Leave. Your answers are saved.').click();
    await expect(banner).toBeVisible();
    expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
    await page.getByRole('button', { name: 'Later' }).click();
    await expect(banner).toBeHidden();
    await page.reload();
    await expect(banner).toBeVisible();
    await page.evaluate('globalThis.sameDocument = true');
    await page.getByRole('button', { name: 'Update' }).click();
    await expect.poll(() => page.evaluate('globalThis.sameDocument').catch(() => true)).toBeUndefined();
    await expect(banner).toBeHidden();
    expect(
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting),
    ).toBeNull();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('radio', { name: 'Yes, I agree' })).toBeChecked();
    await device.close();
    app.server.close();
    app.server.closeAllConnections();
  });
});

const newerWaits = (page: Page) =>
  page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting));
const askForUpdate = (page: Page) =>
  page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
const isLoadedAnew = (page: Page) =>
  expect.poll(() => page.evaluate('globalThis.sameDocument').catch(() => true));

test('“Update” loads the new version on a first visit', async ({ context, world }) => {
  const app = await versioned(world.url);
  const device = await otherDevice(context);
  const page = await device.newPage();
  await page.goto(`${app.url}/sign-in`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const banner = page.getByText('A new version is ready');
  await page.waitForTimeout(1_000);
  await expect(banner).toBeHidden();
  await page.evaluate('globalThis.sameDocument = true');
  app.version = '2';
  await askForUpdate(page);
  await page.getByRole('button', { name: 'Update' }).click();
  await isLoadedAnew(page).toBeUndefined();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(banner).toBeHidden();
  expect(await newerWaits(page)).toBe(false);
  await device.close();
  app.server.close();
  app.server.closeAllConnections();
});

test('“Update” reloads only its own window; an interview in another window continues on the old files', async ({
  context,
  world,
}) => {
  const app = await versioned(world.url);
  const device = await otherDevice(context);
  const page = await device.newPage();
  const person = await world.person();
  await enter(page, { ...world, url: app.url }, person);
  await untilReady(page);
  const other = await device.newPage();
  await other.goto(app.url);
  await startInterview(other, null);
  await next(other);
  for (const one of [page, other]) await one.evaluate('globalThis.sameDocument = true');
  Object.assign(app, { version: '2', withoutCoupons: true });
  await askForUpdate(page);
  await page.getByRole('button', { name: 'Update' }).click();
  await isLoadedAnew(page).toBeUndefined();
  expect(await newerWaits(page)).toBe(false);
  await expect(page.getByText('A new version is ready')).toBeHidden();

  await choose(other, 'No, I do not want to take part');
  await other.getByRole('button', { name: 'Finish' }).click();
  await tapDone(other);
  await untilSurveys(world, person, 1);
  expect(await other.evaluate('globalThis.sameDocument')).toBe(true);
  await expect(other.getByText('A new version is ready')).toBeVisible();
  await other.getByRole('button', { name: 'Update' }).click();
  await isLoadedAnew(other).toBeUndefined();
  await expect(other.getByText('A new version is ready')).toBeHidden();
  await device.close();
  app.server.close();
  app.server.closeAllConnections();
});

async function openDashboard(context: BrowserContext, world: World) {
  const app = await versioned(world.url);
  const device = await otherDevice(context);
  const page = await device.newPage();
  await enter(page, { ...world, url: app.url }, await world.person({ role: 'ADMIN' }));
  await untilReady(page);
  return { app, device, page };
}

test('“Reload” takes the new version when a dashboard page’s old files are gone', async ({
  context,
  world,
}) => {
  const { app, device, page } = await openDashboard(context, world);
  Object.assign(app, { version: '2', gone: true });
  await page.goto(`${app.url}/desk/seeds`);
  await expect(page.getByText('Something went wrong')).toBeVisible();
  await expect(page.getByText('A new version is ready')).toBeVisible();
  app.gone = false;
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'Seeds' })).toBeVisible();
  await expect(page.getByText('A new version is ready')).toBeHidden();
  expect(
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting),
  ).toBeNull();
  await device.close();
  app.server.close();
  app.server.closeAllConnections();
});

test('“Update” works while a dashboard page is still loading, and deletes the cache of earlier versions', async ({
  context,
  world,
}) => {
  const { app, device, page } = await openDashboard(context, world);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${app.url}/desk`);
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Seeds' }),
  ).toBeVisible();
  app.version = '2';
  await askForUpdate(page);
  await expect(page.getByText('A new version is ready')).toBeVisible();
  await page.evaluate('globalThis.sameDocument = true');
  await page.evaluate(async () => void (await caches.open('desk')));
  app.held = true;
  const waits = page.waitForRequest(/assets.dashboard/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Seeds' }).click();
  await waits;
  // The earlier request is never answered.
  app.held = false;
  await page.getByRole('button', { name: 'Update' }).click();
  await isLoadedAnew(page).toBeUndefined();
  await expect(page.getByRole('heading', { name: 'Seeds' })).toBeVisible();
  await expect(page.getByText('A new version is ready')).toBeHidden();
  expect(await newerWaits(page)).toBe(false);
  await expect.poll(() => page.evaluate(() => caches.has('desk'))).toBe(false);
  await device.close();
  app.server.close();
  app.server.closeAllConnections();
});

/** Removes APIs that are missing on plain http pages and in older browsers. */
async function withoutParts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
    for (const part of ['locks', 'storage', 'serviceWorker', 'share'])
      Object.defineProperty(Navigator.prototype, part, { value: undefined, configurable: true });
  });
}

test('without Web Locks, BroadcastChannel and persistent storage, two tabs still send each interview once', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  await withoutParts(context);
  const faults: Error[] = [];
  const person = await world.person();
  page.on('pageerror', (error) => faults.push(error));
  await enter(page, world, person);
  await expect(page.getByText('24 coupons on this phone')).toBeVisible();
  const other = await context.newPage();
  other.on('pageerror', (error) => faults.push(error));
  await other.goto(`${world.url}/outbox`);
  await expect(other.getByText('All interviews are sent.')).toBeVisible();
  const sentIds: string[] = [];
  await context.route('**/api/surveys', async (route) => {
    sentIds.push((route.request().postDataJSON() as { clientId: string }).clientId);
    await route.continue();
  });
  await context.setOffline(true);
  const clientIds = await fillOutbox(page, world, person, 12);
  await context.setOffline(false);
  await untilSurveys(world, person, 12, 60_000);
  expect(sentIds).toEqual(clientIds);
  await page.getByRole('link', { name: 'Me', exact: true }).click();
  await expect(page.getByText('The browser may delete stored interviews')).toBeVisible();
  await expect(
    page.getByText('Interviews and their coupons are deleted from this phone 7 days after they’re sent.'),
  ).toBeVisible();
  // One tab signs out; the other notices when it becomes visible.
  await signOutHere(page);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(async () => {
    await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(faults).toEqual([]);
});

test('a private window warns that data may be deleted; a normal one with persistent storage does not', async ({
  page,
  world,
}) => {
  const person = await world.person();
  const open = async (window: Page) => {
    const browser = await window.context().newCDPSession(window);
    await browser.send('Browser.grantPermissions', { origin: world.url, permissions: ['durableStorage'] });
    await enter(window, world, person);
    await untilReady(window);
    return window.getByText('This browser may delete stored interviews.', { exact: false });
  };
  await expect(await open(page)).toBeVisible();
  const folder = await mkdtemp(join(tmpdir(), 'field-survey-profile-'));
  const profile = await chromium.launchPersistentContext(folder, { ...CHROMIUM, locale: 'en-US' });
  try {
    await expect(await open(await profile.newPage())).toBeHidden();
  } finally {
    await profile.close();
    await rm(folder, { recursive: true, force: true });
  }
});
