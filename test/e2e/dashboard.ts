/** Helpers for dashboard tests: who can open a page, how the API replies to others, and clicks. */
import type { Page } from '@playwright/test';
import { enter, expect, type Person, type World } from './world.ts';

/** The status of a request made directly to the API, without the page. */
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
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
}

/** One person of each role, all at the harbour. */
export async function oneOfEach(world: World) {
  const [admin, manager, volunteer] = [
    await world.person({ role: 'ADMIN', firstName: 'Ana' }),
    await world.person({ role: 'MANAGER', firstName: 'Mia' }),
    await world.person({ role: 'VOLUNTEER', firstName: 'Vic' }),
  ];
  return { superAdmin: world.admin, admin, manager, volunteer };
}

/** Counts clicks; choosing from a list is one. Must be called before the page is opened. */
export async function countClicks(page: Page): Promise<{ since(): number }> {
  let clicks = 0;
  let before = 0;
  await page.exposeBinding('aClick', () => {
    clicks += 1;
  });
  await page.addInitScript(() => {
    const tell = () => (window as unknown as { aClick(): void }).aClick();
    // Not on the way down: Playwright stops a press there if something else has moved under the pointer, and tries again.
    addEventListener('pointerdown', tell);
    addEventListener('change', ({ target }) => target instanceof HTMLSelectElement && tell(), true);
  });
  return {
    /** Clicks since the last call. */
    since: () => {
      const newClicks = clicks - before;
      before = clicks;
      return newClicks;
    },
  };
}

/** The title of a coupon's page, with a non-breaking hyphen. */
export const couponTitle = (code: string) => `Coupon ${code.slice(0, 4)}\u2011${code.slice(4)}`;
