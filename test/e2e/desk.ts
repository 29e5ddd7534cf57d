/** Who gets into a page of the dashboard, and what the service says to those who do not. */
import type { Page } from '@playwright/test';
import { enter, expect, type Person, type World } from './world.ts';

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
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
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

/** How many clicks a task takes from here on; a choice in a list is one. To be called before the page is opened. */
export async function countClicks(page: Page): Promise<{ since(): number }> {
  let clicks = 0;
  let before = 0;
  await page.exposeBinding('aClick', () => {
    clicks += 1;
  });
  await page.addInitScript(() => {
    const tell = () => (window as unknown as { aClick(): void }).aClick();
    addEventListener('pointerdown', tell, true);
    addEventListener('change', ({ target }) => target instanceof HTMLSelectElement && tell(), true);
  });
  return {
    /** Those since it was asked last. */
    since: () => {
      const made = clicks - before;
      before = clicks;
      return made;
    },
  };
}

/** Of a coupon's page, with a hyphen that no line breaks at. */
export const couponTitle = (code: string) => `Coupon ${code.slice(0, 4)}\u2011${code.slice(4)}`;
