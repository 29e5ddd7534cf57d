/** What somebody finds who copies the files of a phone's browser. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pullThePlug, startBrowser } from './own-browser.ts';
import { choosePin, guessTooOften, PIN, signInHere, untilLocked } from './pin.ts';
import { findInProfile } from './profile-files.ts';
import {
  activate,
  call,
  expect,
  next,
  setLock,
  signOutHere,
  startInterview,
  test,
  untilReady,
  untilSurveys,
  type World,
} from './world.ts';

// Its phones are locked and unlocked by the test.
test.use({ lock: 'OFF' });

/** Browsers write what belongs to an open page some seconds later. */
const WRITTEN_AFTER_MS = 3_500;

/** Each is found in no other file by chance. */
const PLANTED = {
  answer: 'Zanzibarquell',
  'long answer': 'Wüstenfuchsbau',
  'wide answer': 'Ночлежка',
  'identity answer': 'Qexlorimp',
  'payment reference': 'Giftkarte-Vroxel',
  note: 'Brenzligerfall',
  'phone number of the respondent': '206 555 9173',
};

const CLUES = ['clue', 'clue2', 'clue3', 'clue4'];

const askForThem = (world: World) =>
  activate(world, {
    name: `Planted ${Date.now()}`,
    networkSizeQuestion: 'known',
    ...{ identityQuestions: CLUES },
    definition: {
      pages: [
        {
          name: 'first',
          elements: [
            ...[...CLUES, 'answer', 'wide'].map((name) => ({
              type: 'text',
              name,
              title: `The ${name}`,
            })),
            { type: 'comment', name: 'long', title: 'The long' },
            { type: 'text', inputType: 'number', name: 'known', title: 'How many?' },
          ],
        },
        { name: 'second', elements: [{ type: 'text', name: 'last', title: 'The last' }] },
      ],
    },
  });

async function answer(page: Page): Promise<void> {
  await expect(page.getByLabel('The clue').first()).toBeVisible();
  // The phone remembers it from the interview before.
  const wholePage = page.getByLabel('Show a page of questions');
  if (await wholePage.isVisible()) await wholePage.click();
  const type = (name: string, text: string) =>
    page.getByLabel(name, { exact: false }).first().pressSequentially(text);
  await type('The clue', PLANTED['identity answer']);
  await type('The answer', PLANTED.answer);
  await type('The wide', PLANTED['wide answer']);
  await page.getByLabel('The long').fill(`${PLANTED['long answer']} `.repeat(400));
  await page.getByLabel('How many?').fill('7');
}

/** From the last question to the coupons, through texts, the incentive and a note. */
async function finish(page: Page): Promise<void> {
  const finish = page.getByRole('button', { name: 'Finish' });
  await finish.click();
  await page.getByLabel('Yes').check();
  await page.getByLabel('Phone number').pressSequentially(PLANTED['phone number of the respondent']);
  await finish.click();
  await page.getByRole('radio', { name: 'Gift card' }).check();
  await page.getByLabel('Reference (optional)').pressSequentially(PLANTED['payment reference']);
  await finish.click();
  await page.getByRole('button', { name: 'Add a note for reviewers' }).click();
  await page.getByLabel('Note for reviewers').pressSequentially(PLANTED.note);
  await page.getByRole('button', { name: 'Done' }).click();
}

