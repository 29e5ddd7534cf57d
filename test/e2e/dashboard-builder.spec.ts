/** The questionnaire builder creates the JSON that someone who knows the form library would write. */
import type { Page } from '@playwright/test';
import { countClicks } from './dashboard.ts';
import { expectNoFaults, faultless, leavePicture } from './page-checks.ts';
import {
  call,
  choose,
  confirmActivation,
  enter,
  expect,
  next,
  startInterview,
  test,
  type World,
} from './world.ts';

test.use({ viewport: { width: 1440, height: 900 } });

interface Version {
  id: string;
  name: string;
  version: number;
  definition: object;
  networkSizeQuestion: string;
  takesPartIf: string | null;
  identityQuestions: string[] | null;
  active: boolean;
}

const activeVersion = (world: World) =>
  call<Version>(world, world.admin.token, 'GET', '/api/questionnaires/active');
const activate = (world: World, { id }: { id: string }) =>
  call(world, world.admin.token, 'PATCH', `/api/questionnaires/${id}`, { active: true, confirm: true });

const make = (world: World, name: string) =>
  call<Version>(world, world.admin.token, 'POST', '/api/questionnaires', {
    name,
    networkSizeQuestion: 'known',
    definition: {
      pages: [
        {
          name: 'first',
          title: 'First',
          elements: [
            { type: 'radiogroup', name: 'agrees', title: 'Do you agree?', choices: ['yes', 'no'] },
            { type: 'text', inputType: 'number', name: 'known', title: 'How many do you know?' },
          ],
        },
        {
          name: 'second',
          title: 'Second',
          visibleIf: "({agrees} = 'yes')",
          elements: [{ type: 'comment', name: 'remark', title: 'Anything else?' }],
        },
      ],
    },
  });

const row = (page: Page, words: string | RegExp) =>
  page.getByRole('navigation', { name: 'Pages and questions' }).getByRole('button', { name: words });
const box = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save as new version' });

/** Adds a question after the selected one; its first field has the focus. */
async function add(page: Page, kind: string, words: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a question' }).click();
  await field(page, 'Question type').selectOption(kind);
  await field(page, kind === 'html' ? 'Text shown' : 'Question').fill(words);
}

async function list(page: Page, name: string, one: string, add: string, words: string[]): Promise<void> {
  for (const [index, text] of words.entries()) {
    await box(page, name).getByRole('button', { name: add }).click();
    await field(page, `${one} ${index + 1}`).fill(text);
  }
}

async function newPage(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a page' }).click();
  await field(page, 'Page title').fill(title);
}

test('choosing a question opens its form and scrolls the preview to it', async ({ page, world }) => {
  const elements = Array.from({ length: 16 }, (_, at) => ({
    type: 'text',
    inputType: 'number',
    name: `known${at}`,
    title: `How many of group ${at} do you know?`,
  }));
  const { id } = await call<Version>(world, world.admin.token, 'POST', '/api/questionnaires', {
    name: 'Of many groups',
    networkSizeQuestion: 'known0',
    definition: { pages: [{ name: 'all', title: 'All', elements }] },
  });
  await enter(page, world, world.admin, `/desk/questionnaires/${id}`);
  await page.getByRole('button', { name: 'Edit questions in a new version' }).click();
  await expect(page.getByRole('tab', { name: 'New version' })).toHaveAttribute('aria-selected', 'true');
  const preview = page.getByRole('region', { name: 'Preview' });
  const questionAt = (at: number) => preview.getByText(`How many of group ${at} do you know?`);
  for (const at of [14, 1]) {
    await row(page, `How many of group ${at} do you know?`).click();
    await expect(questionAt(at)).toBeInViewport({ ratio: 1 });
  }
  expect(await page.evaluate(() => window.scrollY)).toBeLessThan(400);
  // The preview stays at the question while its text changes.
  await field(page, 'Question').fill('How many of the first group?');
  await expect(preview.getByText('How many of the first group?')).toBeInViewport({ ratio: 1 });
});

