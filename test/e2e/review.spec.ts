/** Review: by keyboard, returned to the volunteer's phone, corrected there, and bulk approval. */
import type { Page } from '@playwright/test';
import mongoose from 'mongoose';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import { faultless } from './page-checks.ts';
import {
  call,
  enter,
  expect,
  newSite,
  otherDevice,
  type Person,
  setIncentives,
  test,
  type World,
} from './world.ts';

test.use({ viewport: { width: 1440, height: 900 } });

interface Stored {
  id: string;
  review: { state: string };
}

const submit = (world: World, by: Person, location = world.sites.harbor) =>
  call<Stored>(world, by.token, 'POST', '/api/surveys', {
    location,
    responses: { consent: 'no' },
  });
const stateOf = async (world: World, { id }: Stored) =>
  (await call<Stored>(world, world.admin.token, 'GET', `/api/surveys/${id}`)).review.state;
const toast = (page: Page) => page.locator('.dashboard-said > div');
/** The queue goes on by itself. */
async function isNext(page: Page, { id }: Stored) {
  await expect(page).toHaveURL(new RegExp(id));
  const review = page.getByRole('region', { name: 'Review' });
  await expect(review.getByText('Not reviewed', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Answers' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Not reviewed', { exact: true })).toBeVisible();
}

test('the review queue works by keyboard alone; interviews sent back come first on the phone, with the comment', async ({
  page,
  context,
  world,
}) => {
  const volunteer = await world.person({ firstName: 'Vic' });
  const [first, second, third] = [
    await submit(world, volunteer),
    await submit(world, volunteer),
    await submit(world, volunteer),
  ];
  await enter(
    page,
    world,
    world.admin,
    `/desk/surveys?review=RECEIVED&createdBy=${volunteer.id}&sort=-createdAt`,
  );
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await expect(page).toHaveURL(new RegExp(third.id));
  await expect(page.getByRole('link', { name: 'Next interview' })).toBeVisible();
  await expect(page.getByText('1 of 3')).toBeVisible();
  await faultless(page, 'an interview to review');
  await page.keyboard.press('a');
  await expect(toast(page)).toContainText('The interview is approved.');
  await isNext(page, second);
  await expect(page.getByText('2 of 3')).toBeVisible();
  await page.keyboard.press('r');
  const ask = page.getByRole('dialog', { name: 'Reject' });
  await expect(ask.getByRole('button', { name: 'Reject' })).toBeDisabled();
  await faultless(page, 'why it is rejected');
  await ask.getByLabel('Reason').fill('Made up.');
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('The interview is rejected.');
  await expect(ask).toBeHidden();
  await isNext(page, first);
  await expect(page.getByText('3 of 3')).toBeVisible();
  await page.keyboard.press('s');
  await page.getByRole('dialog', { name: 'Send back' }).getByLabel('Reason').fill('Did they really say no?');
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('The interview is sent back.');
  await expect(page.getByText('There are no more interviews in this list.')).toBeVisible();
  await faultless(page, 'an interview that was sent back');
  // Back to the list as it was, whichever interview of it is open.
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL(/surveys\?review=RECEIVED&.*sort=-createdAt$/);
  await page.goBack();
  await expect(page.getByText('There are no more interviews in this list.')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await faultless(page, 'an interview that was sent back, on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await Promise.all([first, second, third].map((one) => stateOf(world, one)))).toEqual([
    'HAS_ISSUES',
    'REJECTED',
    'APPROVED',
  ]);

  const phone = await otherDevice(context);
  const small = await phone.newPage();
  await enter(small, world, volunteer);
  const sentBack = small.locator('.notice', { hasText: '1 of your interviews was sent back' });
  await expect(sentBack).toBeVisible();
  await faultless(small, 'home with an interview that was sent back');
  await sentBack.getByRole('link', { name: 'Open', exact: true }).click();
  const row = small.locator('.row-link').first();
  await expect(row).toContainText('Did they really say no?');
  await faultless(small, 'my work with one sent back');
  await row.click();
  await expect(small.getByText('Please correct this interview')).toBeVisible();
  await expect(small.getByRole('button', { name: 'Correct answers' })).toBeVisible();
  await faultless(small, 'an interview to correct');
  await small.getByRole('button', { name: 'Correct answers' }).click();
  await small.getByRole('button', { name: 'Asked for in the review' }).click();
  await expect(small.getByLabel('Why are you correcting it?')).toHaveValue('Asked for in the review');
  await phone.close();
});

