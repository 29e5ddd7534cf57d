/** Corrections by a coordinator on the dashboard: answers with a reason, coupons, deletions. */
import { MINIMAL_RESPONSES } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { countClicks, forged } from './dashboard.ts';
import { faultless } from './page-checks.ts';
import {
  activate,
  call,
  enter,
  expect,
  newSeed,
  newSite,
  type StoredSurvey,
  setIncentives,
  submit,
  test,
  type World,
} from './world.ts';

test.use({ viewport: { width: 1280, height: 800 } });

const stored = (world: World, { id }: StoredSurvey) =>
  call<StoredSurvey>(world, world.admin.token, 'GET', `/api/surveys/${id}`);

const records = async (world: World, name: string) =>
  (await world.service.database()).db('field_survey').collection(name);

const YESTERDAY = new Date(Date.now() - 30 * 3_600_000);

/** Changes the times of an interview to yesterday. */
async function backdate(world: World, { clientId }: StoredSurvey): Promise<void> {
  const times = { createdAt: YESTERDAY, startedAt: YESTERDAY, completedAt: YESTERDAY, heldAt: YESTERDAY };
  await (await records(world, 'surveys')).updateOne({ clientId }, { $set: times });
}

test.afterAll(({ world }) => setIncentives(world, { currency: 'USD' }));

test('correcting an answer opens its page, requires a reason, returns to the answer and is in the history', async ({
  page,
  world,
}) => {
  const survey = await submit(world, {});
  await enter(page, world, world.admin, `/desk/surveys/${survey.id}`);
  const row = page.locator('.answer-list .row').filter({ has: page.getByText('12', { exact: true }) });
  const answer = page.locator('[aria-describedby="asked-networkSize"]');
  await row.getByRole('button', { name: 'Correct this answer' }).click();
  await page.locator('[data-name=networkSize] input').fill('20');
  await expect(page.locator('[data-name=consent]')).toHaveCount(0);
  await faultless(page, 'one answer is corrected');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a reason, or tap one below.')).toBeVisible();
  await page.getByLabel('Why are you correcting it?').fill('Misheard: twenty, not twelve.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(answer).toContainText('20');
  await expect(answer).toBeInViewport();
  await expect(answer).toBeFocused();
  const saved = page.getByRole('status').filter({ hasText: 'Saved' });
  await expect(saved.getByText('Saved')).toBeInViewport();
  const history = page.getByRole('region', { name: 'History' });
  await expect(history).toContainText('Reason: Misheard: twenty, not twelve.');
  expect((await stored(world, survey)).responses.networkSize).toBe(20);
});

test('an interview’s site can be corrected with a reason, after the effect on figures and incentives is shown', async ({
  page,
  world,
}) => {
  await setIncentives(world, { currency: 'USD', interview: '20.00', recruit: null, recruitLimit: null });
  const survey = await submit(world, {});
  const there = await newSite(world, 'Lakeside clinic');
  await enter(page, world, world.admin, `/desk/surveys/${survey.id}`);
  const facts = page.getByRole('region', { name: 'About this interview' });
  await facts.getByRole('button', { name: 'Correct site' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct site' });
  await expect(dialog).toContainText('will count at the chosen site instead');
  await expect(dialog).toContainText('$20.00 still owed to this person will count at the chosen site.');
  await expect(dialog).toContainText('Nobody’s current site changes.');
  const yes = dialog.getByRole('button', { name: 'Correct site' });
  await expect(yes).toBeDisabled();
  const site = dialog.getByLabel('Site');
  // Where it is already is no choice.
  await expect(site.getByRole('option', { name: 'Harbor', exact: false })).toHaveCount(0);
  await site.selectOption('Lakeside clinic');
  await expect(yes).toBeDisabled();
  await dialog.getByLabel('Reason').fill('The wrong site was chosen.');
  await faultless(page, 'correcting the site of an interview');
  await page.setViewportSize({ width: 360, height: 780 });
  await faultless(page, 'correcting the site of an interview, on a phone');
  await yes.click();
  await expect(dialog).toBeHidden();
  await expect(facts).toContainText('Lakeside clinic');
  const history = page.getByRole('region', { name: 'History' });
  await expect(history).toContainText('Reason: The wrong site was chosen.');
  expect(await stored(world, survey)).toMatchObject({ location: there });
  // Someone who may only change interviews of one site has no other to choose.
  const manager = await world.person({ role: 'MANAGER', location: there });
  await enter(page, world, manager, `/desk/surveys/${survey.id}`);
  await expect(facts).toContainText('Lakeside clinic');
  await expect(facts.getByRole('button', { name: 'Correct site' })).toHaveCount(0);
});

test('an answer to a question shown because of the person’s age on the interview date is kept', async ({
  page,
  world,
}) => {
  const { id: questionnaire, back } = await activate(
    world,
    {
      name: 'Young people',
      definition: {
        elements: [
          { type: 'text', inputType: 'date', name: 'born' },
          { type: 'text', inputType: 'number', name: 'size', title: 'How many?' },
          {
            type: 'text',
            name: 'school',
            title: 'Which school?',
            visibleIf: 'age({born}) < 18',
            isRequired: true,
          },
        ],
      },
      networkSizeQuestion: 'size',
    },
    { posted: new Date(0) },
  );
  try {
    const DAY = 86_400_000;
    const interviewAt = new Date(Date.now() - 30 * DAY).toISOString();
    const birthday = new Date(Date.now() - 10 * DAY);
    birthday.setUTCFullYear(birthday.getUTCFullYear() - 18);
    const responses = { born: birthday.toISOString().slice(0, 10), size: 3, school: 'North High' };
    const times = { startedAt: interviewAt, completedAt: interviewAt };
    const survey = await submit(world, { questionnaire, responses, ...times });
    await enter(page, world, world.admin, `/desk/surveys/${survey.id}`);
    await page.getByRole('button', { name: 'Correct answers' }).click();
    await page.getByLabel('How many?').fill('4');
    await expect(page.getByLabel('Which school?')).toHaveValue('North High');
    await page.getByLabel('Why are you correcting it?').fill('Misheard: four, not three.');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name: 'Correct answers' })).toBeVisible();
    expect((await stored(world, survey)).responses).toEqual({ ...responses, size: 4 });
  } finally {
    await back();
  }
});