async function withProfile(act: (profile: string) => Promise<void>): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'field-survey-profile-'));
  try {
    await act(profile);
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

const setStudy = (world: World, settings: object) =>
  call(world, world.admin.token, 'PATCH', '/api/study', settings);

/** Asks for all that is planted, until the returned function is called. */
async function askForAll(world: World): Promise<() => Promise<void>> {
  const { back } = await askForThem(world);
  await setStudy(world, { contacts: 'SMS', incentives: { currency: 'USD', interview: '20.00' } });
  return async () => {
    await back();
    await setStudy(world, { contacts: 'OFF', incentives: { currency: 'USD' } });
  };
}

/** With `E2E_LOCK=OFF`, where the documents name what lies in clear: the key, the token and who is signed in. */
const IS_LOCKED = process.env.E2E_LOCK !== 'OFF';
const PHONE = IS_LOCKED
  ? 'phone number, token or key lies in clear on a phone with a PIN'
  : 'number of a respondent lies in clear on a phone without a PIN';

test(`no answer, identity answer, reference, note, ${PHONE}, in any file and any state`, async ({
  world,
}) => {
  test.setTimeout(150_000);
  await setLock(world, IS_LOCKED ? 'PIN' : 'OFF');
  const back = await askForAll(world);
  await withProfile(async (profile) => {
    const { process, page, context } = await startBrowser(profile);
    const tokens = new Set<string>();
    context.on('request', (request) => {
      const token = request.headers().authorization?.replace('Bearer ', '');
      if (token && /\/api\/(auth\/session|study)$/.test(request.url())) tokens.add(token);
    });
    const person = await world.person();
    const expectNothing = async (state: string) => {
      await page.waitForTimeout(WRITTEN_AFTER_MS);
      const ofPerson = {
        'phone number': person.phone.slice(1),
        key: 'AGE-SECRET-KEY-1',
        ...Object.fromEntries([...tokens].map((token, at) => [`token ${at}`, token])),
      };
      const texts = { ...PLANTED, ...(IS_LOCKED && ofPerson) };
      expect.soft(await findInProfile(profile, texts), state).toEqual([]);
    };
    const signIn = async () => {
      await signInHere(page, world, person);
      if (IS_LOCKED) await choosePin(page);
    };
    const hold = async () => {
      await startInterview(page, null);
      await answer(page);
      await next(page);
      await expect(page.getByRole('textbox', { name: 'The last' })).toBeVisible();
    };
    try {
      await page.goto(`${world.url}/sign-in`);
      await signIn();
      await untilReady(page);
      await hold();
      await page.reload();
      if (IS_LOCKED) {
        await untilLocked(page);
        await page.keyboard.type(PIN);
      }
      await expect(page.getByRole('textbox', { name: 'The last' })).toBeVisible();
      expect(tokens.size).toBeGreaterThan(0);
      await expectNothing('a draft');

      await context.setOffline(true);
      await finish(page);
      await expectNothing('finished');

      // The service itself refuses it.
      await context.route('**/api/surveys', (route) => {
        const body = { ...(route.request().postDataJSON() as object), startedAt: 'some day' };
        return route.continue({ postData: JSON.stringify(body) });
      });
      await context.setOffline(false);
      await page.getByRole('link', { name: 'Outbox' }).click();
      await expect(page.getByText('The service couldn’t accept this interview')).toBeVisible();
      await expectNothing('refused');

      await context.unroute('**/api/surveys');
      await page.getByRole('button', { name: 'Try again' }).click();
      const [survey] = await untilSurveys(world, person, 1);
      expect(survey?.responses).toMatchObject({ answer: PLANTED.answer });
      await expect(page.getByText('All interviews are sent.')).toBeVisible();
      await expectNothing('sent');

      if (IS_LOCKED) {
        await page.getByRole('button', { name: 'Lock', exact: true }).click();
        await untilLocked(page);
        await expectNothing('locked');
        await guessTooOften(page);
        await expectNothing('ten wrong PINs');
        await page.getByRole('button', { name: 'Sign in again' }).click();
        await signIn();
        await expect(page.getByRole('heading', { name: 'Hello, Vera' })).toBeVisible();
      } else await page.goto(world.url);
      await hold();
      await page.getByLabel('Leave. Your answers are saved.').click();
      await page.getByRole('link', { name: 'Me', exact: true }).click();
      await signOutHere(page);
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await expectNothing('signed out');
    } finally {
      await pullThePlug(process);
      await back();
      await setLock(world, 'OFF');
    }
  });
});

test('the search finds what is planted, wherever a browser may write it', async ({ world }) => {
  await withProfile(async (profile) => {
    const { process, page } = await startBrowser(profile);
    try {
      await page.goto(`${world.url}/api/health/live`);
      await page.evaluate(async () => {
        const store = (name: string, values: object[]) =>
          new Promise<void>((resolve) => {
            const opening = indexedDB.open(name);
            opening.onupgradeneeded = () => opening.result.createObjectStore('rows', { autoIncrement: true });
            opening.onsuccess = () => {
              const transaction = opening.result.transaction('rows', 'readwrite', { durability: 'strict' });
              for (const value of values) transaction.objectStore('rows').add(value);
              transaction.oncomplete = () => resolve();
            };
          });
        await store('table', [{ text: 'PlantedInTable' }]);
        // With it the browser makes a table of its log.
        await new Promise((resolve) => {
          const opening = indexedDB.open('another');
          opening.onsuccess = () => {
            opening.result.close();
            indexedDB.deleteDatabase('another').onsuccess = resolve;
          };
        });
        await store('log', [
          { text: 'PlantedInLog' },
          { text: 'Ж PlantedWide' },
          { text: `${'a long answer '.repeat(30_000)} PlantedInLarge` },
        ]);
        localStorage.setItem('planted', 'PlantedInSettings');
      });
      const names = ['InTable', 'InLog', 'Wide', 'InLarge', 'InSettings'];
      const texts = Object.fromEntries(names.map((name) => [name, `Planted${name}`]));
      await expect
        .poll(async () => (await findInProfile(profile, texts)).sort(), { timeout: 15_000 })
        .toEqual([
          expect.stringMatching(/^InLarge in .*\.log$/),
          expect.stringMatching(/^InLog in .*\.log$/),
          expect.stringMatching(/^InSettings in .*\.log$/),
          expect.stringMatching(/^InTable in .*\.ldb$/),
          expect.stringMatching(/^Wide in .*\.log$/),
        ]);
    } finally {
      await pullThePlug(process);
    }
  });
});
