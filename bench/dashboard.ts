/**
 * How soon the dashboard's pages can be used: `npm run build`, then `npx tsx bench/dashboard.ts [surveys] [chain] [parts of pages' names, by commas]`. A study
 * in a mongod of its own (or on MONGO_URI, whose database `dashboard_bench` is made anew), the service as it runs
 * everywhere, and a browser that opens each page five times as a super-admin: from the tap in the app, and
 * from an empty window. The middle of five is printed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import { connect, disconnect, ensureIndexes } from '../src/platform/db/connect.ts';
import { freePort } from '../src/platform/db/embedded/mongod-process.ts';
import { writeChain } from './dashboard-data.ts';
import { writeStudy } from './data.ts';
import { withDatabase } from './database.ts';

const [size = '100000', longest = '2500', onlyPage = ''] = process.argv.slice(2);
const [surveys, chain] = [Number(size), Number(longest)];
const DATABASE = 'dashboard_bench';
const SECRET = 'a secret of the benchmark, longer than thirty-two bytes';
const ROUNDS = 5;
const say = (text: string) => process.stdout.write(`${text}\n`);

interface Opened {
  name: string;
  path: string;
  /** What stands there once the page can be used. */
  ready: string;
  /** Each time something was written before, and no answer is fresh any more. */
  anew?: true;
}

/** A page of the dashboard is there once nothing on it waits any more. */
const SETTLED = '.dashboard:not(:has(.mantine-Skeleton-root, [aria-busy="true"]))';
const LIST = '.dashboard-table tbody tr';

const pagesOf = (
  examples: Record<'seed' | 'survey' | 'questionnaire' | 'code' | 'person', string>,
): Opened[] => [
  { name: 'home', path: '/', ready: '.board-figures .board-number' },
  { name: 'interviews', path: '/desk/surveys', ready: LIST },
  {
    name: 'interviews with a flag',
    path: '/desk/surveys?flag=any',
    ready: '.dashboard-table, .dashboard-empty',
  },
  { name: 'interviews by date', path: '/desk/surveys?sort=heldAt', ready: LIST },
  { name: 'interviews by coupon', path: `/desk/surveys?search=${examples.code}`, ready: LIST },
  { name: 'interviews by name', path: '/desk/surveys?search=Worker 50', ready: LIST },
  { name: 'one interview', path: `/desk/surveys/${examples.survey}`, ready: '.answer-list .row' },
  { name: 'board', path: '/desk/board', ready: '.board-figure' },
  { name: 'board, recalculated', path: '/desk/board', ready: '.board-figure', anew: true },
  { name: 'board with its tables', path: '/desk/board', ready: `.progress-scroll tbody tr`, anew: true },
  { name: 'tree', path: `/desk/tree/${examples.seed}`, ready: '.tree-canvas' },
  { name: 'tree by an answer', path: `/desk/tree/${examples.seed}?by=sleptLastNight`, ready: '.tree-canvas' },
  { name: 'estimates', path: '/desk/results', ready: '.results-figure', anew: true },
  { name: 'answers', path: '/desk/results/answers', ready: '.answers', anew: true },
  { name: 'compare', path: '/desk/results/compare', ready: '.results-answer, .results-found' },
  { name: 'counts', path: '/desk/results/counts', ready: SETTLED },
  { name: 'runs', path: '/desk/results/runs', ready: SETTLED },
  { name: 'report', path: '/desk/results/report', ready: '.report', anew: true },
  { name: 'downloads', path: '/desk/results/downloads', ready: '.results-files li' },
  { name: 'people', path: '/desk/people', ready: LIST },
  { name: 'one person', path: `/desk/people/${examples.person}`, ready: SETTLED },
  { name: 'approvals', path: '/desk/approvals', ready: SETTLED },
  { name: 'seeds', path: '/desk/seeds', ready: LIST },
  { name: 'coupons', path: '/desk/coupons', ready: SETTLED },
  { name: 'one coupon', path: `/desk/coupons/${examples.code}`, ready: '.dashboard-interviews li' },
  { name: 'sites', path: '/desk/sites', ready: LIST },
  { name: 'study', path: '/desk/study', ready: '.dashboard input' },
  { name: 'history', path: '/desk/audit', ready: LIST },
  { name: 'history of a person', path: `/desk/audit?by=${examples.person}`, ready: LIST },
  { name: 'questionnaires', path: '/desk/questionnaires', ready: LIST },
  {
    name: 'one questionnaire',
    path: `/desk/questionnaires/${examples.questionnaire}`,
    ready: '.versions-questions li',
  },
];