test('only a reviewer can accept an expired coupon, with a reason', async ({ page, world }) => {
  const [manager, volunteer] = [await world.person({ role: 'MANAGER' }), await world.person()];
  const code = await newSeed(world);
  const past = new Date(Date.now() - 3_600_000);
  await (await records(world, 'referralcodes')).updateOne(
    { code },
    { $set: { createdAt: new Date(0), expiresAt: past } },
  );
  const survey = await submit(world, { referralCode: code }, volunteer);
  expect(survey.flags).toMatchObject([{ code: 'REFERRAL_CODE_EXPIRED' }]);

  await enter(page, world, volunteer, `/work/${survey.id}`);
  await page.getByLabel('Correct code').fill(code);
  await expect(page.getByText('The coupon counts if it was valid on the interview date.')).toBeVisible();
  await expect(page.getByLabel('Why should the coupon count anyway?')).toHaveCount(0);
  await page.getByRole('button', { name: 'Use this code' }).click();
  await expect(page.getByText('This coupon has expired.')).toBeVisible();

  await enter(page, world, manager, `/desk/surveys/${survey.id}`);
  await expect(page.getByLabel('Correct code')).toHaveValue(`${code.slice(0, 4)}-${code.slice(4)}`);
  await page.getByLabel('Why should the coupon count anyway?').fill('Handed over in time.');
  await page.getByRole('button', { name: 'Use this code' }).click();
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Reason: Handed over in time.');
  expect(await stored(world, survey)).toMatchObject({ referralCode: code, flags: [] });
});