test('an interview that a command on the server rejected says so, and a decision replaces it only after asking', async ({
  page,
  world,
}) => {
  const volunteer = await world.person({ firstName: 'Vic' });
  const survey = await submit(world, volunteer);
  const at = new Date();
  const _id = new mongoose.mongo.ObjectId(survey.id);
  const database = (await world.service.database()).db('field_survey');
  await database
    .collection('surveys')
    .updateOne({ _id }, { $set: { review: { state: 'REJECTED', by: null, at, previous: null } } });
  await database
    .collection('surveycomments')
    .insertOne({ survey: _id, text: 'Made up by the team.', by: null, state: 'REJECTED', createdAt: at });
  await enter(page, world, world.admin, `/desk/surveys/${survey.id}`);
  const review = page.getByRole('region', { name: 'Review' });
  await expect(review.getByText('Command on the server')).toHaveCount(2);
  await expect(review.getByText('Made up by the team.')).toBeVisible();
  await review.getByRole('button', { name: /^Approve/ }).click();
  const ask = page.getByRole('dialog', { name: 'Approve' });
  await expect(ask).toContainText('A command on the server rejected this interview');
  await ask.getByRole('button', { name: 'Approve' }).click();
  await expect(toast(page)).toContainText('The interview is approved.');
  expect(await stateOf(world, survey)).toBe('APPROVED');
});

