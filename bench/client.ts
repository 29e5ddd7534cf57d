/**
 * The client's promises in numbers: script before the interview opens, a cold start from the service worker on a
 * throttled phone, and frames while typing into an interview of 100 questions. With `--sealing` only what sealing costs
 * while typing, against a phone that stores plaintext. Needs a built client.
 *   npx tsx bench/client.ts [--sealing [--rounds 10]]
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { CHROMIUM } from '../playwright.config.ts';
import { choosePin } from '../test/e2e/pin.ts';
import { type Service, startService } from '../test/e2e/service.ts';

const { values } = parseArgs({
  options: { sealing: { type: 'boolean', default: false }, rounds: { type: 'string', default: '10' } },
});
/** Of typing on phones that seal and one that does not. */
const ROUNDS = Number(values.rounds);
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'en-US' };
const SLOW_CPU = 4;
const RUNS = 7;
/** Milliseconds: a fast typist's, and how long the page is watched at rest. */
const KEY_INTERVAL_MS = 60;
const REST_MS = 6_000;
/** 400 ms and 400 kbit/s: what browsers call a slow 3G. */
const SLOW_LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const say = (what: string, value: string) => console.log(`${what.padEnd(64)} ${value}`);

async function call<T>(
  service: Service,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const headers = {
    'Content-Type': 'application/json',
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };
  const init = body ? { method, headers, body: JSON.stringify(body) } : { method, headers };
  const response = await fetch(service.url + path, init);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

interface Admin {
  phone: string;
  token: string;
}

async function makeAdmin(service: Service): Promise<Admin> {
  const phone = '+12065550100';
  const person = { token: service.setupToken(), phone, firstName: 'Ada', lastName: 'Field' };
  await call(service, '', 'POST', '/api/setup', person);
  const code = await service.otp(phone);
  const { token } = await call<{ token: string }>(service, '', 'POST', '/api/setup', { ...person, code });
  await call(service, token, 'POST', '/api/locations', { name: 'Harbor shelter', type: 'SHELTER' });
  return { phone, token };
}

const startButton = (page: Page) => page.getByRole('button', { name: 'Start an interview' });

async function signIn(page: Page, service: Service, admin: Admin, isLocked = false): Promise<void> {
  await page.goto(service.url);
  await page.getByLabel('Your phone number').fill(admin.phone);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await service.otp(admin.phone));
  if (isLocked) await choosePin(page);
  await startButton(page).waitFor();
}

/** Bytes of script that went over the line, as compressed, from the first page to the one before the questions. */
async function firstLoad(context: BrowserContext, service: Service, admin: Admin): Promise<Page> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  const scripts = new Set<string>();
  let bytes = 0;
  let count = 0;
  cdp.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!scripts.has(requestId)) return;
    bytes += encodedDataLength;
    count += 1;
  });
  await signIn(page, service, admin);
  await startButton(page).click();
  await page.getByLabel('Coupon code').waitFor();
  say(
    'Script before the interview opens, compressed (goal < 300 kB)',
    `${(bytes / 1000).toFixed(0)} kB in ${count} files`,
  );
  await page.goto(service.url);
  await page.getByText('Ready to work offline', { exact: true }).waitFor({ timeout: 60_000 });
  return page;
}

/** The page closed, the worker stopped: what a person waits who takes the phone out of the pocket. */
async function coldStart(context: BrowserContext, service: Service): Promise<void> {
  for (const [line, settings] of [
    ['slow line', SLOW_LINE],
    ['no signal', { ...SLOW_LINE, offline: true }],
  ] as const) {
    const took: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      await cdp.send('ServiceWorker.enable');
      await cdp.send('ServiceWorker.stopAllWorkers');
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
      await cdp.send('Network.enable');
      await cdp.send('Network.emulateNetworkConditions', settings);
      const before = Date.now();
      await page.goto(service.url, { waitUntil: 'commit' });
      await startButton(page).waitFor();
      took.push(Date.now() - before);
      await page.close();
    }
    say(
      `Cold start from the service worker, CPU ${SLOW_CPU}x slower, ${line} (goal < 1500 ms)`,
      `median ${median(took)} ms, worst ${Math.max(...took)} ms`,
    );
  }
}

