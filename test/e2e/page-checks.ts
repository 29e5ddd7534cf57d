/** Checks for every screen: no axe violations, no text cut off, tap targets that are large enough. */
import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect } from './world.ts';

/** The rules of axe about colors; all others give the same result in dark mode. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Waits for the end of transitions, in which colors are in between. */
async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await frame();
    const moving = document
      .getAnimations()
      .filter((motion) => motion.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(moving.map((motion) => motion.finished));
  });
}

/** Loads axe only once into each document. */
async function expectNoViolations(page: Page, name: string, rules?: string[]): Promise<void> {
  await still(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axe.source};0`);
  const violations = await page.evaluate(async (only) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(document, {
      resultTypes: ['violations'],
      // Selectors of elements and lengths of media are not used here and take a third of the time.
      selectors: false,
      preload: false,
      ...(only ? { runOnly: only } : {}),
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(' | ')}`,
    );
  }, rules);
  expect.soft(violations, name).toEqual([]);
}

/** Expects no horizontal scrolling. */
async function expectToFit(page: Page, name: string): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(over, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** Codes, phone numbers and coordinates are written from left to right, also in right-to-left text. */
async function expectDigitsFromLeft(page: Page, name: string): Promise<void> {
  const turned = await page.evaluate(() => {
    const written =
      /\+\d[\d\s\u2011-]{6,}\d|\(\d{3}\) \d{3}-\d{4}|-\d+\.\d+|\b[\dA-Z]{4}[-\u2011][\dA-Z]{4}\b/g;
    const range = document.createRange();
    const boxOf = (text: Text, index: number) => {
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      return range.getBoundingClientRect();
    };
    const reversedTexts: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
      for (const { 0: writtenText, index } of text.data.matchAll(written)) {
        const [first, last] = [boxOf(text, index), boxOf(text, index + writtenText.length - 1)];
        if (Math.abs(first.top - last.top) < 4 && first.left > last.left) reversedTexts.push(writtenText);
      }
    }
    return reversedTexts;
  });
  expect.soft(turned, `${name} turns round`).toEqual([]);
}

/** If PICTURES names a folder, a screenshot of each checked page is saved there. */
export async function leavePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder)
    await page.screenshot({
      path: `${folder}/${name.replace(/[^\p{L}\p{Nd}]+/gu, '-')}.png`,
      fullPage: true,
    });
}

/** No text of a button, the navigation or a heading is cut off, with an ellipsis or without. */
export async function expectWhole(page: Page, name: string): Promise<void> {
  await still(page);
  await expectToFit(page, name);
  const cut = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, button *, nav a, nav a *, h1, h2, label, .mantine-Text-root',
      ),
    ]
      .filter((one) => one.checkVisibility() && one.clientWidth > 1 && one.textContent?.trim())
      .filter((one) => {
        const { overflowX, overflowY } = getComputedStyle(one);
        const [wide, high] = [one.scrollWidth > one.clientWidth + 1, one.scrollHeight > one.clientHeight + 2];
        return (
          (overflowX !== 'visible' && wide) || (overflowY !== 'visible' && high && one.tagName !== 'SPAN')
        );
      })
      .map((one) => one.textContent),
  );
  expect.soft(cut, `${name} cuts words off`).toEqual([]);
  await leavePicture(page, name);
}

/** Checks the page as shown now: no axe violations, and nothing beyond the edge of the window. */
export async function expectNoFaults(page: Page, name = 'the page'): Promise<void> {
  await expectNoViolations(page, name);
  await expectToFit(page, name);
  await expectDigitsFromLeft(page, name);
  await leavePicture(page, name);
}

/** In light and dark mode; in dark mode only the rules about colors. */
export async function expectNoFaultsInAnyLight(page: Page, name: string): Promise<void> {
  await expectNoFaults(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, `${name}, dark`, COLOR_RULES);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Every button and link, except in paragraphs, is at least 44 px high. */
async function expectLargeTargets(page: Page, name: string): Promise<void> {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a[href], select, input:not([type=file])')]
      .filter((one) => {
        const box = one.getBoundingClientRect();
        const label = one.closest('label')?.getBoundingClientRect();
        const height = Math.max(box.height, label?.height ?? 0);
        const isDrawn =
          one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.width > 1;
        return isDrawn && !one.closest('p') && !one.classList.contains('skip') && height < 44;
      })
      .map(
        (one) =>
          `${one.tagName} ${one.textContent ?? ''} ${Math.round(one.getBoundingClientRect().height)}px`,
      ),
  );
  expect.soft(small, `${name} has small targets`).toEqual([]);
}

export async function check(page: Page, name: string): Promise<void> {
  await expectNoFaultsInAnyLight(page, name);
  await expectLargeTargets(page, name);
}

const PHONE = { width: 390, height: 844 };
const COMPUTER = { width: 1280, height: 800 };
/** Sizes at which axe finds nothing new: a large screen, and 1280 px at 200% zoom. */
const OTHERS = [
  { width: 1920, height: 1080 },
  { width: 640, height: 450 },
];

/** From a phone to a large screen. Dark mode at one size only, because its colors are the same at all. */
export async function faultless(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize(PHONE);
  await expectNoFaults(page, `${name}, phone`);
  await page.setViewportSize(COMPUTER);
  await expectNoFaultsInAnyLight(page, `${name}, computer`);
  for (const size of OTHERS) {
    await page.setViewportSize(size);
    await still(page);
    await expectToFit(page, `${name}, ${size.width}`);
  }
  await page.setViewportSize(before);
}

/** On a large screen, then on a narrow phone, whose size is kept. Dark mode on the phone only. */
export async function checkBothSizes(page: Page, name: string): Promise<void> {
  await page.setViewportSize(COMPUTER);
  await expectNoFaults(page, `${name}, computer`);
  await expectLargeTargets(page, `${name}, computer`);
  await page.setViewportSize({ width: 360, height: 740 });
  await check(page, `${name}, phone`);
}
