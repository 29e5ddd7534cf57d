/** One-handed use: single choices that advance, a hint at choices below the screen, coupons without scrolling. */
import type { Locator, Page } from '@playwright/test';
import {
  activate,
  call,
  choose,
  enter,
  expect,
  next,
  startInterview,
  startWork,
  surveysOf,
  tapDone,
  test,
  untilSurveys,
} from './world.ts';

test.use({ hasTouch: true, tapShield: true });

const single = (name: string, choices: string[]) => ({ type: 'radiogroup', name, title: name, choices });
const MANY_CHOICES = Array.from({ length: 20 }, (_none, index) => `choice ${index + 1}`);
const GOES_ON = {
  autoAdvanceEnabled: true,
  pages: [
    {
      name: 'p1',
      elements: [single('colour', ['red', 'green', 'blue']), single('size', ['small', 'large'])],
    },
    {
      name: 'p2',
      elements: [
        {
          type: 'panel',
          name: 'pair',
          elements: [single('left', ['lake', 'hill']), single('right', ['wood', 'town'])],
        },
        { type: 'text', inputType: 'number', name: 'networkSize', title: 'networkSize', min: 0 },
      ],
    },
    { name: 'p3', elements: [single('many', MANY_CHOICES), single('last', ['north', 'south'])] },
  ],
};

const FORM = { name: 'Goes on by itself', definition: GOES_ON, networkSizeQuestion: 'networkSize' };

const question = (page: Page, name: string) => page.locator(`.interview [data-name="${name}"]`);
const untilOpen = (page: Page) => expect(page.locator('.tap-shield')).toHaveCount(0);
/** Waits longer than a choice takes to advance, for cases that must not advance. */
const aMoment = (page: Page) => page.waitForTimeout(600);
const back = async (page: Page) => {
  await untilOpen(page);
  await page.getByRole('button', { name: 'Back' }).click();
};

async function tap(page: Page, where: Locator, then: Locator, apart: number): Promise<void> {
  await untilOpen(page);
  const [one, two] = [await where.boundingBox(), await then.boundingBox()];
  if (!one || !two) throw new Error('nothing to tap');
  const at = (box: typeof one) => page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  const first = at(one);
  await new Promise((passed) => setTimeout(passed, apart));
  await Promise.all([first, at(two)]);
}

/** Expects an element to be fully on the screen and not covered by a bar. */
async function inSight(page: Page, what: Locator): Promise<void> {
  const box = await what.boundingBox();
  const bar = await page.locator('.actions').boundingBox();
  if (!box || !bar) throw new Error('not there');
  expect(box.y).toBeGreaterThanOrEqual(56);
  expect(box.y + box.height).toBeLessThanOrEqual(bar.y);
}

test('with auto-advance on, a single choice moves to the next question without skipping one or ending the interview', async ({
  page,
  world,
}) => {
  const active = await activate(world, FORM);
  try {
    const person = await startWork(page, world);
    await startInterview(page, null);
    // Arrow keys move between choices; only a tap advances.
    await question(page, 'colour').getByRole('radio').first().focus();
    await page.keyboard.press('ArrowDown');
    await aMoment(page);
    await expect(question(page, 'colour').getByRole('radio', { name: 'green' })).toBeChecked();
    const blue = question(page, 'colour').getByText('blue');
    await tap(page, blue, blue, 150);
    await expect(question(page, 'size')).toBeVisible();
    await untilOpen(page);
    await expect(question(page, 'size').getByRole('radio', { checked: true })).toHaveCount(0);
    // "Next" pressed out of habit after a choice: before it advances, and just after.
    await tap(
      page,
      question(page, 'size').getByText('large'),
      page.getByRole('button', { name: 'Next' }),
      500,
    );
    await expect(question(page, 'left')).toBeVisible();
    await back(page);
    await tap(
      page,
      question(page, 'size').getByText('small'),
      page.getByRole('button', { name: 'Next' }),
      80,
    );
    await expect(question(page, 'left')).toBeVisible();
    // Two questions on one screen: the second is not skipped.
    await choose(page, 'lake');
    await aMoment(page);
    await choose(page, 'wood');
    await expect(question(page, 'networkSize')).toBeVisible();
    await back(page);
    await expect(question(page, 'left').getByRole('radio', { name: 'lake' })).toBeChecked();
    await choose(page, 'hill');
    await expect(question(page, 'networkSize')).toBeVisible();
    // The position is kept, even without an answer there.
    await page.reload();
    await expect(question(page, 'networkSize')).toBeVisible();
    await page.locator('.interview input[data-number]').fill('5');
    await next(page);
    await expect(question(page, 'many')).toBeVisible();
    await untilOpen(page);
    const hint = page.getByText('More below');
    await expect(hint).toBeVisible();
    await question(page, 'many').getByText('choice 20').scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 2_000);
    await expect(hint).toBeHidden();
    await choose(page, 'choice 20');
    await expect(question(page, 'last')).toBeVisible();
    await expect(hint).toBeHidden();
    await untilOpen(page);
    await choose(page, 'south');
    await aMoment(page);
    await expect(question(page, 'last').getByRole('radio', { name: 'south' })).toBeChecked();
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByRole('heading', { name: 'Coupons' })).toBeVisible();
    await tapDone(page);
    const [survey] = await untilSurveys(world, person, 1);
    expect(survey?.responses).toEqual({
      colour: 'blue',
      size: 'small',
      left: 'hill',
      right: 'wood',
      networkSize: 5,
      many: 'choice 20',
      last: 'south',
    });
  } finally {
    await active.back();
  }
});