/** As someone who knows the form library would write it by hand. */
const WRITTEN = {
  pages: [
    {
      name: 'welcomePage',
      title: 'Welcome',
      elements: [
        { type: 'html', name: 'thankYouForYourTime', html: 'Thank you for your time.' },
        {
          type: 'radiogroup',
          name: 'doYouAgree',
          title: { default: 'Do you agree?', es: '¿Acepta?' },
          isRequired: true,
          choices: [
            { value: 'yes', text: { default: 'Yes', es: 'Sí' } },
            { value: 'no', text: 'No' },
          ],
        },
      ],
    },
    {
      name: 'aboutYouPage',
      title: 'About you',
      visibleIf: "{doYouAgree} = 'yes'",
      elements: [
        {
          type: 'checkbox',
          name: 'whereDoYouSleep',
          title: 'Where do you sleep?',
          choices: [
            { value: 'tent', text: 'Tent' },
            { value: 'car', text: 'Car' },
          ],
          showRefuseItem: true,
          refuseText: { default: 'Prefer not to say', es: 'Prefiero no responder' },
          maxSelectedChoices: 2,
        },
        {
          type: 'text',
          inputType: 'number',
          name: 'howManyDoYouKnow',
          title: 'How many do you know?',
          min: 0,
          validators: [
            {
              type: 'expression',
              expression: '{howManyDoYouKnow} empty or {howManyDoYouKnow} % 1 = 0',
              text: { default: 'Please give a whole number.', es: 'Escriba un número entero.' },
            },
          ],
        },
        { type: 'text', name: 'inAWord', title: 'In a word?', maxLength: 40 },
        { type: 'comment', name: 'inYourOwnWords', title: 'In your own words?' },
        { type: 'text', inputType: 'date', name: 'sinceWhen', title: 'Since when?', max: '2026-12-31' },
        { type: 'rating', name: 'howWellDoYouSleep', title: 'How well do you sleep?', rateMax: 7 },
        {
          type: 'matrix',
          name: 'howOften',
          title: 'How often?',
          columns: [
            { value: 'never', text: 'Never' },
            { value: 'daily', text: 'Daily' },
          ],
          rows: [{ value: 'meals', text: 'Meals' }],
        },
      ],
    },
  ],
};