const middle = (took: number[]) => [...took].sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0;

/** What runs in the page is text: this program has no browser's types, and its compiler adds helpers of its own. */
const GO_SCRIPT = `(to) => {
  history.pushState({}, '', to);
  dispatchEvent(new PopStateEvent('popstate', { state: {} }));
}`;
const KEEP_SESSION = `(value) => new Promise((resolve, reject) => {
  const opening = indexedDB.open('field-survey');
  opening.onsuccess = () => {
    const transaction = opening.result.transaction('kept', 'readwrite');
    transaction.objectStore('kept').put({ key: 'session', value });
    transaction.oncomplete = () => resolve(opening.result.close());
    transaction.onerror = () => reject(transaction.error);
  };
})`;
/** What the page's own program was busy with at one stretch, without a frame or a tap in between. */
const WATCH_TASKS = `(() => {
  window.longestTask = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longestTask = Math.max(window.longestTask, duration);
  }).observe({ type: 'longtask', buffered: true });
})()`;
const LONGEST_TASK_SCRIPT = `new Promise((done) => setTimeout(() => {
  const longest = window.longestTask;
  window.longestTask = 0;
  done(longest);
}, 1500))`;
const VISIBLE_SCRIPT = `async (ready) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while (!document.querySelector(ready)) {
    if (performance.now() > 30000) throw new Error('after 30 s there is no ' + ready);
    await frame();
  }
  await frame();
  return performance.now();
}`;
const TIMED_SCRIPT = `async (to, ready) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const begin = performance.now();
  (${GO_SCRIPT})(to);
  while (!document.querySelector(ready)) await frame();
  await frame();
  await frame();
  return performance.now() - begin;
}`;

/** As a tap on a link does it, within the app that is open; two frames more, so that it has been drawn. */
async function withinTheApp(page: Page, { path, ready }: Opened): Promise<number> {
  await page.evaluate(`(${GO_SCRIPT})('/me')`);
  await page.waitForSelector(ready, { state: 'detached' });
  await sleep(2_200); // The app takes answers of the last two seconds for fresh.
  return await page.evaluate<number>(`(${TIMED_SCRIPT})(${JSON.stringify(path)}, ${JSON.stringify(ready)})`);
}

/** From the start of the navigation to the frame that shows it, by the page's own clock. */
async function timeToOpenInNewWindow(page: Page, url: string, { path, ready }: Opened): Promise<number> {
  await page.goto(url + path, { waitUntil: 'commit' });
  // Asked at each frame: waiting for a selector looks every half second once a page takes longer.
  return await page.evaluate<number>(`(${VISIBLE_SCRIPT})(${JSON.stringify(ready)})`);
}

/** Answers of the board are fresh for five seconds, and after that until something is written. */
async function outdate(url: string, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ contact: `Dashboard ${Date.now()}` });
  const reply = await fetch(`${url}/api/study`, { method: 'PATCH', headers, body });
  if (!reply.ok) throw new Error(`the study could not be changed: ${reply.status}`);
  await sleep(5_500);
}

