/** Fixtures of all browser tests: the service, its first administrator, sites, and people who sign in. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { Decrypter } from 'age-encryption';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import { MINIMAL_RESPONSES } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { unlockByItself } from './pin.ts';
import { JWT_SECRET, type Service, startService } from './service.ts';

export { expect };

export interface Person {
  id: string;
  phone: string;
  firstName: string;
  token: string;
}

export interface World {
  service: Service;
  url: string;
  admin: Person;
  /** Ids by name. */
  sites: { harbor: string; chapel: string };
  /** An approved person, known to the service and not yet to any device. */
  person(options?: { role?: string; location?: string | null; firstName?: string }): Promise<Person>;
  newPhone(): string;
}

type Json = Record<string, unknown>;

/** A request without the browser, which must succeed. A 503 is retried, as on a phone. */
export async function call<T = Json>(
  world: { url: string },
  token: string,
  method: string,
  path: string,
  body?: object,
  tries = 10,
): Promise<T> {
  const response = await fetch(world.url + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (response.status === 503 && tries > 0) {
    await sleep(1_000);
    return await call(world, token, method, path, body, tries - 1);
  }
  const answer = response.status === 204 ? {} : await response.json();
  if (!response.ok) throw new Error(`${method} ${path} → ${response.status} ${JSON.stringify(answer)}`);
  return answer as T;
}

/** A token as the service issues it at sign-in, which other tests cover. */
const tokenFor = (id: string) => jwt.sign({ sub: id }, JWT_SECRET, { algorithm: 'HS256', expiresIn: '12h' });

/** Creates the first super-admin, as the page of the setup link does. */
async function setUp(service: Service, person: { phone: string; [field: string]: string }) {
  await call(service, '', 'POST', '/api/setup', person);
  const body = { ...person, code: await service.otp(person.phone) };
  return await call<{ user: { id: string }; token: string }>(service, '', 'POST', '/api/setup', body);
}

/** Tests press "Next" after each answer, which would race with the built-in questionnaire's own step. */
async function withoutAutoAdvance(service: Service): Promise<void> {
  const database = (await service.database()).db('field_survey');
  const off = { $unset: { 'definition.autoAdvanceEnabled': '' } };
  await database.collection('questionnaires').updateMany({}, off);
}

const LONG_AGO = new Date(Date.now() - 100 * 86_400_000);

/** An interview from before the study, its first account or the questionnaire would show that the clock was wrong. */
async function ageStudy(service: Service): Promise<void> {
  const database = (await service.database()).db('field_survey');
  for (const name of ['users', 'studies', 'questionnaires'])
    await database.collection(name).updateMany({}, { $set: { createdAt: LONG_AGO } });
}

async function makeWorld(service: Service): Promise<World> {
  await withoutAutoAdvance(service);
  let next = 2_065_550_100;
  const newPhone = () => `+1${next++}`;
  const phone = newPhone();
  const first = { token: service.setupToken(), phone, firstName: 'Ada', lastName: 'Field' };
  const { user, token } = await setUp(service, first);
  await ageStudy(service);
  const admin = { id: user.id, phone, firstName: 'Ada', token };
  const site = async (name: string) =>
    (await call<{ id: string }>(service, admin.token, 'POST', '/api/locations', { name, type: 'SHELTER' }))
      .id;
  await call(service, admin.token, 'PATCH', '/api/study', { name: 'Harbor count', couponsPerSurvey: 3 });
  const sites = { harbor: await site('Harbor shelter'), chapel: await site('Chapel meals') };
  return {
    service,
    url: service.url,
    admin,
    sites,
    newPhone,
    person: async ({ role = 'VOLUNTEER', location = sites.harbor, firstName = 'Vera' } = {}) => {
      const phone = newPhone();
      const body = { phone, firstName, lastName: 'Field', role, location, approvalStatus: 'APPROVED' };
      const { id } = await call<{ id: string }>(service, admin.token, 'POST', '/api/users', body);
      return { id, phone, firstName, token: tokenFor(id) };
    },
  };
}

type Lock = 'OFF' | 'PIN';

export const setLock = (world: World, deviceLock: Lock, lockAfterMinutes = 10) =>
  call(world, world.admin.token, 'PATCH', '/api/study', { deviceLock, lockAfterMinutes });

interface Options {
  /** Whether a second tap right after the first one is ignored, as on a phone. */
  tapShield: boolean;
  /** With `PIN` all phones of the test have one, which is typed whenever a page asks for it. */
  lock: Lock;
}

/** `E2E_LOCK=PIN npm run test:e2e -- device sending clocks full-phone phone` runs these with a PIN on every phone. */
const LOCK = process.env.E2E_LOCK as Lock | undefined;

/** Once without a PIN on the phone and once with one. */
export function withAndWithoutPin(define: () => void): void {
  for (const lock of LOCK ? [LOCK] : (['OFF', 'PIN'] as const))
    test.describe(lock === 'PIN' ? 'with a PIN' : 'without a PIN', () => {
      test.use({ lock });
      define();
    });
}

let isUnlockedByItself = false;

interface WorkerOptions {
  world: World;
  /** Tests of a file that names one have a service that no other file uses. */
  ownService: string | null;
}

export const test = base.extend<Options & { foreign: string[]; locked: undefined }, WorkerOptions>({
  ownService: [null, { option: true, scope: 'worker' }],
  tapShield: [false, { option: true }],
  lock: [LOCK ?? 'OFF', { option: true }],
  locked: [
    async ({ world, lock }, use) => {
      if (lock === 'OFF') return await use(undefined);
      await setLock(world, lock);
      isUnlockedByItself = true;
      await use(undefined);
      isUnlockedByItself = false;
      await setLock(world, 'OFF');
    },
    { auto: true },
  ],
  context: async ({ context, tapShield, locked: _ }, use, { tags }) => {
    if (!tapShield) await withoutTapShield(context);
    // The service worker makes the browser load and compile the whole app, which takes half the time of most tests.
    if (!tags.includes('@service-worker')) await context.addInitScript(forbidServiceWorkers);
    await use(context);
  },
  world: [
    async ({ ownService: _ }, use) => {
      const service = await startService();
      try {
        await use(await makeWorld(service));
      } finally {
        await service.stop();
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  /** No page may send a request to another host. */
  foreign: [
    async ({ context, world }, use) => {
      const foreignUrls: string[] = [];
      context.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(world.url))
          foreignUrls.push(request.url());
      });
      await use(foreignUrls);
      expect(foreignUrls, 'requests to other hosts').toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * Taps are ignored for 300 ms after each change of the screen (client/src/ui/tap-shield.ts). Tests that tap only once
 * need not wait for that.
 */
export async function withoutTapShield(context: BrowserContext): Promise<BrowserContext> {
  await context.addInitScript(() => {
    const style = new CSSStyleSheet();
    style.replaceSync('.tap-shield { display: none }');
    document.adoptedStyleSheets.push(style);
  });
  if (isUnlockedByItself) await unlockByItself(context);
  return context;
}

/** As in a browser whose settings forbid service workers. */
function forbidServiceWorkers(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register = () => Promise.reject(new DOMException('forbidden', 'SecurityError'));
  Object.assign(globalThis, { noServiceWorker: true });
}

/** Puts the person's session on the device, as a sign-in would, and opens the app. */
export async function enter(page: Page, world: World, person: Person, path = '/'): Promise<void> {
  const reply = await call(world, person.token, 'GET', '/api/auth/session');
  const session = { ...reply, token: person.token, expired: false, refreshedAt: Date.now() };
  // Leaves the app first, which might otherwise store a late response about the previous person.
  await page.goto(`${world.url}/api/health/live`);
  appStore ??= await readAppStore(page, world);
  await page.evaluate(makeAppStore, appStore);
  await storeSession(page, session);
  await page.goto(world.url + path);
}

/** From “Me”, which asks first if it has heard of interviews that are not sent: when it does so is a matter of chance. */
export async function signOutHere(page: Page): Promise<void> {
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true });
  const asks = () => confirm.isVisible();
  const isSignedOut = () => new URL(page.url()).pathname === '/sign-in';
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect.poll(async () => isSignedOut() || (await asks())).toBe(true);
  if (await asks()) await confirm.click();
  await expect.poll(isSignedOut).toBe(true);
}

/** Goes to a page with another title as a link does: without reloading the app, which takes long. */
export async function follow(page: Page, path: string): Promise<void> {
  const title = page.getByRole('heading', { level: 1 });
  const before = (await title.textContent()) ?? '';
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await expect(title).not.toHaveText(before);
}

interface AppStore {
  version: number;
  tables: {
    name: string;
    keyPath: string;
    autoIncrement: boolean;
    indexes: { name: string; keyPath: string | string[]; unique: boolean }[];
  }[];
}

/** The structure of the app's store, read once, so that signing in a device needs no first start of the app. */
let appStore: AppStore | undefined;

async function readAppStore(page: Page, world: World): Promise<AppStore> {
  await page.goto(`${world.url}/sign-in`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(`${world.url}/api/health/live`);
  return await page.evaluate(
    () =>
      new Promise<AppStore>((resolve, reject) => {
        const opening = indexedDB.open('field-survey');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const { version, objectStoreNames } = opening.result;
          const tables = [...objectStoreNames].map((name) => {
            const store = opening.result.transaction(name).objectStore(name);
            const indexes = [...store.indexNames].map((index) => {
              const { keyPath, unique } = store.index(index);
              return { name: index, keyPath, unique };
            });
            return { name, keyPath: store.keyPath as string, autoIncrement: store.autoIncrement, indexes };
          });
          opening.result.close();
          resolve({ version, tables });
        };
      }),
  );
}

/** Runs in the page; does not change an existing store. */
function makeAppStore({ version, tables }: AppStore): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('field-survey', version);
    opening.onupgradeneeded = () => {
      for (const { name, keyPath, autoIncrement, indexes } of tables) {
        const store = opening.result.createObjectStore(name, { keyPath, autoIncrement });
        for (const { name: index, keyPath: of, unique } of indexes) store.createIndex(index, of, { unique });
      }
    };
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      opening.result.close();
      resolve();
    };
  });
}

