/** What every test of the dashboard asks: is it free of faults, and does the service refuse what the page does not offer? */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, type Person, type World } from './world.ts';

/** What the service answers to a request made by hand. */
export async function forge(
  world: World,
  person: Person,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
  const response = await fetch(world.url + path, {
    method,
    headers: { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return response.status;
}

/** Nothing that axe finds, and nothing beyond the edge of the window. */
export async function expectNoFaults(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(over, 'wider than the window').toBe(0);
}