test('a questionnaire built by clicking equals the one written as JSON, as stored and on the phone', async ({
  page,
  world,
}) => {
  test.setTimeout(120_000);
  const { id } = await make(world, 'Ground');
  const before = await activeVersion(world);
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=edit`);
  await field(page, 'Name').fill('Clicked');
  // Nothing of the old questionnaire is left.
  for (const words of [/^1\. First/, /^1\. Second/]) {
    await row(page, words).click();
    await page.getByRole('button', { name: /^Remove: (First|Second)$/ }).click();
    // The second page depends on an answer on the first.
    if (words.source.includes('First'))
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  }
  await newPage(page, 'Welcome');
  await add(page, 'html', 'Thank you for your time.');
  await add(page, 'radiogroup', 'Do you agree?');
  await list(page, 'Choices', 'Choice', 'Add a choice', ['Yes', 'No']);
  await page.getByRole('checkbox', { name: 'Required' }).check();
  await page.getByRole('checkbox', { name: 'Spanish' }).check();
  await field(page, 'Question · Spanish').fill('¿Acepta?');
  await field(page, 'Choice 1 · Spanish').fill('Sí');
  await page.getByRole('checkbox', { name: 'Spanish' }).uncheck();

  await newPage(page, 'About you');
  await box(page, 'When this page is shown').getByRole('button', { name: 'Add a condition' }).click();
  await field(page, 'Must').selectOption('be one of');
  await expect(box(page, 'Values').getByRole('checkbox', { name: 'Yes' })).toBeChecked();
  await add(page, 'checkbox', 'Where do you sleep?');
  await list(page, 'Choices', 'Choice', 'Add a choice', ['Tent', 'Car']);
  await page.getByRole('checkbox', { name: 'Offer “prefer not to say”' }).check();
  await field(page, 'Maximum choices').fill('2');
  await add(page, 'number', 'How many do you know?');
  await field(page, 'At least').fill('0');
  await page.getByRole('checkbox', { name: 'Whole numbers only' }).check();
  await page.getByRole('button', { name: 'Use as network size question' }).click();
  await add(page, 'text', 'In a word?');
  await field(page, 'Maximum characters').fill('40');
  await add(page, 'comment', 'In your own words?');
  await add(page, 'date', 'Since when?');
  await field(page, 'Latest date').fill('2026-12-31');
  await add(page, 'rating', 'How well do you sleep?');
  await field(page, 'To').fill('7');
  await add(page, 'matrix', 'How often?');
  await list(page, 'Columns (one answer per row)', 'Column', 'Add a column', ['Never', 'Daily']);
  await list(page, 'Rows', 'Row', 'Add a row', ['Meals']);
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('radiogroup', { name: 'How often?' })).toBeVisible();
  await expect(preview.getByText('How often?').filter({ visible: true })).toHaveCount(1);
  await row(page, 'The whole questionnaire').click();
  await box(page, 'Eligibility').getByRole('button', { name: 'Add a condition' }).click();
  await field(page, 'Must').selectOption('be one of');
  await expect(page.getByText('No errors found.')).toBeVisible();
  await leavePicture(page, 'a questionnaire built by clicking');
  await save(page).click();
  await expect(page.getByRole('heading', { name: 'Clicked, version 1' })).toBeVisible();
  await page.getByRole('button', { name: /^Activate/ }).click();
  await confirmActivation(page);
  const stored = await activeVersion(world);
  expect(stored).toMatchObject({
    name: 'Clicked',
    networkSizeQuestion: 'howManyDoYouKnow',
    takesPartIf: "{doYouAgree} = 'yes'",
  });
  expect(stored.definition).toEqual(WRITTEN);

  try {
    await enter(page, world, await world.person());
    await startInterview(page, null);
    await expect(page.getByText('Thank you for your time.')).toBeVisible();
    await next(page);
    await choose(page, 'No');
    await expect(page.getByRole('button', { name: 'Finish' })).toBeVisible();
    await choose(page, 'Yes');
    await next(page);
    await expect(page.locator('.interview').getByText('Where do you sleep?').first()).toBeVisible();
    await expect(page.locator('.interview').getByText('Prefer not to say')).toBeVisible();
  } finally {
    await activate(world, before);
  }
});

test('adding, translating and activating a question takes ten clicks', async ({ page, world }) => {
  const { id } = await make(world, 'Grown');
  const before = await activeVersion(world);
  const clicks = await countClicks(page);
  await enter(page, world, world.admin, '/desk/questionnaires');
  try {
    clicks.since();
    await page.locator(`a[href="/desk/questionnaires/${id}"]`).click();
    await page.getByRole('tab', { name: 'New version' }).click();
    await row(page, 'How many do you know?').click();
    await page.getByRole('checkbox', { name: 'Spanish' }).click();
    await page.getByRole('button', { name: 'Add a question' }).click();
    // The text field has the focus: only the keyboard from here on.
    await expect(field(page, 'Question · English')).toBeFocused();
    await page.keyboard.type('Do you have a tent?');
    await page.keyboard.press('Tab');
    await page.keyboard.type('¿Tiene una tienda?');
    const add = box(page, 'Choices').getByRole('button', { name: 'Add a choice' });
    for (const [words, translated] of [
      ['Yes', 'Sí'],
      ['No', 'No'],
    ] as const) {
      await add.click();
      await page.keyboard.type(words);
      await page.keyboard.press('Tab');
      await page.keyboard.type(translated);
    }
    // Clicked once, straight from the text field.
    await expect(save(page)).toBeEnabled();
    await save(page).click();
    await expect(page.getByRole('heading', { name: 'Grown, version 2' })).toBeVisible();
    await page.getByRole('button', { name: /^Activate/ }).click();
    // The tenth confirms it; one more would only where results are lost.
    expect(clicks.since()).toBe(9);
    await confirmActivation(page);
    const { definition } = (await activeVersion(world)) as unknown as {
      definition: { pages: { elements: object[] }[] };
    };
    expect(definition.pages[0]?.elements[2]).toEqual({
      type: 'radiogroup',
      name: 'doYouHaveATent',
      title: { default: 'Do you have a tent?', es: '¿Tiene una tienda?' },
      choices: [
        { value: 'yes', text: { default: 'Yes', es: 'Sí' } },
        { value: 'no', text: { default: 'No', es: 'No' } },
      ],
    });
  } finally {
    await activate(world, before);
  }
});

test('a question can be moved, duplicated and removed by keyboard; steps are announced, undoable and survive a reload', async ({
  page,
  world,
}) => {
  const { id } = await make(world, 'Steps');
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=edit`);
  const rows = page.getByRole('navigation', { name: 'Pages and questions' }).locator('.build-row');
  const order = async () => (await rows.locator('> span:first-child').allTextContents()).join(' | ');
  const press = async (name: string | RegExp) => {
    await page.getByRole('button', { name, exact: typeof name === 'string' }).focus();
    await page.keyboard.press('Enter');
  };
  await row(page, 'How many do you know?').focus();
  await page.keyboard.press('Enter');
  await press('Move up');
  expect(await order()).toBe('How many do you know? | Do you agree? | Anything else?');
  await expect(
    page.getByRole('status').filter({ hasText: 'Moved. It’s now number 1 on page 1.' }),
  ).toBeAttached();
  await press('Move down');
  await page.keyboard.press('Enter');
  expect(await order()).toBe('Do you agree? | How many do you know? | Anything else?');
  await expect(page.getByRole('status').filter({ hasText: 'number 1 on page 2' })).toBeAttached();
  await press('Duplicate');
  await press(/^Remove: How many/);
  await row(page, 'How many do you know?').focus();
  await page.keyboard.press('Enter');
  await press(/^Remove: How many/);
  const removing = page.getByRole('dialog', { name: 'Remove “How many do you know?”' });
  await expect(removing.getByRole('listitem')).toHaveText(['Network size question']);
  await removing.getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(page.getByText('There is no text question named “known”.')).toBeVisible();
  await expect(save(page)).toBeDisabled();
  let arrive = () => {};
  const arrives = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/api/questionnaires/active', async (route) => {
    await arrives;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByText('There is no text question named “known”.')).toBeVisible();
  expect(await order()).toBe('Do you agree? | Anything else?');
  // What changed since the active version is known later; a list that moved would take a click from its row.
  const place = await rows.first().boundingBox();
  arrive();
  await expect(page.getByText(/Changes since the active version/)).toBeVisible();
  expect(await rows.first().boundingBox()).toEqual(place);

  // Undo starts with the restored draft; earlier steps are lost with the reload.
  await row(page, 'Do you agree?').click();
  await press(/^Remove: Do you agree/);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  const brokenReference = page.getByRole('button', {
    name: 'Second: This uses “agrees”, but there is no such question.',
  });
  await expect(brokenReference).toBeVisible();
  await expect(page.getByText('No errors found.')).toHaveCount(0);
  await brokenReference.click();
  await expect(box(page, 'When this page is shown').getByLabel('Formula')).toHaveValue("({agrees} = 'yes')");
  await row(page, 'Anything else?').focus();
  await page.keyboard.press('Control+z');
  expect(await order()).toBe('Do you agree? | Anything else?');
  await page.keyboard.press('Control+Shift+z');
  expect(await order()).toBe('Anything else?');
  await page.getByRole('link', { name: 'See all changes' }).click();
  await expect(page.getByText('This compares your unsaved draft.')).toBeVisible();
});