/** Changes the session stored on the device; the app reads it at its next start. */
export function storeSession(page: Page, change: object): Promise<void> {
  return page.evaluate(
    (changed) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('field-survey');
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('kept', 'readwrite');
          const store = transaction.objectStore('kept');
          const reading = store.get('session');
          reading.onsuccess = () =>
            store.put({ key: 'session', value: { ...reading.result?.value, ...changed } });
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
          transaction.onerror = () => reject(transaction.error);
        };
      }),
    change,
  );
}

/** Waits until the device is ready to work offline, including the app itself if service workers are on. */
export async function untilReady(page: Page): Promise<void> {
  if (await page.evaluate(() => 'noServiceWorker' in globalThis)) {
    await expect(page.getByText(/^[1-9]\d* coupons on this phone$/)).toBeVisible();
    await expect(page.getByText('The questions aren’t on this phone yet')).toBeHidden();
    return;
  }
  await expect(page.getByText('Ready to work offline', { exact: true })).toBeVisible({
    timeout: 40_000,
  });
}

/** A volunteer at the harbour signs in here and waits until the device is ready. */
export async function startWork(page: Page, world: World): Promise<Person> {
  const person = await world.person();
  await enter(page, world, person);
  await untilReady(page);
  return person;
}

/** A new site for tests that count, because other tests leave people and seeds at the sites of the world. */
export async function newSite(world: World, name: string): Promise<string> {
  return (await call<{ id: string }>(world, world.admin.token, 'POST', '/api/locations', { name })).id;
}