function longQuestionnaire(): object {
  const elements = Array.from({ length: 100 }, (_none, index) => {
    const title = { en: `Question ${index + 1}`, es: `Pregunta ${index + 1}` };
    if (index === 0) return { type: 'text', inputType: 'number', name: 'networkSize', title };
    return index % 3 === 0
      ? { type: 'radiogroup', name: `q${index}`, title, choices: ['a', 'b', 'c', 'd'] }
      : { type: index % 3 === 1 ? 'text' : 'comment', name: `q${index}`, title };
  });
  return { pages: [{ name: 'all', elements }] };
}

async function measureHundred(service: Service, admin: Admin): Promise<void> {
  const questionnaire = await call<{ id: string }>(service, admin.token, 'POST', '/api/questionnaires', {
    name: 'Hundred questions',
    definition: longQuestionnaire(),
    networkSizeQuestion: 'networkSize',
  });
  await call(service, admin.token, 'PATCH', `/api/questionnaires/${questionnaire.id}`, {
    active: true,
    confirm: true,
  });
}

async function typing(page: Page, service: Service, admin: Admin): Promise<void> {
  await measureHundred(service, admin);
  const fetched = page.waitForResponse('**/api/questionnaires/active');
  await page.reload();
  await (await fetched).finished();
  await page.waitForTimeout(500);
  await startLong(page);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  for (const rate of [1, SLOW_CPU]) await typeFor(page, cdp, rate);
}

/** An interview of 100 questions on one page. */
async function startLong(page: Page): Promise<void> {
  await page.evaluate("localStorage.setItem('interview-view', 'page')");
  await startButton(page).click();
  const where = page.getByLabel('Where are you?');
  await where.waitFor();
  if ((await where.inputValue()) === '') await where.selectOption({ label: 'Harbor shelter' });
  await page.getByRole('button', { name: 'Start as walk-in' }).click();
  await page.locator('.interview textarea').nth(10).waitFor();
}

/** Milliseconds that the page's main thread worked: unlike the clock, not moved by what else the machine does. */
async function cpuTime(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

/** How many frames the worst second had while `act` went on, and the longest single frame. */
async function framesDuring(page: Page, act: () => Promise<void>): Promise<string> {
  // As text, since it runs in the page: this file knows no window.
  await page.evaluate(`
    globalThis.frames = [];
    cancelAnimationFrame(globalThis.nextFrame);
    const tick = (now) => { globalThis.frames.push(now); globalThis.nextFrame = requestAnimationFrame(tick); };
    globalThis.nextFrame = requestAnimationFrame(tick);
  `);
  await act();
  const frames = await page.evaluate<number[]>('globalThis.frames');
  const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
  const perSecond: number[] = [];
  for (let start = frames[0] ?? 0; start + 1000 < (frames.at(-1) ?? 0); start += 250) {
    perSecond.push(frames.filter((at) => at >= start && at < start + 1000).length);
  }
  return `${Math.min(...perSecond)} frames in the worst second, longest frame ${Math.max(...gaps).toFixed(0)} ms`;
}

async function typeFor(page: Page, cdp: CDPSession, rate: number): Promise<void> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate });
  await page.locator('.interview textarea').nth(10).click();
  const spoken = 'Someone who speaks fast says a lot in a short time. '.repeat(2);
  const atRest = await cpuTime(cdp);
  // What the machine itself makes of it: below 50 here, the next number says nothing about the client.
  const resting = await framesDuring(page, () => page.waitForTimeout(REST_MS));
  const between = (((await cpuTime(cdp)) - atRest) / REST_MS) * KEY_INTERVAL_MS;
  say(
    `The same page, idle, CPU ${rate}x slower`,
    `${resting}, ${between.toFixed(1)} ms of CPU per key interval`,
  );
  const before = await cpuTime(cdp);
  const frames = await framesDuring(page, () => page.keyboard.type(spoken, { delay: KEY_INTERVAL_MS }));
  const perKey = ((await cpuTime(cdp)) - before) / spoken.length;
  say(
    `Typing, 100 questions on one page, CPU ${rate}x slower (goal >= 50)`,
    `${frames}, ${perKey.toFixed(1)} ms of CPU per key`,
  );
}

