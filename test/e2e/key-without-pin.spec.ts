/** What stays in a browser's files of a key that no PIN protects, while its person is signed in and afterwards. */
import { link, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pullThePlug, startBrowser } from './own-browser.ts';
import { signInHere } from './pin.ts';
import { findInProfile } from './profile-files.ts';
import { draftsHere, expect, startInterview, test, type World } from './world.ts';

/** Browsers write what belongs to an open page some seconds later. */
const WRITTEN_AFTER_MS = 3_500;
const KEY = 'AGE-SECRET-KEY-1';

/** The bytes of the file of a person's key, each as a letter, and the fields of its row. */
const storedKey = (page: Page, owner: string) =>
  page.evaluate(async (name) => {
    const files = await navigator.storage.getDirectory();
    const file = await files.getFileHandle(name).catch(() => null);
    const pad = file && (await (await file.getFile()).bytes());
    const row = await new Promise<object>((resolve) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => {
        const reading = opening.result.transaction('key').objectStore('key').get(0);
        reading.onsuccess = () => {
          opening.result.close();
          resolve(reading.result);
        };
      };
    });
    return { pad: pad && String.fromCharCode(...pad), fields: Object.keys(row).sort() };
  }, `key-${owner}`);

async function inProfile(
  world: World,
  act: (
    page: Page,
    search: (texts: Record<string, string>) => Promise<string[]>,
    profile: string,
  ) => Promise<void>,
): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'field-survey-profile-'));
  const { process, page } = await startBrowser(profile);
  try {
    await page.goto(`${world.url}/sign-in`);
    const search = async (texts: Record<string, string>) => {
      await page.waitForTimeout(WRITTEN_AFTER_MS);
      return await findInProfile(profile, texts);
    };
    await act(page, search, profile);
  } finally {
    await pullThePlug(process);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function signOutHere(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Me', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Your phone number')).toBeVisible();
}

test('a key without a PIN is in no file in plaintext, and after signing out its half is overwritten and in no file', async ({
  world,
}) => {
  await inProfile(world, async (page, search, profile) => {
    const person = await world.person();
    await signInHere(page, world, person);
    await startInterview(page, null);
    await expect.poll(async () => (await draftsHere(page)).length).toBe(1);
    const { pad, fields } = await storedKey(page, person.id);
    expect([pad?.length, fields]).toEqual([74, ['masked', 'recipient']]);
    // What the search must not find later, it finds now.
    const places = await search({ KEY, half: pad ?? '' });
    expect(places).toEqual([expect.stringMatching(/^half in .*File System/)]);
    // Another name of the same blocks on the disk, which stays when the browser deletes the file.
    const blocks = `${profile}-half`;
    await link(join(profile, places[0]?.replace('half in ', '') ?? ''), blocks);
    await page.reload();
    await expect(page.locator('.interview')).toBeVisible();
    expect((await storedKey(page, person.id)).pad).toBe(pad);
    await page.getByLabel('Leave. Your answers are saved.').click();
    await signOutHere(page);
    await expect.poll(async () => await search({ KEY, half: pad ?? '' })).toEqual([]);
    const left = await readFile(blocks, 'latin1');
    await rm(blocks);
    expect([left.length, left.includes(pad ?? '')]).toEqual([74, false]);
  });
});

test('a key that an earlier version stored whole still opens what it sealed, and is stored in halves', async ({
  world,
}) => {
  await inProfile(world, async (page) => {
    const person = await world.person();
    await signInHere(page, world, person);
    await startInterview(page, null);
    await expect.poll(async () => (await draftsHere(page)).length).toBe(1);
    // As the version before has it.
    await page.evaluate(async (name) => {
      const files = await navigator.storage.getDirectory();
      const pad = await (await (await files.getFileHandle(name)).getFile()).bytes();
      await files.removeEntry(name);
      await new Promise((resolve) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => {
          const rows = opening.result.transaction('key', 'readwrite').objectStore('key');
          const reading = rows.get(0);
          reading.onsuccess = () => {
            const { recipient, masked } = reading.result as { recipient: string; masked: Uint8Array };
            const identity = new TextDecoder().decode(masked.map((byte, at) => byte ^ (pad[at] ?? 0)));
            rows.put({ recipient, identity }, 0).onsuccess = resolve;
          };
          rows.transaction.oncomplete = () => opening.result.close();
        };
      });
    }, `key-${person.id}`);
    expect((await storedKey(page, person.id)).fields).toEqual(['identity', 'recipient']);
    await page.reload();
    await expect(page.locator('.interview')).toBeVisible();
    await expect.poll(async () => (await storedKey(page, person.id)).fields).toEqual(['masked', 'recipient']);
    expect(await draftsHere(page)).toHaveLength(1);
  });
});
