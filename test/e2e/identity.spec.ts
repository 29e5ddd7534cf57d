/** Checks for repeat participants: on the phone, in review, and in the settings of the study. */
import type { Page } from '@playwright/test';
import { check, expectNoFaults, faultless } from './page-checks.ts';
import {
  call,
  enter,
  expect,
  next,
  startInterview,
  startWork,
  test,
  untilSurveys,
  type World,
} from './world.ts';

const NAMES = ['letters', 'surname', 'day', 'month', 'year'];

interface VersionReply {
  id: string;
}

/** Runs `work` with a questionnaire whose first page has identity questions, with or without the check on phones. */
async function asking(
  world: World,
  repeatCheck: boolean,
  work: (id: string) => Promise<void>,
): Promise<void> {
  const admin = <T>(method: string, path: string, body?: object) =>
    call<T>(world, world.admin.token, method, path, body);
  const before = await admin<VersionReply>('GET', '/api/questionnaires/active');
  const { id } = await admin<VersionReply>('POST', '/api/questionnaires', {
    name: `Clues ${Date.now()}`,
    networkSizeQuestion: 'known',
    identityQuestions: NAMES,
    definition: {
      pages: [
        { name: 'clues', elements: NAMES.map((name) => ({ type: 'text', name, title: `The ${name}` })) },
        {
          name: 'rest',
          elements: [{ type: 'text', inputType: 'number', name: 'known', title: 'How many?' }],
        },
      ],
    },
  });
  await admin('PATCH', `/api/questionnaires/${id}`, { active: true, confirm: true });
  await admin('PATCH', '/api/study', { repeatCheck });
  try {
    await work(id);
  } finally {
    await admin('PATCH', '/api/study', { repeatCheck: false });
    await admin('PATCH', `/api/questionnaires/${before.id}`, { active: true, confirm: true });
  }
}

const CLUES = { letters: 'Zo', surname: 'Ng', day: '7', month: '3', year: '1971' };

const submitWith = (world: World, token: string, clues: object) =>
  call<VersionReply>(world, token, 'POST', '/api/surveys', {
    location: world.sites.harbor,
    responses: { known: 5, ...clues },
  });

const ask = (page: Page) => page.getByRole('button', { name: 'Check for an earlier interview' });
const fill = (page: Page, name: string, text: string) => page.getByLabel(`The ${name}`).fill(text);

test('online, the phone can check the identity answers for an earlier interview, and blocks nobody', async ({
  page,
  world,
}) => {
  await asking(world, true, async () => {
    await submitWith(world, world.admin.token, { ...CLUES, year: '1934' });
    await startWork(page, world);
    await startInterview(page, null);
    await page.getByLabel('Show a page of questions').click();
    for (const name of ['letters', 'surname', 'day'] as const) await fill(page, name, CLUES[name]);
    await expect(ask(page)).toHaveCount(0);
    await fill(page, 'month', '3');
    await ask(page).click();
    await expect(page.getByText('Someone with nearly the same answers has been interviewed.')).toBeVisible();
    await fill(page, 'year', '1934');
    await expect(page.getByText('Someone with nearly the same answers')).toHaveCount(0);
    await check(page, 'the clues on the phone');
    await ask(page).click();
    await expect(page.getByText('Someone with the same answers has been interviewed.')).toBeVisible();
    await check(page, 'the clues on the phone, known');
    await fill(page, 'letters', 'Xy');
    await fill(page, 'surname', 'Qu');
    await ask(page).click();
    await expect(page.getByText('No one with these answers has been interviewed.')).toBeVisible();
    await next(page);
    await expect(page.getByLabel('How many?')).toBeVisible();
    await expect(page.getByText('No one with these answers has been interviewed.')).toHaveCount(0);

    // With single questions: shown from the last identity question but one, not before or after.
    await page.getByLabel('Leave. Your answers are saved.').click();
    await page.evaluate(() => localStorage.removeItem('interview-view'));
    await startInterview(page, null);
    for (const name of NAMES) {
      await fill(page, name, '12');
      await expect(ask(page)).toHaveCount(NAMES.indexOf(name) < NAMES.length - 2 ? 0 : 1);
      await next(page);
    }
    await expect(page.getByLabel('How many?')).toBeVisible();
    await expect(ask(page)).toHaveCount(0);
  });
});