const SENTENCE = 'Someone who speaks fast says a lot in a short time. ';
/** In clear, as where the browser can't seal: on plain http. */
const PHONES = ['plaintext', 'sealed', 'sealed, with a PIN'] as const;

interface Typed {
  /** Milliseconds of the main thread's processor time for each key. */
  cpu: number;
  /** Milliseconds from a key to the frame that shows it. */
  paint: number;
}

/** The same text in turns on three phones, each slowed down. */
async function sealingWhileTyping(browser: Browser, service: Service, admin: Admin): Promise<void> {
  await measureHundred(service, admin);
  const pages: { page: Page; cdp: CDPSession; typed: Typed[] }[] = [];
  for (const phone of PHONES) {
    const isLocked = phone === 'sealed, with a PIN';
    if (isLocked) await call(service, admin.token, 'PATCH', '/api/study', { deviceLock: 'PIN' });
    const page = await (await browser.newContext(PHONE)).newPage();
    if (phone === 'plaintext')
      await page.addInitScript("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })");
    await signIn(page, service, admin, isLocked);
    await page.getByText('Ready to work offline', { exact: true }).waitFor({ timeout: 60_000 });
    await startLong(page);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
    await page.evaluate(`
      globalThis.paints = [];
      addEventListener('input', ({ timeStamp }) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => globalThis.paints.push(performance.now() - timeStamp);
        port2.postMessage(null);
      }), true);
    `);
    pages.push({ page, cdp, typed: [] });
  }
  for (let round = -1; round < ROUNDS; round += 1)
    for (const { page, cdp, typed } of round % 2 === 0 ? pages : pages.toReversed()) {
      await page.bringToFront();
      await page.locator('.interview textarea').nth(10).click();
      await page.evaluate('globalThis.paints = []');
      const before = await cpuTime(cdp);
      await page.keyboard.type(SENTENCE, { delay: KEY_INTERVAL_MS });
      // The last write comes 150 ms after the last key.
      await page.waitForTimeout(500);
      const cpu = ((await cpuTime(cdp)) - before) / SENTENCE.length;
      const paint = median(await page.evaluate<number[]>('globalThis.paints'));
      // To warm up.
      if (round >= 0) typed.push({ cpu, paint });
    }
  const of = (at: number, key: keyof Typed) => median((pages[at]?.typed ?? []).map((one) => one[key]));
  for (const [at, phone] of PHONES.entries())
    say(
      `Typing, ${phone}, CPU ${SLOW_CPU}x slower, ${ROUNDS} rounds of ${SENTENCE.length} keys`,
      `${of(at, 'cpu').toFixed(1)} ms of CPU per key (${(of(at, 'cpu') / of(0, 'cpu')).toFixed(2)}), ${of(at, 'paint').toFixed(1)} ms to the frame (${(of(at, 'paint') / of(0, 'paint')).toFixed(2)})`,
    );
}

say(
  'Load of this machine over the last minute, and its cores',
  `${loadavg()[0]?.toFixed(1)} of ${cpus().length}`,
);
const service = await startService();
const browser = await chromium.launch(CHROMIUM);
try {
  const admin = await makeAdmin(service);
  if (values.sealing) await sealingWhileTyping(browser, service, admin);
  else {
    const context = await browser.newContext(PHONE);
    const page = await firstLoad(context, service, admin);
    await coldStart(context, service);
    await typing(page, service, admin);
  }
} finally {
  await browser.close();
  await service.stop();
}