test('the builder passes axe, on a phone and in Arabic too', async ({ page, world }) => {
  test.setTimeout(180_000);
  const { id } = await activeVersion(world);
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=edit`);
  await expect(page.getByRole('region', { name: 'Preview' }).getByText('Hello, and thank you')).toBeVisible();
  await faultless(page, 'a builder');
  // A calculated value has no question text to show.
  const decides = page.getByRole('group', { name: 'Eligibility' }).getByLabel('The answer to');
  await expect(decides.locator('option:checked')).toHaveText('Is eligible');
  await row(page, /Who gave you the coupon/).click();
  await page.getByRole('checkbox', { name: 'Spanish' }).check();
  await expect(
    page.getByRole('region', { name: 'Preview' }).getByText('Who gave you the coupon'),
  ).toBeVisible();
  await faultless(page, 'a question being built');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoFaults(page, 'a question being built, 360');
  await page.getByRole('button', { name: 'All questions' }).click();
  await expectNoFaults(page, 'the questions, 360');
  await page.evaluate(() => localStorage.setItem('language', 'ar'));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await page.locator('.build-row').nth(10).click();
  await expect(page.locator('.build-item')).not.toHaveCount(0);
  await expectNoFaults(page, 'a question being built, in Arabic');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoFaults(page, 'a question being built, in Arabic, 360');
});

test('at least four identity questions must be selected, and the version lists them', async ({
  page,
  world,
}) => {
  const clues = ['a', 'b', 'c', 'd'].map((name) => ({ type: 'text', name, title: `Letter ${name}` }));
  const size = { type: 'text', inputType: 'number', name: 'known', title: 'How many do you know?' };
  const must = { type: 'text', name: 'must', title: 'Needed', isRequired: true };
  const { id } = await call<Version>(world, world.admin.token, 'POST', '/api/questionnaires', {
    name: `Clues ${Date.now()}`,
    networkSizeQuestion: 'known',
    definition: { pages: [{ name: 'first', title: 'First', elements: [...clues, size, must] }] },
  });
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=edit`);
  // One click adds the standard questions before the network size, with a note on consent.
  await page.getByRole('button', { name: 'Add the five standard questions' }).click();
  await expect(page.getByText('5 selected')).toBeVisible();
  await expect(page.getByText('Before people agree, tell them that you ask this and why.')).toBeVisible();
  await expect(row(page, 'In which month were you born?')).toBeVisible();
  await expectNoFaults(page, 'the usual clues in the builder');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('0 selected').click();
  const identityBox = box(page, 'Identity questions').first();
  await expect(identityBox.getByRole('checkbox')).toHaveCount(clues.length);
  for (const name of ['a', 'b', 'c']) await identityBox.getByLabel(`Letter ${name}`).check();
  await expect(page.getByText('Choose 4 to 8 identity questions, or none.')).toBeVisible();
  await expect(save(page)).toBeDisabled();
  await identityBox.getByLabel('Letter d').check();
  await expectNoFaults(page);
  await save(page).click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(page.getByText('Identity question: the service never stores the answer')).toHaveCount(
    clues.length,
  );
  const { data } = await call<{ data: Version[] }>(
    world,
    world.admin.token,
    'GET',
    '/api/questionnaires?limit=20',
  );
  const version = data.find((one) => page.url().includes(one.id));
  expect(version?.identityQuestions).toEqual(['a', 'b', 'c', 'd']);
});