test('offline, no earlier interview is checked and nothing is blocked; the possible repeat is flagged once sent', {
  tag: '@service-worker',
}, async ({ page, context, world }) => {
  await asking(world, true, async () => {
    const own = { ...CLUES, letters: 'Of', year: '1942' };
    await submitWith(world, world.admin.token, own);
    const person = await startWork(page, world);
    const requestedPaths: string[] = [];
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
    await startInterview(page, null);
    await page.getByLabel('Show a page of questions').click();
    await context.setOffline(true);
    for (const [name, text] of Object.entries(own)) await fill(page, name, text);
    await expect(
      page.getByText(
        'You’re offline. We’ll check later if this person was interviewed before. You can continue.',
      ),
    ).toBeVisible();
    await expect(ask(page)).toHaveCount(0);
    await expectNoFaults(page, 'the clues without a signal');
    await next(page);
    await page.getByLabel('How many?').fill('4');
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(requestedPaths).not.toContain('/api/surveys/repeat-check');
    await context.setOffline(false);
    const [survey] = await untilSurveys(world, person, 1);
    expect(survey?.responses).toEqual({ known: 4 });
    expect(survey?.flags).toMatchObject([{ code: 'POSSIBLE_REPEAT', strength: 'EXACT' }]);
  });
});

test('the phone offers no check for an earlier interview if the study does not allow it', async ({
  page,
  world,
}) => {
  await asking(world, false, async () => {
    await startWork(page, world);
    await startInterview(page, null);
    await page.getByLabel('Show a page of questions').click();
    for (const [name, text] of Object.entries(CLUES)) await fill(page, name, text);
    await expect(page.getByRole('button', { name: 'Next' })).toBeVisible();
    await expect(page.locator('.repeat-check')).toHaveCount(0);
  });
});

test('a reviewer sees a similar earlier interview; the interviewer does not', async ({ page, world }) => {
  await asking(world, false, async () => {
    const vera = await world.person();
    const own = { ...CLUES, letters: 'Re', year: '1950' };
    const first = await submitWith(world, vera.token, own);
    const second = await submitWith(world, vera.token, { ...own, day: '8' });
    await enter(page, world, world.admin, `/desk/surveys/${second.id}`);
    const card = page.getByRole('region', { name: 'Interviewed before?' });
    await expect(card.getByText('All identity answers but one match')).toBeVisible();
    await expect(card.getByText('Harbor shelter').first()).toBeVisible();
    await expect(card.locator(`a[href="/desk/surveys/${first.id}"]`)).toBeVisible();
    await expect(page.getByText('Not stored')).toHaveCount(NAMES.length);
    await faultless(page, 'an interview of someone interviewed before');
    await enter(page, world, vera, `/work/${second.id}`);
    await expect(page.getByText('Not stored')).toHaveCount(NAMES.length);
    await expect(page.getByText('had been interviewed before')).toHaveCount(0);
  });
});