export async function newSeed(world: World): Promise<string> {
  const body = { location: world.sites.harbor };
  return (await call<{ referralCode: string }>(world, world.admin.token, 'POST', '/api/seeds', body))
    .referralCode;
}

/** An incentive left out is not paid. The world is shared by tests: a currency alone changes no interview. */
export const setIncentives = (world: World, incentives: object) =>
  call(world, world.admin.token, 'PATCH', '/api/study', { incentives });

export const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click();
export const choose = (page: Page, answer: string | RegExp) =>
  page
    .locator('.interview')
    .getByText(answer, { exact: typeof answer === 'string' })
    .first()
    .click();

interface DraftHere {
  id: string;
  owner: string;
  responses: Record<string, unknown>;
  place: string | null;
  incentive?: object | null;
}

interface SealedDraft extends Partial<DraftHere> {
  sealed?: string;
}

/** What the device has stored of interviews in progress, and the key of each person whose key lies here. */
const storedHere = (page: Page) =>
  page.evaluate(async () => {
    const all = <T>(database: string, store: string) =>
      new Promise<T[]>((resolve) => {
        const opening = indexedDB.open(database);
        opening.onsuccess = () => {
          const reading = opening.result.transaction(store).objectStore(store).getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result);
          };
        };
      });
    const drafts = await all<{ owner: string }>('field-survey', 'drafts');
    const databases = (await indexedDB.databases()).map(({ name }) => name ?? '');
    const owners = databases.filter((name) => name.startsWith('key-'));
    const files = await navigator.storage.getDirectory();
    const identityOf = async (name: string) => {
      const [row] = await all<{ identity?: string; masked?: Uint8Array }>(name, 'key');
      if (!row?.masked) return row?.identity ?? [];
      const pad = await (await (await files.getFileHandle(name)).getFile()).bytes();
      return new TextDecoder().decode(row.masked.map((byte, at) => byte ^ (pad[at] ?? 0)));
    };
    return { drafts, identities: (await Promise.all(owners.map(identityOf))).flat() };
  });

