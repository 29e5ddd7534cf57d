/** What every page of the dashboard is asked: is it open to all senses, does it fit, who gets in. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { enter, expect, type Person, type World } from './world.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/** Half-way through a transition, colours are neither the one nor the other: for whoever wants no motion there is none. */
export async function still(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.waitForTimeout(100);
}

/** As it is shown now: nothing that axe finds, and nothing beyond the edge of the window. */
export async function expectNoFaults(page: Page, name = 'the page'): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const said = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  expect.soft(said, name).toEqual([]);
  await expectToFit(page, name);
}

async function expectToFit(page: Page, name: string): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(over, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** The same in light and dark, from a phone to a large screen. */
export async function faultless(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await still(page);
      const where = `${name}, ${colorScheme}, ${size.width}`;
      // What axe looks at is the same on a large screen as on a small one.
      if (size.width > 1280) await expectToFit(page, where);
      else await expectNoFaults(page, where);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
}

/** By hand, past every button: what the service answers. */
export async function forged(
  world: World,
  person: Person,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
  const response = await fetch(world.url + path, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${person.token}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return response.status;
}

export async function isClosed(page: Page, world: World, person: Person, path: string): Promise<void> {
  await enter(page, world, person, path);
  await expect(page.getByRole('heading', { name: 'Nothing here' })).toBeVisible();
}

/** Of each role one, all at the harbour. */
export async function oneOfEach(world: World) {
  const [admin, manager, volunteer] = [
    await world.person({ role: 'ADMIN', firstName: 'Ana' }),
    await world.person({ role: 'MANAGER', firstName: 'Mia' }),
    await world.person({ role: 'VOLUNTEER', firstName: 'Vic' }),
  ];
  return { superAdmin: world.admin, admin, manager, volunteer };
}