test('with a page of questions, auto-advance waits until all are answered; its place is kept after a reload', async ({
  page,
  world,
}) => {
  const active = await activate(world, FORM);
  try {
    const person = await startWork(page, world);
    await startInterview(page, null);
    await page.getByRole('button', { name: 'Show a page of questions' }).click();
    await choose(page, 'red');
    await aMoment(page);
    await choose(page, 'large');
    await expect(question(page, 'left')).toBeVisible();
    await page.reload();
    await expect(question(page, 'left')).toBeVisible();
    await back(page);
    await choose(page, 'green');
    await expect(question(page, 'left')).toBeVisible();
    await untilOpen(page);
    await choose(page, 'lake');
    await choose(page, 'town');
    // A number may still get more digits.
    await page.locator('.interview input[data-number]').pressSequentially('12');
    await aMoment(page);
    await next(page);
    await expect(question(page, 'many')).toBeVisible();
    await untilOpen(page);
    await choose(page, 'choice 2');
    await choose(page, 'north');
    await aMoment(page);
    await expect(question(page, 'last')).toBeVisible();
    expect(await surveysOf(world, person)).toHaveLength(0);
    await expect(page.getByRole('button', { name: 'Finish' })).toBeVisible();
  } finally {
    await active.back();
  }
});

test('the fields for the presented and printed coupons and the codes to hand out are visible without scrolling', async ({
  page,
  world,
}) => {
  const active = await activate(world, FORM);
  const setDays = (couponValidDays: number | null) =>
    call(world, world.admin.token, 'PATCH', '/api/study', { couponValidDays });
  // Coupons show their expiry date too.
  await setDays(30);
  try {
    // Phones can share, which adds a button to each coupon.
    await page.addInitScript('Navigator.prototype.share = async () => undefined');
    // People without a site are asked for one first.
    await enter(page, world, await world.person({ role: 'ADMIN', location: null }), '/start');
    await inSight(page, page.getByLabel('Coupon code'));
    await startWork(page, world);
    await page.getByRole('button', { name: 'Start an interview' }).click();
    await inSight(page, page.getByLabel('Coupon code'));
    await page.getByRole('button', { name: 'Start as walk-in' }).click();
    await expect(question(page, 'colour')).toBeVisible();
    for (const answer of ['red', 'small', 'lake', 'wood']) await choose(page, answer);
    await expect(question(page, 'networkSize')).toBeVisible();
    await next(page);
    await expect(question(page, 'many')).toBeVisible();
    await untilOpen(page);
    await choose(page, 'choice 1');
    await expect(question(page, 'last')).toBeVisible();
    await untilOpen(page);
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.locator('.coupon .code')).toHaveCount(3);
    for (const part of await page.locator('.coupon .code, .coupon svg[role=img]').all())
      await inSight(page, part);
    await page.getByText('Printed', { exact: true }).click();
    await inSight(page, page.getByLabel('Printed coupon 1 of 3', { exact: true }));
  } finally {
    await setDays(null);
    await active.back();
  }
});