async function opened(file: string, identities: string[]): Promise<object> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return JSON.parse(await decrypter.decrypt(Buffer.from(file, 'base64'), 'text')) as object;
}

/** The interviews in progress on this device, opened with the keys that lie here. */
export async function draftsHere(page: Page): Promise<DraftHere[]> {
  const { drafts, identities } = await storedHere(page);
  return await Promise.all(
    (drafts as SealedDraft[]).map(async ({ sealed, ...clear }) => {
      if (!sealed) return clear as DraftHere;
      const { incentive, ...answers } = (await opened(sealed, identities)) as SealedDraft;
      const handed = clear.incentive ? { incentive: { ...clear.incentive, ...incentive } } : {};
      return { ...clear, ...answers, ...handed } as DraftHere;
    }),
  );
}

/** Starts an interview from the start screen, with a coupon code or as a walk-in. */
export async function startInterview(page: Page, code: string | null): Promise<void> {
  await page.getByRole('button', { name: 'Start an interview' }).click();
  if (code) {
    await page.getByLabel('Coupon code').fill(code);
    await page.getByRole('button', { name: 'Start interview' }).click();
  } else {
    await page.getByRole('button', { name: 'Start as walk-in' }).click();
  }
  await expect(page.locator('.interview')).toBeVisible();
}

/** An eligible person who agrees and has this network size; everything else is skipped. */
export async function answerAll(page: Page, networkSize = 12, skip = skipToEnd): Promise<void> {
  await next(page);
  await choose(page, 'Yes, I agree');
  await next(page);
  await answerEligible(page);
  await answerNetwork(page, networkSize);
  await skip(page);
}

async function answerEligible(page: Page): Promise<void> {
  for (const answer of ['Yes', 'Yes', 'No']) {
    await choose(page, answer);
    await next(page);
  }
}

async function answerNetwork(page: Page, networkSize: number): Promise<void> {
  for (let step = 0; step < 12; step += 1) {
    const number = page.locator('.interview input[data-number]');
    if (await number.count()) await number.first().fill(String(networkSize));
    if (await page.getByRole('button', { name: 'Finish' }).count()) return;
    await next(page);
  }
}

/** Presses "Next" until "Finish" replaces it, which may take a moment after each press. */
export async function toLastQuestion(page: Page): Promise<void> {
  const finish = page.getByRole('button', { name: 'Finish' });
  await expect(async () => {
    if (await finish.isVisible()) return;
    await page.getByRole('button', { name: 'Next' }).click({ timeout: 2_000 });
    expect(await finish.isVisible()).toBe(true);
  }).toPass({ intervals: [0] });
}

/** Presses "Next" up to the last question and finishes. */
export async function skipEachQuestion(page: Page): Promise<void> {
  await toLastQuestion(page);
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByRole('heading', { name: /^(Coupons|Finished)$/ })).toBeVisible();
}

/** The same by pages of questions, which is faster: for tests of other things. */
export async function skipToEnd(page: Page): Promise<void> {
  const byPages = page.getByLabel('Show a page of questions');
  if (await byPages.count()) await byPages.click();
  await skipEachQuestion(page);
  // The next interview begins with single questions again.
  await page.evaluate(() => localStorage.removeItem('interview-view'));
}