test('a reviewer decides possible repeats one by one, and the discarded interviews are rejected', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await asking(world, false, async () => {
    const vera = await world.person();
    const pair = async (year: string) => {
      const own = { ...CLUES, letters: `P${year}`, year };
      return [await submitWith(world, vera.token, own), await submitWith(world, vera.token, own)] as const;
    };
    const [one, two, three] = [await pair('1961'), await pair('1962'), await pair('1963')];
    const stateOf = async ({ id }: VersionReply) => {
      const { review, flags } = await call<{ review: { state: string }; flags: object[] }>(
        world,
        world.admin.token,
        'GET',
        `/api/surveys/${id}`,
      );
      expect(flags).toEqual([]);
      return review.state;
    };
    const reviewer = await world.person({ role: 'ADMIN' });
    await enter(page, world, reviewer, '/');
    await page.locator('a[href="/desk/repeats"]').click();
    const shows = async ([, { id }]: readonly [VersionReply, VersionReply]) =>
      await expect(page.getByRole('link', { name: 'Open this interview' })).toHaveAttribute(
        'href',
        `/desk/surveys/${id}`,
      );
    const decide = async (name: string, why?: string) => {
      await page.getByRole('button', { name }).click();
      const dialog = page.getByRole('dialog', { name });
      if (why) await dialog.getByLabel('Reason').fill(why);
      await dialog.getByRole('button', { name: 'Decide' }).click();
      await expect(dialog).toBeHidden();
    };
    await shows(three);
    await faultless(page, 'a possible repeat to decide');
    await decide('Same person: keep the earlier interview', 'Does not count.');
    await shows(two);
    await decide('Same person: keep this interview', 'Does not count.');
    await shows(one);
    await page.setViewportSize({ width: 390, height: 844 });
    await faultless(page, 'a possible repeat on a phone');
    await decide('Different people');
    await expect(page.getByText('Both interviews count.')).toBeVisible();
    expect(await Promise.all(three.map(stateOf))).toEqual(['RECEIVED', 'REJECTED']);
    expect(await Promise.all(two.map(stateOf))).toEqual(['REJECTED', 'RECEIVED']);
    expect(await Promise.all(one.map(stateOf))).toEqual(['RECEIVED', 'RECEIVED']);
  });
});

test('an identity answer can only be corrected by entering all of them again, and the page says so', async ({
  page,
  world,
}) => {
  await asking(world, false, async () => {
    const vera = await world.person();
    const own = { ...CLUES, letters: 'Co', year: '1960' };
    await submitWith(world, world.admin.token, own);
    const wrong = await submitWith(world, vera.token, { ...own, day: '21', month: '11' });
    const flags = async () =>
      (await call<{ flags: object[] }>(world, world.admin.token, 'GET', `/api/surveys/${wrong.id}`)).flags;
    expect(await flags()).toEqual([]);
    await enter(page, world, vera, `/work/${wrong.id}`);
    await page.getByRole('button', { name: 'Not stored' }).nth(2).click();
    await expect(page.getByText('Answers to identity questions aren’t stored.')).toBeVisible();
    await fill(page, 'day', '7');
    const fewer = page.getByText('Entering only some of them changes nothing. Enter all of them, or none.');
    await expect(fewer).toBeVisible();
    await check(page, 'a clue being corrected');
    const [last, ...others] = Object.entries(own);
    for (const [name, text] of others) await fill(page, name, text);
    await expect(fewer).toBeVisible();
    if (last) await fill(page, ...last);
    await expect(fewer).toHaveCount(0);
    await page.getByRole('button', { name: 'Entered incorrectly' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved')).toBeVisible();
    expect(await flags()).toMatchObject([{ code: 'POSSIBLE_REPEAT', strength: 'EXACT' }]);
  });
});

test('only a super admin can turn on the check for an earlier interview', async ({ page, world }) => {
  const box = page.getByRole('checkbox', {
    name: 'Check before an interview if the person has been interviewed before',
  });
  const stored = async () =>
    (await call<{ repeatCheck: boolean }>(world, world.admin.token, 'GET', '/api/study')).repeatCheck;
  const admin = await world.person({ role: 'ADMIN' });
  await enter(page, world, admin, '/desk/study');
  await expect(box).toBeDisabled();
  await expectNoFaults(page, 'the settings of the study, for an admin');
  await enter(page, world, world.admin, '/desk/study');
  await box.check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toBe(true);
  await page.reload();
  await expect(box).toBeChecked();
  await box.uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toBe(false);
});
