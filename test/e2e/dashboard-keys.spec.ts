/** The dashboard by keyboard alone: no mouse, and the focus is always visible. */
import type { Page } from '@playwright/test';
import { couponTitle } from './dashboard.ts';
import { chooseByKeys, expectKept, expectSeen, press, tabTo } from './keys.ts';
import { call, enter, expect, newSeed, newSite, test, type World } from './world.ts';

test.use({ viewport: { width: 1280, height: 900 } });

const printedCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const finder = (page: Page) => button(page, 'Find a coupon, person or site');

const waits = (world: World, firstName: string, location = world.sites.chapel) =>
  call<{ id: string }>(world, world.admin.token, 'POST', '/api/users', {
    phone: world.newPhone(),
    firstName,
    lastName: 'Waits',
    role: 'VOLUNTEER',
    location,
  });

const userOf = (world: World, id: string) => call(world, world.admin.token, 'GET', `/api/users/${id}`);

const submit = (world: World, token: string, body: object) =>
  call<{ id: string; issuedCodes: string[] }>(world, token, 'POST', '/api/surveys', {
    location: world.sites.harbor,
    responses: { consent: 'no' },
    onCodeProblem: 'FLAG',
    ...body,
  });

test('text typed right after the search shortcut is not lost', async ({ page, world }) => {
  const code = printedCode(await newSeed(world));
  await enter(page, world, world.admin, '/desk/people');
  await expect(finder(page)).toBeVisible();
  const add = button(page, 'Add a person');
  await tabTo(page, add);
  for (let time = 0; time < 8; time += 1) {
    // Keys are sent without waiting for the page to handle the first.
    await Promise.all([page.keyboard.press('/'), page.keyboard.type(code)]);
    await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue(code);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(add).toBeFocused();
  }
});

test('the first tab stop is a skip link to the page heading', async ({ page, world }) => {
  await enter(page, world, world.admin, '/desk/people');
  for (const path of ['', 'people', 'board', 'study']) {
    await page.goto(`${world.url}/desk/${path}`);
    await expect(finder(page)).toBeVisible();
    await expect(heading(page, /./)).toBeFocused();
    // From the start of the page.
    await page.getByRole('banner').getByRole('link').first().focus();
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await expectSeen(page);
    const before = page.url();
    await page.keyboard.press('Enter');
    await expect(heading(page, /./)).toBeFocused();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('#content') !== null)).toBe(true);
    expect(page.url()).toBe(before);
  }
});

test('when the focused row disappears, its neighbor gets the focus', async ({ page, world }) => {
  const location = await newSite(world, 'Keys quay');
  for (const name of ['Kai', 'Kit', 'Koa']) await waits(world, name, location);
  await enter(page, world, world.admin, `/desk/approvals?location=${location}`);
  // The focus moves to the same button of the next row, or to the empty-list message.
  await tabTo(page, button(page, 'Approve: Kai Waits'));
  await page.keyboard.press('Enter');
  await expect(button(page, 'Approve: Kit Waits')).toBeFocused();
  await expectSeen(page);
  await page.waitForTimeout(500); // A press right after would be taken for a second one of the same.
  // Holding the key down decides about only one person.
  await page.keyboard.down('Enter');
  await expect(button(page, 'Approve: Koa Waits')).toBeFocused();
  for (let again = 0; again < 20; again += 1) {
    await page.keyboard.down('Enter');
    await page.waitForTimeout(50);
  }
  await page.keyboard.up('Enter');
  await expect(button(page, 'Approve: Koa Waits')).toBeFocused();
  // Undo, in the message at the bottom and in the list of today's decisions.
  const undo = page.locator('.dashboard-said').getByRole('button', { name: 'Undo' });
  await press(page, undo);
  await expect(button(page, 'Approve: Kit Waits')).toBeVisible();
  await expectKept(page);
  await expectSeen(page);
  const back = button(page, 'Undo: Kai Waits');
  await press(page, back);
  await expect(button(page, 'Approve: Kai Waits')).toBeVisible();
  await expect(back).toHaveCount(0);
  await expectKept(page);
  await expectSeen(page);
});