/** The shortest complete interview: the person declines. */
export async function decline(page: Page): Promise<void> {
  await next(page);
  await choose(page, 'No, I do not want to take part');
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByRole('heading', { name: /^(Coupons|Finished)$/ })).toBeVisible();
}

export async function tapDone(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Start an interview' })).toBeVisible();
}

/** The codes shown on the page of coupons. */
export async function shownCodes(page: Page): Promise<string[]> {
  const texts = await page.locator('.coupons .code').allTextContents();
  return texts.map((code) => code.replace('-', ''));
}

export interface StoredSurvey {
  id: string;
  clientId: string;
  seed: string | null;
  recruiter: string | null;
  referralCode: string | null;
  issuedCodes: string[];
  flags: { code: string; referralCode: string | null }[];
  responses: Json;
}

interface QuestionnaireBody {
  name: string;
  definition: object;
  networkSizeQuestion: string;
}

/** Asks this questionnaire until `back` is called. */
export async function activate(
  world: World,
  questionnaire: QuestionnaireBody,
  { posted }: { posted?: Date } = {},
): Promise<{ id: string; back(): Promise<void> }> {
  const path = '/api/questionnaires';
  const { token } = world.admin;
  const before = await call<{ id: string }>(world, token, 'GET', `${path}/active`);
  const { id } = await call<{ id: string }>(world, token, 'POST', path, questionnaire);
  if (posted) await change(world, 'questionnaires', id, { createdAt: posted });
  const turn = (to: string) => call(world, token, 'PATCH', `${path}/${to}`, { active: true, confirm: true });
  await turn(id);
  return { id, back: async () => void (await turn(before.id)) };
}

async function change(world: World, collection: string, id: string, fields: Json): Promise<void> {
  const database = (await world.service.database()).db('field_survey');
  const _id = new mongoose.mongo.ObjectId(id);
  await database.collection(collection).updateOne({ _id }, { $set: fields });
}

/** Changes the interview date, however new the interviewer and the coupon are. */
/** In the dialog of activating; a second click where that takes results away. */
export async function confirmActivation(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Activate' }).click();
  const anyway = dialog.getByRole('button', { name: 'Activate anyway' });
  const active = page.getByText('Active', { exact: true });
  await expect(anyway.or(active)).toBeVisible({ timeout: 30_000 });
  if (await anyway.isVisible()) await anyway.click();
  await expect(active).toBeVisible({ timeout: 30_000 });
}

export const setHeld = (world: World, { id }: { id: string }, startedAt: Date, completedAt = startedAt) =>
  change(world, 'surveys', id, { startedAt, completedAt, heldAt: startedAt });

/** The interview of a person who takes part, stored despite problems with its coupon, as a phone sends it. */
export const submit = (world: World, body: object, by: Person = world.admin) =>
  call<StoredSurvey>(world, by.token, 'POST', '/api/surveys', {
    location: world.sites.harbor,
    responses: MINIMAL_RESPONSES,
    onCodeProblem: 'FLAG',
    ...body,
  });

/** All interviews of this person on the service. */
export async function surveysOf(world: World, person: Person): Promise<StoredSurvey[]> {
  const all: StoredSurvey[] = [];
  let cursor = '';
  do {
    const path = `/api/surveys?createdBy=${person.id}&fields=full&limit=200&sort=createdAt${cursor}`;
    const page = await call<{ data: StoredSurvey[]; nextCursor: string | null }>(
      world,
      world.admin.token,
      'GET',
      path,
    );
    all.push(...page.data);
    cursor = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : '';
  } while (cursor);
  return all;
}

export async function untilSurveys(
  world: World,
  person: Person,
  count: number,
  timeout = 30_000,
): Promise<StoredSurvey[]> {
  await expect
    .poll(async () => (await surveysOf(world, person)).length, { timeout, intervals: [100] })
    .toBe(count);
  return surveysOf(world, person);
}

/** Another device, which shares no storage with the first. */
export async function otherDevice(context: BrowserContext): Promise<BrowserContext> {
  const browser = context.browser();
  if (!browser) throw new Error('no browser');
  return withoutTapShield(
    await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-US' }),
  );
}
