/** Helpers for keyboard tests: reaching elements with Tab, and checking that the focus is visible. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './world.ts';

const MAX_STOPS = 150;

/** Why the focus is not visible; '' if it is. */
const focusProblem = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement;
    if (!(one instanceof HTMLElement) || one === document.body) return 'nothing has the focus';
    const name = `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent?.slice(0, 60)}`;
    // The component library hides the native checkbox and draws another.
    const isDrawn = one.getBoundingClientRect().width < 2 || getComputedStyle(one).opacity === '0';
    const label = one instanceof HTMLInputElement ? one.labels?.[0] : undefined;
    const visiblePart = (isDrawn && label) || one;
    const box = visiblePart.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return `${name} is out of sight`;
    const there = document.elementFromPoint(x, y);
    const isOwn = visiblePart.contains(there) || (there?.closest('label')?.contains(visiblePart) ?? false);
    if (!isOwn) return `${name} is covered by ${there?.outerHTML.slice(0, 120)}`;
    const rings = [visiblePart, ...visiblePart.querySelectorAll('*')].map((part) => getComputedStyle(part));
    const isRinged = rings.some(
      ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    );
    return isRinged || visiblePart !== one ? '' : `${name} shows no ring`;
  });

/** Retries, because the page may still be scrolling. */
export async function expectSeen(page: Page): Promise<void> {
  await expect.poll(() => focusProblem(page)).toBe('');
}

/** An action may remove the focused element; expects that something else soon has the focus. */
export async function expectKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
}

/** Presses Tab until the element has the focus. It is looked up again only if the page replaces it. */
export async function tabTo(page: Page, what: Locator, key = 'Tab'): Promise<void> {
  await expect(what).toBeVisible();
  let target = await what.elementHandle();
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    const there = await target?.evaluate((one) => (one.isConnected ? one === document.activeElement : null));
    if (there) return await expectSeen(page);
    if (there === null) target = await what.elementHandle();
    else await page.keyboard.press(key);
  }
  throw new Error(`the key ${key} never reaches ${what}`);
}

export async function press(page: Page, what: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, what);
  await page.keyboard.press(key);
}

/** After over a second without a key, a browser starts a new search in a list: then the word is typed again. */
const ANOTHER_WORD = 1_500;

/** Chooses the option that starts with `word` from a closed list; no spaces, which would open it. */
export async function chooseByKeys(page: Page, list: Locator, word: string): Promise<void> {
  await tabTo(page, list);
  const chosen = () => list.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.text ?? '');
  await expect(async () => {
    await page.keyboard.type(word);
    expect((await chosen()).startsWith(word)).toBe(true);
  }).toPass({ intervals: [ANOTHER_WORD], timeout: 15_000 });
}