test('a coupon presented twice can be assigned to the other interview and back, only by someone who may edit both', async ({
  page,
  world,
}) => {
  const manager = await world.person({ role: 'MANAGER' });
  const code = await newSeed(world);
  const first = await submit(world, { referralCode: code });
  const other = { ...MINIMAL_RESPONSES, networkSize: 33 };
  const second = await submit(world, { referralCode: code, responses: other });
  const recruit = await submit(world, { referralCode: first.issuedCodes[0] });
  const give = page.getByRole('button', { name: 'Assign the coupon to this interview' });
  const reason = page.getByLabel('Reason');
  const yes = page.getByRole('button', { name: 'Assign to this interview' });

  const clicks = await countClicks(page);
  await enter(page, world, manager, `/desk/surveys/${second.id}`);
  const sides = page.getByRole('table', { name: 'Compare both interviews' });
  await expect(sides.getByRole('row').filter({ hasText: 'Of those adults' })).toContainText(/33.*12/);
  await expect(sides).not.toContainText('Do you agree');
  await faultless(page, 'one coupon, two interviews');
  await give.click();
  await expect(yes).toBeDisabled();
  await reason.focus();
  await reason.fill('The first one had a copy.');
  await yes.click();
  const history = page.getByRole('region', { name: 'History' });
  await expect(history).toContainText('Reason: The first one had a copy.');
  expect(clicks.since()).toBe(2);
  expect(await stored(world, second)).toMatchObject({ referralCode: code, flags: [] });
  expect(await stored(world, first)).toMatchObject({
    referralCode: null,
    flags: [{ code: 'REFERRAL_CODE_USED' }],
  });
  expect((await stored(world, recruit)).seed).toBeNull();

  // A coordinator can reverse it on the page of the interview that lost the code.
  await enter(page, world, world.admin, `/desk/surveys/${first.id}`);
  await give.click();
  await reason.fill('It was the other way round.');
  await yes.click();
  await expect(history).toContainText('Reason: It was the other way round.');
  expect((await stored(world, first)).referralCode).toBe(code);
  expect((await stored(world, recruit)).seed).toBe((await stored(world, first)).seed);

  // Not offered to people who may change only one of the two, and rejected by the API.
  const away = await submit(world, { location: world.sites.chapel, referralCode: await newSeed(world) });
  const late = await submit(world, { referralCode: away.referralCode });
  await enter(page, world, manager, `/desk/surveys/${late.id}`);
  await expect(page.getByLabel('Correct code')).toBeVisible();
  await expect(give).toHaveCount(0);
  const body = { from: away.id, reason: 'Why not' };
  expect(await forged(world, manager, 'POST', `/api/surveys/${late.id}/take-code`, body)).toBe(403);

  // Kept as it is: the notice disappears, and the history has the reason.
  await enter(page, world, world.admin, `/desk/surveys/${late.id}`);
  await expect(page.getByRole('button', { name: 'Dismiss the flag without deciding' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Dismiss flag' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Leave the coupon where it is' }).click();
  await reason.fill('The first one is right.');
  await page.getByRole('button', { name: 'Leave it there' }).click();
  await expect(history).toContainText('Reason: The first one is right.');
  expect(await stored(world, late)).toMatchObject({ referralCode: null, flags: [] });
});

test('a deleted interview can be restored at once, from the tree or the history, by anyone who may delete it', async ({
  page,
  world,
}) => {
  const admin = await world.person({ role: 'ADMIN' });
  const survey = await submit(world, { referralCode: await newSeed(world) });
  const back = page.getByRole('button', { name: 'Restore' });
  await enter(page, world, admin, `/desk/surveys/${survey.id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('It keeps its place in the tree')).toBeVisible();
  await page.getByRole('button', { name: 'Delete interview' }).click();
  await expect(page).toHaveURL(/\/desk\/surveys$/);
  await expect(page.getByText('The interview is deleted.')).toBeVisible();
  await faultless(page, 'the list after a deletion');
  await back.click();
  await expect(page).toHaveURL(new RegExp(`/desk/surveys/${survey.id}`));
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Deleted: from');

  await call(world, admin.token, 'DELETE', `/api/surveys/${survey.id}`);
  await page.goto(`${world.url}/desk/tree/${survey.seed}?as=outline`);
  await page.locator('.tree-pick').first().click();
  await back.click();
  await expect(page).toHaveURL(new RegExp(`/desk/surveys/${survey.id}`));
  await expect(page.getByText('Do you agree to take part?')).toBeVisible();

  // Only a super-admin can restore an interview of another day.
  await call(world, admin.token, 'DELETE', `/api/surveys/${survey.id}`);
  await backdate(world, survey);
  await page.goto(`${world.url}/desk/tree/${survey.seed}?as=outline`);
  await page.locator('.tree-pick').first().click();
  await expect(page.getByRole('region', { name: 'Interview' })).toContainText('Deleted');
  await expect(back).toHaveCount(0);
  expect(await forged(world, admin, 'POST', `/api/surveys/${survey.id}/restore`)).toBe(403);
  const deletions = '/desk/audit?subject=Survey&action=delete';
  await page.goto(world.url + deletions);
  await expect(page.locator('.dashboard-table tbody tr').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Restore/ })).toHaveCount(0);
  await enter(page, world, world.admin, deletions);
  await page
    .getByRole('button', { name: /^Restore/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/desk/surveys/${survey.id}`));
  expect((await stored(world, survey)).id).toBe(survey.id);
});

