/** What every screen owes to everybody: no fault that axe finds, nothing cut off, targets for a thumb. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { still } from './desk.ts';
import { expect } from './world.ts';

async function faultless(page: Page, screen: string): Promise<void> {
  await still(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const said = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join(' | ')}`,
  );
  expect.soft(said, screen).toEqual([]);
}

/** No text is cut off at the side. */
async function fits(page: Page, screen: string): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(over, `${screen} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** Every button and link, the ones in running text aside, is as large as a thumb needs. */
async function large(page: Page, screen: string): Promise<void> {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a[href], select, input:not([type=file])')]
      .filter((one) => {
        const box = one.getBoundingClientRect();
        const label = one.closest('label')?.getBoundingClientRect();
        const height = Math.max(box.height, label?.height ?? 0);
        const shown =
          one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.width > 1;
        return shown && !one.closest('p') && !one.classList.contains('skip') && height < 44;
      })
      .map(
        (one) =>
          `${one.tagName} ${one.textContent ?? ''} ${Math.round(one.getBoundingClientRect().height)}px`,
      ),
  );
  expect.soft(small, `${screen} has small targets`).toEqual([]);
}

export async function check(page: Page, screen: string): Promise<void> {
  await faultless(page, screen);
  await fits(page, screen);
  await large(page, screen);
}