/** The edge of a row where something is dropped. */
async function at(page: Page, words: string | RegExp, part: number): Promise<{ x: number; y: number }> {
  const line = row(page, words).locator('xpath=..');
  // Waits until it stops moving while the page loads.
  await line.hover({ trial: true });
  const { x, y, height } = (await line.boundingBox()) ?? { x: 0, y: 0, height: 0 };
  return { x: x + 14, y: y + height * part };
}
const order = async (page: Page) =>
  (await page.locator('.build-outline .build-row > :first-child').allTextContents()).join(' | ');
const BEGINNING = '1. First | Do you agree? | How many do you know? | 2. Second | Anything else?';

test('questions and pages can be dragged with the mouse, also new ones and during an undo; the move is announced and undoable', async ({
  page,
  world,
}) => {
  const { id } = await make(world, 'Dragged');
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=edit`);
  const hold = async (from: string | RegExp, to: string | RegExp, part: number) => {
    await page.locator('.build').evaluate((builder) => builder.scrollIntoView());
    const [start, end] = [await at(page, from, 0.5), await at(page, to, part)];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y, { steps: 6 });
    await expect(page.locator('[data-drop]')).toHaveCount(1);
  };
  const drag = async (from: string | RegExp, to: string | RegExp, part: number, put = true) => {
    await hold(from, to, part);
    if (!put) await page.keyboard.press('Escape');
    await page.mouse.up();
    await expect(page.locator('[data-drop]')).toHaveCount(0);
  };
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(row(page, 'Anything else?')).toBeVisible();
  expect(await order(page)).toBe(BEGINNING);
  await drag('How many do you know?', 'Do you agree?', 0.2);
  expect(await order(page)).toBe(
    '1. First | How many do you know? | Do you agree? | 2. Second | Anything else?',
  );
  await expect(
    page.getByRole('status').filter({ hasText: 'Moved. It’s now number 1 on page 1.' }),
  ).toBeAttached();
  await expect(row(page, 'How many do you know?')).toHaveAttribute('aria-current', 'true');
  await undo.click();
  expect(await order(page)).toBe(BEGINNING);
  await drag('Do you agree?', 'Anything else?', 0.8);
  expect(await order(page)).toBe(
    '1. First | How many do you know? | 2. Second | Anything else? | Do you agree?',
  );
  await expect(page.getByRole('button', { name: /This uses “agrees”/ })).toHaveCount(0);
  await drag('Anything else?', /^1\. First/, 0.8);
  expect(await order(page)).toBe(
    '1. First | Anything else? | How many do you know? | 2. Second | Do you agree?',
  );
  await undo.click();
  await undo.click();
  await drag(/^2\. Second/, /^1\. First/, 0.2);
  expect(await order(page)).toBe(
    '1. Second | Anything else? | 2. First | Do you agree? | How many do you know?',
  );
  await expect(page.getByRole('status').filter({ hasText: 'Moved. It’s now page 1.' })).toBeAttached();
  await undo.click();
  await drag('Do you agree?', 'Anything else?', 0.8, false);
  expect(await order(page)).toBe(BEGINNING);

  // An undo during a drag wins: the drag is canceled.
  const turned = '1. First | How many do you know? | Do you agree? | 2. Second | Anything else?';
  await drag('How many do you know?', 'Do you agree?', 0.2);
  expect(await order(page)).toBe(turned);
  await hold('Anything else?', 'Do you agree?', 0.2);
  await row(page, 'Anything else?').focus();
  await page.keyboard.press('Control+z');
  await expect(row(page, 'How many do you know?')).toBeVisible();
  await page.mouse.up();
  expect(await order(page)).toBe(BEGINNING);
  await page.getByRole('button', { name: 'Redo' }).click();
  expect(await order(page)).toBe(turned);
  await undo.click();

  // A new question right after its text was typed.
  await row(page, 'How many do you know?').click();
  await add(page, 'text', 'Where do you sleep?');
  await expect(field(page, 'Question')).toBeFocused();
  await drag('Where do you sleep?', 'Do you agree?', 0.2);
  expect(await order(page)).toMatch(/^1\. First \| Where do you sleep\? \| Do you agree\?/);
});

test('on a phone, questions are dragged by their grips, and the page scrolls everywhere else', async ({
  browser,
  world,
}) => {
  const { id } = await make(world, 'Thumbed');
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const page = await context.newPage();
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=edit`);
  await expect(row(page, 'Anything else?')).toBeVisible();
  const session = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await page.locator('.build').evaluate((builder) => builder.scrollIntoView({ block: 'center' }));
  const end = await at(page, 'Do you agree?', 0.2);
  const start = await at(page, 'How many do you know?', 0.5);
  await touch('touchStart', [start]);
  for (const share of [0.3, 0.6, 1])
    await touch('touchMove', [{ x: end.x, y: start.y + (end.y - start.y) * share }]);
  await expect(page.locator('[data-drop="before"]')).toHaveCount(1);
  await touch('touchEnd', []);
  expect(await order(page)).toBe(
    '1. First | How many do you know? | Do you agree? | 2. Second | Anything else?',
  );
  await expectNoFaults(page, 'an outline with grips, 390');
  await context.close();
});