test('printed coupons can be added the next day; an invalid one is explained and changes nothing', async ({
  page,
  world,
}) => {
  await call(world, world.admin.token, 'POST', '/api/referral-codes/batches', {
    count: 2,
    location: world.sites.harbor,
  });
  const reserved = await (await records(world, 'referralcodes'))
    .find({ batch: { $ne: null }, state: 'RESERVED' })
    .toArray();
  const [paper = '', other = ''] = reserved.map(({ code }) => String(code));
  const survey = await submit(world, {});
  await backdate(world, survey);
  const recruit = await submit(world, { referralCode: paper });
  expect(recruit.recruiter).toBeNull();

  await enter(page, world, world.admin, `/desk/surveys/${survey.id}`);
  const add = page.getByRole('button', { name: 'Add printed coupons' });
  await add.click();
  const window = page.getByRole('dialog');
  await window.getByLabel('Coupon 1').fill(paper);
  await window.getByLabel('Coupon 2').fill(recruit.issuedCodes[0] ?? '');
  await window.getByLabel('Reason').fill('The phone had gone dark.');
  await window.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(window.getByText('Another interview handed out this coupon. See “Coupons”.')).toBeVisible();
  await faultless(page, 'adding printed coupons');
  expect((await stored(world, survey)).issuedCodes).toHaveLength(3);
  await window.getByLabel('Coupon 2').fill(other);
  await window.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(window).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'History' })).toContainText(
    'Reason: The phone had gone dark.',
  );
  await expect(page.getByRole('region', { name: 'Recruits' }).getByRole('link')).toHaveCount(1);
  expect((await stored(world, survey)).issuedCodes).toEqual(expect.arrayContaining([paper, other]));
  expect((await stored(world, recruit)).recruiter).toBe(survey.id);

  // Not offered for people who declined, or to people who may not change the interview.
  const declined = await submit(world, { responses: { consent: 'no' } });
  await page.goto(`${world.url}/desk/surveys/${declined.id}`);
  await expect(page.getByRole('button', { name: 'Correct answers' })).toBeVisible();
  await expect(add).toHaveCount(0);
});