async function measure(browser: Browser, url: string, token: string, pages: Opened[]): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  const page = await context.newPage();
  await page.addInitScript(WATCH_TASKS);
  const reply = await fetch(`${url}/api/auth/session`, { headers: { Authorization: `Bearer ${token}` } });
  const session = { ...((await reply.json()) as object), token, expired: false, refreshedAt: Date.now() };
  await page.goto(`${url}/sign-in`);
  await page.waitForSelector('h1');
  // As a sign-in leaves it on the device.
  await page.evaluate(`(${KEEP_SESSION})(${JSON.stringify(session)})`);
  say(
    'page                          in the app   empty window   longest task   (ms, median of five, slowest in brackets)',
  );
  for (const opened of pages.filter(({ name }) => onlyPage.split(',').some((part) => name.includes(part)))) {
    const empty: number[] = [];
    const inside: number[] = [];
    let longest = 0;
    const noteTasks = async () => {
      longest = Math.max(longest, await page.evaluate<number>(LONGEST_TASK_SCRIPT));
    };
    for (let round = 0; round < ROUNDS; round++) {
      await page.goto('about:blank');
      if (opened.anew) await outdate(url, token);
      empty.push(await timeToOpenInNewWindow(page, url, opened));
      await noteTasks();
      await page.evaluate(`(${GO_SCRIPT})('/me')`);
      if (opened.anew) await outdate(url, token);
      inside.push(await withinTheApp(page, opened));
      await noteTasks();
    }
    const middleAndMost = (took: number[]) => `${middle(took).toFixed(0)} (${Math.max(...took).toFixed(0)})`;
    say(
      `${opened.name.padEnd(26)} ${middleAndMost(inside).padStart(13)} ${middleAndMost(empty).padStart(14)} ${longest.toFixed(0).padStart(14)}`,
    );
  }
}

async function startService(mongoUri: string, port: number, folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env: {
      ...process.env,
      MONGO_URI: mongoUri,
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      JWT_SECRET: SECRET,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      TIME_ZONE: 'America/Los_Angeles',
      OTP_PROVIDER: 'console',
      DATA_DIR: folder,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const begin = Date.now(); Date.now() - begin < 120_000; await sleep(200)) {
    if (child.exitCode !== null) throw new Error('the service ended by itself');
    const ready = await fetch(`http://localhost:${port}/api/health/ready`).catch(() => null);
    if (ready?.ok) return child;
  }
  throw new Error('the service did not get ready');
}

/** What pages show first is counted after a start, and each night (src/statistics/results/estimates.ts). */
async function waitForBoardCache(db: mongoose.mongo.Db): Promise<void> {
  const begin = Date.now();
  const waits = () => db.collection('jobs').countDocuments({ name: 'count ahead', lastFinishedAt: null });
  const countStored = () => db.collection('lastanswers').countDocuments();
  while ((await waits()) > 0 || (await countStored()) === 0) {
    if (Date.now() - begin > 120_000) throw new Error('nothing was counted ahead');
    await sleep(200);
  }
  say(
    `The figures that pages show first were precalculated within ${((Date.now() - begin) / 1000).toFixed(1)} s of the start`,
  );
}

/** A database of its own on that mongod: the service takes its name from the address. */
function addressOf(uri: string): string {
  const address = new URL(uri);
  address.pathname = `/${DATABASE}`;
  return address.href;
}

async function run(uri: string, folder: string): Promise<void> {
  await connect(uri, DATABASE);
  await mongoose.connection.dropDatabase();
  const db = mongoose.connection.getClient().db(DATABASE);
  const study = await writeStudy(db, surveys, new Date());
  const seed = await writeChain(db, study, chain, new Date());
  await ensureIndexes(Object.values(mongoose.models));
  // Who runs the campaign works at no site.
  await db.collection('users').updateOne({ _id: study.superAdmin }, { $set: { location: null } });
  const questionnaire = String((await db.collection('questionnaires').findOne({}))?._id);
  const token = jwt.sign({ sub: String(study.superAdmin) }, SECRET, { algorithm: 'HS256', expiresIn: '2h' });
  const port = await freePort();
  const service = await startService(addressOf(uri), port, folder);
  if (surveys >= 5_000) await waitForBoardCache(db);
  await disconnect();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const pages = pagesOf({
      seed,
      survey: study.someSurveys.at(-1) ?? '',
      questionnaire,
      code: study.someCodes.at(-1) ?? '',
      person: String(study.volunteers[50]),
    });
    await measure(browser, `http://localhost:${port}`, token, pages);
    say(`${surveys} + ${chain} interviews, load ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores`);
  } finally {
    await browser.close();
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'field-survey-dashboard-'));
try {
  await withDatabase(say, () => run(process.env.MONGO_URI ?? '', folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