test('missing translations are counted and linked, and listed before a version is activated', async ({
  page,
  world,
}) => {
  const both = (en: string, es: string) => ({ en, es });
  const { id } = await call<Version>(world, world.admin.token, 'POST', '/api/questionnaires', {
    name: `Translated ${Date.now()}`,
    networkSizeQuestion: 'known',
    definition: {
      pages: [
        {
          name: 'first',
          title: both('First', 'Primera'),
          elements: [
            { type: 'text', inputType: 'number', name: 'known', title: both('How many?', '¿Cuántas?') },
            {
              type: 'radiogroup',
              name: 'agrees',
              title: both('Do you agree?', '¿Acepta?'),
              choices: [{ value: 'yes', text: both('Yes', 'Sí') }],
            },
          ],
        },
      ],
    },
  });
  await call(world, world.admin.token, 'PATCH', '/api/study', { languages: ['en', 'es'] });
  await enter(page, world, world.admin, `/desk/questionnaires/${id}?tab=edit`);
  await expect(row(page, 'Do you agree?')).toBeVisible();
  const missing = page.getByRole('button', { name: /^Spanish: / });
  await expect(missing).toHaveCount(0);
  await row(page, 'Do you agree?').click();
  await box(page, 'Choices').getByRole('button', { name: 'Add a choice' }).click();
  await page.keyboard.type('No');
  await row(page, 'How many?').click();
  await page.getByRole('checkbox', { name: 'Spanish' }).uncheck();
  await expect(missing).toHaveText('Spanish: 1 text missing');
  await faultless(page, 'a builder with a text missing');
  await missing.click();
  await expect(field(page, 'Choice 2 · Spanish')).toBeFocused();
  await save(page).click();
  await expect(page.getByRole('heading', { name: /version 2$/ })).toBeVisible();
  await page.getByRole('button', { name: /^Activate/ }).click();
  const asks = page.getByRole('dialog');
  await expect(asks.getByText('Spanish: 1 text missing')).toBeVisible();
  await expectNoFaults(page, 'a version with a text missing, before it is asked');
  await asks.getByRole('button', { name: 'Cancel' }).click();
});