test('reviewing takes at most six requests per interview, and quick decisions are not lost', async ({
  page,
  world,
}) => {
  await setIncentives(world, { currency: 'USD', interview: '20.00', recruit: '10.00', recruitLimit: 3 });
  const volunteer = await world.person({ firstName: 'Vera' });
  const surveys: Stored[] = [];
  for (let at = 0; at < 8; at += 1) {
    const body = { location: world.sites.harbor, status: 'COMPLETED', responses: EXAMPLE_RESPONSES };
    surveys.unshift(await call<Stored>(world, volunteer.token, 'POST', '/api/surveys', body));
  }
  const requests: string[] = [];
  await enter(page, world, world.admin, `/desk/surveys?review=RECEIVED&createdBy=${volunteer.id}`);
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  const next = page.getByRole('link', { name: 'Next interview' });
  await expect(next).toBeVisible();
  // All of the first page, so that nothing of it is counted with what follows.
  const history = page.getByRole('region', { name: 'History' });
  const historySkeleton = page.getByRole('status', { name: 'History: loading' });
  await expect(history.or(historySkeleton)).toBeVisible();
  if (await historySkeleton.count()) await historySkeleton.scrollIntoViewIfNeeded();
  await expect(history).toContainText('The interview was received.');
  await page.waitForLoadState('networkidle');
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}`);
  });
  for (const following of surveys.slice(1, 6)) {
    await page.keyboard.press('a');
    await expect(toast(page)).toContainText('The interview is approved.');
    await isNext(page, following);
    await page.waitForLoadState('networkidle');
  }
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(5 * 6);
  // N right after does not skip one: the decision is sent first, and then the next one opens.
  await page.keyboard.press('a');
  await page.keyboard.press('n');
  await expect(page).toHaveURL(new RegExp(surveys[6]?.id ?? '-'));
  expect(await Promise.all(surveys.slice(0, 7).map((one) => stateOf(world, one)))).toEqual([
    ...Array.from({ length: 6 }, () => 'APPROVED'),
    'RECEIVED',
  ]);
  // Back on the page of a decided one, the decision is in the history.
  await isNext(page, surveys[6] ?? { id: '-', review: { state: '' } });
  await page.keyboard.press('a');
  await expect(toast(page)).toContainText('The interview is approved.');
  await isNext(page, surveys[7] ?? { id: '-', review: { state: '' } });
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveAttribute('aria-disabled', 'true');
  // The history loads when it comes into view.
  await historySkeleton.scrollIntoViewIfNeeded();
  await expect(history).toContainText('Approved');
  await setIncentives(world, { currency: 'USD' });
});

test('a key never changes a decision without asking, a decision can be undone, and rejecting names the money', async ({
  page,
  world,
}) => {
  await setIncentives(world, { currency: 'USD', interview: '20.00', recruit: '10.00', recruitLimit: 3 });
  const volunteer = await world.person({ firstName: 'Vanja' });
  const send = (referralCode?: string) =>
    call<Stored & { issuedCodes: string[] }>(world, volunteer.token, 'POST', '/api/surveys', {
      location: world.sites.harbor,
      status: 'COMPLETED',
      responses: EXAMPLE_RESPONSES,
      ...(referralCode ? { referralCode } : {}),
    });
  const recruiter = await send();
  const recruit = await send(recruiter.issuedCodes[0]);
  await enter(page, world, world.admin, `/desk/surveys?review=RECEIVED&createdBy=${volunteer.id}`);
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await expect(page).toHaveURL(new RegExp(recruit.id));
  await expect(page.getByText('1 of 2')).toBeVisible();
  await page.keyboard.press('r');
  const reject = page.getByRole('dialog', { name: 'Reject' });
  await expect(reject).toContainText('$20.00 for this interview will no longer be owed.');
  await expect(reject).toContainText('$10.00 for the person who recruited them will no longer be owed.');
  await faultless(page, 'rejecting, with the money');
  await reject.getByLabel('Reason').fill('Made up.');
  await page.keyboard.press('Enter');
  await isNext(page, recruiter);
  await expect(page.getByText('2 of 2')).toBeVisible();
  // The next one is on the screen: A means that one, and the rejected one stays rejected.
  await page.keyboard.press('a');
  await expect(toast(page)).toContainText('The interview is approved.');
  expect(await Promise.all([recruit, recruiter].map((one) => stateOf(world, one)))).toEqual([
    'REJECTED',
    'APPROVED',
  ]);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(recruit.id));
  await expect(page.getByText('Rejected', { exact: true }).first()).toBeVisible();
  await page.keyboard.press('a');
  const approve = page.getByRole('dialog', { name: 'Approve' });
  await expect(approve).toContainText('rejected this interview on');
  await expect(approve).toContainText('The interview counts again');
  await approve.getByRole('button', { name: 'Approve' }).click();
  // The line about the one before may still be there.
  await expect.poll(() => stateOf(world, recruit)).toBe('APPROVED');
  await expect(toast(page)).toContainText('The interview is approved.');
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toContainText('Decision undone.');
  await expect(page).toHaveURL(new RegExp(recruit.id));
  expect(await stateOf(world, recruit)).toBe('REJECTED');
  await setIncentives(world, { currency: 'USD' });
});

test('an interview that was rate-limited loads with “Try again”', async ({ page, context, world }) => {
  const survey = await submit(world, await world.person({ firstName: 'Vito' }));
  let isBusy = true;
  await context.route(`**/api/surveys/${survey.id}`, (route) =>
    isBusy
      ? route.fulfill({ status: 429, json: { code: 'RATE_LIMITED', message: 'Wait.' } })
      : route.continue(),
  );
  await enter(page, world, world.admin, `/desk/surveys/${survey.id}`);
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  isBusy = false;
  await again.click();
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
});

test('after a review is rejected or its response lost, the page shows the stored state and accepts the next one', async ({
  page,
  world,
}) => {
  const survey = await submit(world, await world.person({ firstName: 'Vilma' }));
  const path = `/api/surveys/${survey.id}/review`;
  await enter(page, world, world.admin, `/desk/surveys/${survey.id}`);
  const review = page.getByRole('region', { name: 'Review' });
  await expect(review.getByText('Not reviewed')).toBeVisible();
  // Nothing is asked for any more that would tell the page.
  await page.waitForLoadState('networkidle');
  const sentBack = { state: 'HAS_ISSUES', comment: 'Did they say no?' };
  await call(world, world.admin.token, 'POST', path, sentBack);
  await page.keyboard.press('a');
  await expect(page.getByRole('alert')).toContainText('Someone else changed this');
  await expect(review.getByText('Sent back').first()).toBeVisible();
  // A key is ignored while the decision before it is under way.
  await expect(page.getByRole('button', { name: 'Approve' })).toBeEnabled();
  await page.route(`**${path}`, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.keyboard.press('a');
  const ask = page.getByRole('dialog', { name: 'Approve' });
  await expect(ask).toContainText('sent this interview back');
  await ask.getByRole('button', { name: 'Approve' }).click();
  await expect(ask.getByRole('alert')).toBeVisible();
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveAttribute('aria-disabled', 'true');
  expect(await stateOf(world, survey)).toBe('APPROVED');
});

test('several interviews can be approved at once, and a comment added to one', async ({ page, world }) => {
  const volunteer = await world.person({ firstName: 'Vicky' });
  const surveys = [await submit(world, volunteer), await submit(world, volunteer)];
  // These must not be approved along with the others.
  for (const state of ['REJECTED', 'HAS_ISSUES']) {
    const { id } = await submit(world, volunteer);
    await call(world, world.admin.token, 'POST', `/api/surveys/${id}/review`, { state, comment: 'Look.' });
  }
  await enter(page, world, world.admin, `/desk/surveys?createdBy=${volunteer.id}`);
  await page.getByLabel('Select all', { exact: true }).check();
  await page.getByRole('button', { name: 'Approve 2' }).click();
  await expect(toast(page)).toContainText('2 interviews are approved.');
  expect(await Promise.all(surveys.map((one) => stateOf(world, one)))).toEqual(['APPROVED', 'APPROVED']);
  await page.getByLabel('Review').selectOption({ label: 'Approved' });
  await expect(page.getByRole('row')).toHaveCount(3);
  await faultless(page, 'approved interviews');
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.getByLabel('Comment').fill('Well done.');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Well done.' }).first()).toBeVisible();
});

test('one click makes a person a reviewer', async ({ page, world }) => {
  const manager = await world.person({ role: 'MANAGER', firstName: 'Mia' });
  await enter(page, world, world.admin, `/desk/people/${manager.id}`);
  await page.getByRole('button', { name: 'Make reviewer' }).click();
  await expect(page.getByRole('button', { name: 'Make reviewer' })).toHaveCount(0);
  await faultless(page, 'a reviewer');
  const { permissions } = await call<{ permissions: object[] }>(
    world,
    world.admin.token,
    'GET',
    `/api/users/${manager.id}`,
  );
  expect(permissions).toEqual([{ action: 'review', subject: 'Survey', conditions: [] }]);
});

test('a volunteer with the review permission can review others’ interviews of earlier days, but not their own', async ({
  page,
  world,
}) => {
  const [other, reviewer] = [await world.person({ firstName: 'Olga' }), await world.person()];
  const site = await newSite(world, 'Review shelter');
  const first = await submit(world, other, site);
  const second = await submit(world, other, site);
  const own = await submit(world, reviewer, site);
  const surveys = (await world.service.database()).db('field_survey').collection('surveys');
  for (const [at, { id }] of [first, second, own].entries())
    await surveys.updateOne(
      { _id: new mongoose.mongo.ObjectId(id) },
      { $set: { createdAt: new Date(Date.now() - (4 - at) * 86_400_000) } },
    );
  await enter(page, world, reviewer);
  await expect(page.getByRole('link', { name: 'Interviews', exact: true })).toHaveCount(0);
  const permissions = [{ action: 'review', subject: 'Survey', conditions: [] }];
  await call(world, world.admin.token, 'PATCH', `/api/users/${reviewer.id}`, { permissions });

  await page.reload();
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.getByRole('link', { name: 'Interviews', exact: true }).click();
  await page.getByLabel('Review').selectOption({ label: 'Not reviewed' });
  await page.getByLabel('Site').selectOption(site);
  await expect(page.getByRole('row')).toHaveCount(3);
  await faultless(page, 'the interviews of a reviewer');
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await expect(page).toHaveURL(new RegExp(second.id));
  await faultless(page, 'an interview for a reviewer');
  await page.keyboard.press('a');
  await expect(toast(page)).toContainText('The interview is approved.');
  await isNext(page, first);
  await page.goto(`${world.url}/desk/surveys/${own.id}`);
  await expect(page.getByText('You don’t have access to this interview')).toBeVisible();
});
