/** A double tap counts once, also where the next screen has a button at the same place. */
import type { Locator, Page } from '@playwright/test';
import { choose, draftsHere, enter, expect, newSeed, test } from './world.ts';

test.use({ hasTouch: true, tapShield: true });

/** Taps are ignored for a moment after each change of the screen; single taps of tests wait for its end. */
const untilOpen = (page: Page) => expect(page.locator('.tap-shield')).toHaveCount(0);

/** On a busy machine the second tap may come after the tap shield is gone: that is no double tap. */
const HELD_OFF = 250;
class NoDoubleTap extends Error {}

/** Records when the page receives each tap. */
function recordTaps(): void {
  const taps: number[] = [];
  Object.assign(globalThis, { taps });
  addEventListener('pointerdown', () => taps.push(performance.now()), true);
}

async function tapTwice(page: Page, where: Locator, apart: number): Promise<void> {
  await untilOpen(page);
  const box = await where.boundingBox();
  if (!box) throw new Error('nothing to tap');
  const tap = () => page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  const first = tap();
  await new Promise((passed) => setTimeout(passed, apart));
  await Promise.all([first, tap()]);
  const [one = 0, two = 0] = await page.evaluate<number[]>('taps.slice(-2)');
  if (two - one > HELD_OFF) throw new NoDoubleTap();
}

/** Repeats a tap that the tap shield ignored, as a person would. */
async function answered(page: Page, answer: string): Promise<void> {
  await expect(async () => {
    await choose(page, answer);
    await expect(page.getByRole('radio', { name: answer, exact: true })).toBeChecked({ timeout: 1_000 });
  }).toPass();
}

const named = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Waits until another question is shown and taps are accepted again; returns its name. */
async function screenAfter(page: Page, before: string): Promise<string> {
  const lastQuestion = page.locator('.interview [data-name]:visible').last();
  await expect(lastQuestion).not.toHaveAttribute('data-name', before);
  await untilOpen(page);
  return (await lastQuestion.getAttribute('data-name')) ?? '';
}

/** Answers only where required, so that a second tap cannot skip a question unnoticed. */
const WAY: [screen: string, answer?: string][] = [
  ['consentText'],
  ['consent', 'Yes, I agree'],
  ['isAdult', 'Yes'],
  ['sleptOutside', 'Yes'],
  ['interviewedBefore', 'No'],
  ['couponsRefused'],
  ['networkKnown'],
  ['networkAdults'],
];

/** Milliseconds between two taps, used in turn by each screen. */
const APART = [30, 80, 150];

async function interviewByDoubleTaps(page: Page, code: string | null, first: number): Promise<void> {
  let taps = first;
  const twice = (where: Locator) => tapTwice(page, where, APART[taps++ % APART.length] ?? 0);
  const before = (await draftsHere(page)).length;
  await twice(named(page, 'Start an interview'));
  await untilOpen(page);
  if (code) {
    // Its button is where the interview's "Next" appears.
    await page.getByLabel('Coupon code').fill(code);
    await twice(named(page, 'Start interview'));
  } else {
    await twice(named(page, 'Start as walk-in'));
  }
  let screen = await screenAfter(page, '');
  const screens = [screen];
  for (const [, answer] of WAY.slice(0, -1)) {
    if (answer) await answered(page, answer);
    await twice(named(page, 'Next'));
    screen = await screenAfter(page, screen);
    screens.push(screen);
    expect(await page.getByRole('alert').filter({ hasText: /\w/ }).count(), screen).toBe(0);
  }
  // With a coupon, there are extra questions about the recruiter.
  const questionNames = screens.filter((name) => !name.startsWith('recruiter'));
  const way = WAY.map(([name]) => name);
  expect(questionNames).toEqual(way.slice(0, questionNames.length));
  expect(questionNames.length).toBeGreaterThanOrEqual(5);
  expect(await draftsHere(page)).toHaveLength(before + 1);
  await twice(page.getByLabel('Leave. Your answers are saved.'));
}

test('double taps 30, 80 or 150 ms apart start one interview and skip neither the consent text nor a question', async ({
  page,
  world,
}) => {
  // On a busy machine few of the taps are close enough.
  test.setTimeout(240_000);
  await page.addInitScript(recordTaps);
  await enter(page, world, await world.person());
  for (const [first, isWalkIn] of [[0], [1, true]] as const) {
    for (let isDone = false; !isDone; ) {
      await page.goto(world.url);
      isDone = await interviewByDoubleTaps(page, isWalkIn ? null : await newSeed(world), first).then(
        () => true,
        (error) => {
          if (error instanceof NoDoubleTap) return false;
          throw error;
        },
      );
    }
  }
});
