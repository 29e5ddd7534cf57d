/** Sending the outbox: rate limits, interviews that are too large, expired sessions, and two tabs. */

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page, Route } from '@playwright/test';
import jwt from 'jsonwebtoken';
import { fillOutbox } from './outbox-rows.ts';
import { JWT_SECRET } from './service.ts';
import {
  expect,
  startWork,
  storeSession,
  surveysOf,
  test,
  untilSurveys,
  withAndWithoutPin,
} from './world.ts';

const POST_SURVEY = '**/api/surveys';

interface SentInterview {
  clientId: string;
  at: number;
}

/** Records each interview that is sent; `answer` replies, or the service if it returns nothing. */
async function watchSending(
  context: BrowserContext,
  answer: (route: Route, number: number) => Promise<unknown> | undefined = () => undefined,
): Promise<SentInterview[]> {
  const requests: SentInterview[] = [];
  await context.route(POST_SURVEY, async (route) => {
    const { clientId } = route.request().postDataJSON() as { clientId: string };
    requests.push({ clientId, at: Date.now() });
    await (answer(route, requests.length) ?? route.continue());
  });
  return requests;
}

/** Replies with an error in the format of the service. */
const refuse = (route: Route, status: number, code: string, headers: Record<string, string> = {}) =>
  route.fulfill({
    status,
    headers: { 'X-Request-Id': 'of-the-test', ...headers },
    json: { code, message: 'Not now.' },
  });

const outbox = (page: Page) => page.getByRole('link', { name: 'Outbox' }).click();

test('after a 429 the outbox waits as long as Retry-After says, in every tab and after a reload', async ({
  page,
  context,
  world,
}) => {
  const person = await startWork(page, world);
  const refusal = { at: 0 };
  const requests = await watchSending(context, (route, number) => {
    if (number !== 2) return undefined;
    refusal.at = Date.now();
    return refuse(route, 429, 'RATE_LIMITED', { 'Retry-After': '5' });
  });
  const clientIds = await fillOutbox(page, world, person, 3);
  await page.reload();
  await expect.poll(() => refusal.at).toBeGreaterThan(0);
  await outbox(page);
  await expect(page.getByText('The service is busy. Sending will resume')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send now' })).toBeHidden();
  const other = await context.newPage();
  await other.goto(world.url);
  await page.reload();
  await untilSurveys(world, person, 3);
  expect(requests.map(({ clientId }) => clientId)).toEqual([
    clientIds[0],
    clientIds[1],
    clientIds[1],
    clientIds[2],
  ]);
  expect((requests[2]?.at ?? 0) - refusal.at).toBeGreaterThanOrEqual(4_900);
});

test('an interview too large for the service needs attention, can be rescued, and blocks no other', async ({
  page,
  world,
}) => {
  const person = await startWork(page, world);
  const large = 'x'.repeat(1_200_000);
  const clientIds = await fillOutbox(page, world, person, 3, (index) =>
    index === 0 ? { consent: large } : { consent: 'no' },
  );
  await page.reload();
  const surveys = await untilSurveys(world, person, 2);
  expect(surveys.map(({ clientId }) => clientId)).toEqual(clientIds.slice(1));
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  const row = page.locator('.row').first();
  await expect(row.getByText('This interview is too large')).toBeVisible();
  type Rescued = { finished: { clientId: string; body: { sealed?: string } }[] };
  let file: Rescued = { finished: [] };
  // What the former app stored in clear is sealed a moment after the start.
  await expect(async () => {
    const saving = page.waitForEvent('download');
    await row.getByRole('button', { name: 'Save rescue file' }).click();
    file = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as Rescued;
    expect(file.finished.filter(({ body }) => !body.sealed)).toEqual([]);
  }).toPass({ timeout: 20_000 });
  const opened = await Promise.all(
    file.finished.map(async ({ clientId, body }) => [
      clientId,
      (await world.service.openSealed(body.sealed ?? '')).responses,
    ]),
  );
  expect(opened).toEqual([[clientIds[0], { consent: large }]]);
});

withAndWithoutPin(() => {
  test('two tabs with one outbox send each interview in one request', { tag: '@service-worker' }, async ({
    page,
    context,
    world,
  }) => {
    const person = await startWork(page, world);
    const requests = await watchSending(context);
    const other = await context.newPage();
    await other.goto(`${world.url}/outbox`);
    await context.setOffline(true);
    const clientIds = await fillOutbox(page, world, person, 25);
    await context.setOffline(false);
    await untilSurveys(world, person, 25);
    await expect(page.getByRole('link', { name: /to send/ })).toBeHidden();
    expect(requests.map(({ clientId }) => clientId)).toEqual(clientIds);
  });
});

test('a session that expires while sending stops the outbox, and signing in resumes it', async ({
  page,
  context,
  world,
}) => {
  const person = await startWork(page, world);
  const exp = Math.floor(Date.now() / 1000) + 6;
  const token = jwt.sign({ sub: person.id, exp }, JWT_SECRET, { algorithm: 'HS256' });
  const requests = await watchSending(context, (route, number) =>
    // The session ends while the second request is held back, so the real service rejects it.
    number === 2 ? sleep(exp * 1000 + 1_500 - Date.now()).then(() => route.continue()) : undefined,
  );
  const clientIds = await fillOutbox(page, world, person, 3);
  await storeSession(page, { token });
  await page.reload();
  await expect(page.getByText('2 interviews on this device')).toBeVisible({ timeout: 30_000 });
  expect(await surveysOf(world, person)).toHaveLength(1);
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code', { exact: true }).fill(await world.service.otp(person.phone));
  await untilSurveys(world, person, 3);
  expect(requests.map(({ clientId }) => clientId)).toEqual([
    clientIds[0],
    clientIds[1],
    clientIds[1],
    clientIds[2],
  ]);
});