test('a save button keeps the focus when nothing is left to save', async ({ page, world }) => {
  const saver = await world.person({ firstName: 'Saver' });
  await enter(page, world, world.admin, `/desk/people/${saver.id}`);
  const save = button(page, 'Save');
  await expect(save).toBeDisabled();
  await tabTo(page, page.getByLabel('Last name'));
  await page.keyboard.type('Keyboard shortcuts');
  await press(page, save);
  await expect(page.locator('.dashboard-said')).toContainText('Saved.');
  await expect(save).toBeFocused();
  await expect(save).toBeDisabled();
  await expectSeen(page);
  // Neither the button nor Enter in a field saves anything now.
  const patchUrls: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && patchUrls.push(request.url()));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Last name'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(200);
  expect(patchUrls).toEqual([]);
});

test('in the builder the list of questions is one tab stop, Enter opens the form, and a moved choice keeps the focus', async ({
  page,
  world,
}) => {
  const { keyboard } = page;
  const { id } = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/questionnaires', {
    name: 'Keyboard shortcuts',
    networkSizeQuestion: 'known',
    definition: {
      pages: [
        {
          name: 'first',
          title: 'First',
          elements: [
            { type: 'radiogroup', name: 'meal', title: 'Which meal?', choices: ['soup', 'rice', 'bread'] },
            { type: 'text', inputType: 'number', name: 'known', title: 'How many do you know?' },
            { type: 'comment', name: 'remark', title: 'Anything else?' },
          ],
        },
      ],
    },
  });
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=edit`);
  const outline = page.getByRole('navigation', { name: 'Pages and questions' });
  const row = (name: string) => outline.getByRole('button', { name });
  await tabTo(page, row('The whole questionnaire'));
  for (const name of ['1. First', 'Which meal?', 'How many do you know?', 'Anything else?']) {
    await keyboard.press('ArrowDown');
    await expect(row(name)).toBeFocused();
    await expectSeen(page);
  }
  await keyboard.press('Home');
  await expect(row('The whole questionnaire')).toBeFocused();
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await keyboard.press('Tab');
  // The first question of a page can't move further up.
  await expect(button(page, /^Move up$/)).toBeFocused();
  await tabTo(page, button(page, 'Move up: Choice 3'));
  await keyboard.press('Enter');
  await expect(button(page, 'Move up: Choice 2')).toBeFocused();
  await keyboard.press('Enter');
  await expect(button(page, 'Move up: Choice 1')).toBeFocused();
  await keyboard.press('Enter');
  const values = page.getByLabel(/^Value in the data: Choice/);
  await expect(values).toHaveCount(3);
  expect(await values.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))).toEqual([
    'bread',
    'soup',
    'rice',
  ]);
  await press(page, button(page, 'Remove: Choice 3'));
  await expect(button(page, 'Remove: Choice 2')).toBeFocused();
  // Pressing Undo after everything is undone does nothing.
  const undo = button(page, 'Undo');
  await tabTo(page, undo, 'Shift+Tab');
  for (let time = 0; time < 5; time += 1) await keyboard.press('Enter');
  await expect(undo).toBeFocused();
  await expect(undo).toBeDisabled();
  await tabTo(page, row('Which meal?'));
  await expectSeen(page);
});

test('a coordinator can do the morning’s tasks by keyboard alone', async ({ page, world }) => {
  test.setTimeout(240_000);
  const { keyboard } = page;
  const dialog = page.getByRole('dialog');
  const toast = page.locator('.dashboard-said > div');
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const dock = await newSite(world, 'Dockside');
  const interview = await submit(world, world.admin.token, {
    referralCode: await newSeed(world),
    responses: {
      consent: 'yes',
      isAdult: 'yes',
      sleptOutside: 'yes',
      interviewedBefore: 'no',
      networkSize: 5,
      sleptLastNight: 'outside',
    },
  });
  const flagged = [1, 2].map(() =>
    submit(world, world.admin.token, { referralCode: 'ABCDEFGC', location: dock }),
  );
  const [first, second] = await Promise.all(flagged);
  const late = [await waits(world, 'Lia', dock), await waits(world, 'Leo', dock)];
  const mover = await world.person({ firstName: 'Mover' });
  const batch = await call<{ id: string }>(world, world.admin.token, 'POST', '/api/referral-codes/batches', {
    location: dock,
    count: 2,
    note: 'Keys box',
  });
  const [code = ''] = interview.issuedCodes;
  await enter(page, world, world.admin, '/');
  await expect(finder(page)).toBeVisible();
  const find = async (text: string) => {
    await keyboard.press('/');
    await keyboard.type(text);
    await keyboard.press('Enter');
  };
  const goTo = (name: string | RegExp) =>
    press(
      page,
      page
        .getByRole('navigation')
        .first()
        .getByRole('link', { name, exact: typeof name === 'string' }),
    );

  await test.step('look up a coupon and the interview that handed it out', async () => {
    await find(code);
    await expect(heading(page, couponTitle(code))).toBeFocused();
    await press(page, page.getByRole('region', { name: 'Interviews' }).getByRole('link').first());
    await expect(heading(page, 'Interview')).toBeFocused();
  });

  await test.step('correct an answer with a reason', async () => {
    const slept = page.locator('.answer-list .row').filter({ hasText: 'Where did you sleep last night?' });
    await press(page, slept.getByRole('button'));
    await expect(page.locator('.interview input:focus')).toBeAttached();
    await keyboard.press('ArrowDown');
    await press(page, button(page, 'Misheard'));
    await expectKept(page);
    await press(page, button(page, 'Save'));
    await expect(page.getByRole('region', { name: 'History' })).toContainText('Reason: Misheard');
    // The focus returns to where one continues.
    await expect(slept.getByRole('button')).toBeFocused();
    await expectSeen(page);
  });

  await test.step('approve people one by one, then the selected ones', async () => {
    await goTo(/^Approvals/);
    await chooseByKeys(page, field('Site'), 'Dockside');
    await press(page, button(page, 'Approve: Lia Waits'));
    await expect(button(page, 'Approve: Leo Waits')).toBeFocused();
    await expectSeen(page);
    await tabTo(page, page.getByLabel('Select Leo Waits'), 'Shift+Tab');
    await keyboard.press('Space');
    await keyboard.press('Enter');
    await expect(
      page.getByRole('region', { name: '1 selected' }).getByRole('button', { name: 'Approve' }),
    ).toBeFocused();
    await keyboard.press('Enter');
    await expect(page.locator('.dashboard-empty')).toBeVisible();
    await expectKept(page);
    for (const { id } of late) expect((await userOf(world, id)).approvalStatus).toBe('APPROVED');
  });

  await test.step('assign a person to another site, add a permission and remove it', async () => {
    await find('Mover Field');
    await expect(heading(page, 'Mover Field')).toBeFocused();
    await chooseByKeys(page, field('Site'), 'Chapel');
    await press(page, button(page, 'Save'));
    await expect(toast).toContainText('Saved.');
    await expect(button(page, 'Save')).toBeFocused();
    expect((await userOf(world, mover.id)).location).toBe(world.sites.chapel);
    const give = button(page, 'Add permission');
    await press(page, give);
    await chooseByKeys(page, dialog.getByLabel('Action'), 'Edit');
    await chooseByKeys(page, dialog.getByLabel('Applies to'), 'sites');
    await press(page, dialog.getByRole('button', { name: 'Add permission' }));
    await expect(dialog).toHaveCount(0);
    await expect(give).toBeFocused();
    await expectSeen(page);
    const take = button(page, /^Remove permission/);
    await tabTo(page, take, 'Shift+Tab');
    await keyboard.press('Enter');
    await press(page, dialog.getByRole('button', { name: 'Remove permission' }));
    await expect(take).toHaveCount(0);
    await expect(give).toBeFocused();
    await expectSeen(page);
    expect((await userOf(world, mover.id)).permissions).toEqual([]);
  });

  await test.step('void a batch of coupons with a reason', async () => {
    await goTo('Coupons');
    await press(page, button(page, 'Void: Keys box'));
    await expect(dialog.getByLabel('Reason')).toBeFocused();
    await keyboard.type('The box was lost');
    await keyboard.press('Enter');
    await expect(toast).toContainText('2 coupons are voided.');
    await expectKept(page);
    await expectSeen(page);
    const { states } = (
      await call<{ data: { id: string; states: object }[] }>(
        world,
        world.admin.token,
        'GET',
        '/api/referral-codes/batches',
      )
    ).data.find(({ id }) => id === batch.id) ?? { states: {} };
    expect(states).toMatchObject({ VOID: 2, RESERVED: 0 });
  });

  await test.step('dismiss the flags of one interview, then of the selected ones', async () => {
    await goTo('Interviews');
    await chooseByKeys(page, field('Site'), 'Dockside');
    const rows = page.getByRole('table').getByRole('rowheader');
    await expect(rows).toHaveCount(2);
    await press(page, page.locator(`a[href="/desk/surveys/${second?.id}"]`).first());
    await press(page, button(page, 'Dismiss flag'));
    await expect(button(page, 'Dismiss flag')).toHaveCount(0);
    await expectKept(page);
    await expectSeen(page);
    await press(page, page.getByRole('button', { name: 'Back', exact: true }));
    await chooseByKeys(page, field('Site'), 'Dockside');
    await expect(rows).toHaveCount(2);
    await tabTo(
      page,
      page
        .getByRole('table')
        .getByRole('row')
        .filter({ has: page.locator(`a[href="/desk/surveys/${first?.id}"]`) })
        .getByRole('checkbox'),
    );
    await keyboard.press('Space');
    await keyboard.press('Enter');
    await expectKept(page);
    await press(page, button(page, 'Dismiss flags'));
    await tabTo(page, dialog.getByLabel('Reason'));
    await keyboard.type('Seen');
    await press(page, dialog.getByRole('button', { name: 'Dismiss flags' }));
    await expect(toast).toContainText('Dismissed the flag for 1 interview');
    await expectKept(page);
    for (const one of [first, second])
      expect((await call(world, world.admin.token, 'GET', `/api/surveys/${one?.id}`)).flags).toEqual([]);
  });

  await test.step('download the list', async () => {
    const downloading = page.waitForEvent('download');
    const download = button(page, 'Download CSV');
    await tabTo(page, download, 'Shift+Tab');
    await keyboard.press('Enter');
    await (await downloading).path();
    await expect(download).toBeFocused();
    await expectSeen(page);
  });

  await test.step('add a question in the builder', async () => {
    await goTo('Questionnaire');
    await press(page, page.getByRole('table').getByRole('link').first());
    const tab = (name: string) => page.getByRole('tab', { name });
    await tabTo(page, tab('Questions'));
    await tabTo(page, tab('New version'), 'ArrowRight');
    await press(page, button(page, 'Add a question'));
    await expect(page.locator('#build-first')).toBeFocused();
    await expectSeen(page);
    await keyboard.type('Do you have a tent?');
    const add = page.getByRole('group', { name: 'Choices' }).getByRole('button', { name: 'Add a choice' });
    for (const words of ['Yes', 'No']) {
      await press(page, add);
      await expectSeen(page);
      await keyboard.type(words);
    }
    await press(page, button(page, 'Save as new version'));
    // For the first one the service starts a validator process, which can take long on a busy machine.
    await expect(heading(page, /, version 2$/)).toBeFocused({ timeout: 60_000 });
  });
});
