/** No chart draws a place that is not a number, however little there is to draw. */
import type { Page } from '@playwright/test';
import { call, enter, expect, follow, test, type World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are changed as the tests please
type Json = any;

const answers = (at: number) => ({
  consent: 'yes',
  isAdult: 'yes',
  sleptOutside: 'yes',
  interviewedBefore: 'no',
  networkSize: 3 + at,
  veteran: at % 3 === 0 ? 'yes' : 'no',
});

test.beforeAll(async ({ world }: { world: World }) => {
  for (let at = 0; at < 8; at += 1)
    await call(world, world.admin.token, 'POST', '/api/surveys', {
      location: world.sites.harbor,
      responses: answers(at),
    });
});

/** Attributes of drawings that are no numbers, with the console's complaints about them. */
async function faultsIn(page: Page): Promise<string[]> {
  return await page
    .locator('svg, svg *')
    .evaluateAll((all) =>
      all.flatMap((one) =>
        [...one.attributes]
          .filter(({ value }) => /NaN|Infinity|undefined/.test(value))
          .map(({ name, value }) => `${one.tagName} ${name}=${value}`),
      ),
    );
}

const level = (value: string | null, more: object = {}) => ({
  ...{ value, title: null, count: 1, mean: 1, rds1: null, rds2: 1, ss: null, ssLow: null, ssHigh: null },
  ...{ trimmed: 1, interval: null, ...more },
});
const nobody = (body: Json) => ({
  ...body,
  sample: { ...body.sample, known: 0, missing: 0, notAsked: body.sample.n },
  ...{ levels: [], transitions: null, homophily: null, convergence: [], bottleneck: [] },
});
const nothing = { count: 0, mean: null, rds2: null, trimmed: null };

/** What a reply of the estimates becomes. */
const ESTIMATES: [string, (body: Json) => Json][] = [
  ['nobody was asked', nobody],
  ['no level', (body) => ({ ...body, levels: [] })],
  ['all levels are hidden', (body) => ({ ...body, levels: [{ ...level('yes', nothing), hidden: true }] })],
  ['one level without a figure', (body) => ({ ...body, levels: [level('yes', nothing)] })],
  ['a mean of nobody', (body) => ({ ...nobody(body), kind: 'NUMBER', levels: [level(null, nothing)] })],
  [
    'one point, and no width between the ends of an interval',
    (body) => ({
      ...body,
      levels: [
        level('yes', { interval: { low: 0, high: 0, standardError: 0, effectiveSize: null }, rds2: 0 }),
      ],
      convergence: [0, 0].map(() => ({
        n: 1,
        at: body.asOf,
        levels: [{ value: 'yes', rds1: null, rds2: 0 }],
      })),
      bottleneck: [{ seed: '650000000000000000000000', n: 1, levels: [{ value: 'yes', rds2: 0 }] }],
    }),
  ],
  [
    'one group is empty',
    (body) => ({
      ...body,
      bottleneck: [{ seed: '650000000000000000000000', n: 0, levels: [] }],
      convergence: [1, 2].map((n) => ({ n, at: body.asOf, levels: [] })),
      ...{ byWave: [0, 0], networkSizes: null },
    }),
  ],
];

for (const width of [320, 1280])
  test(`estimates are drawn without NaN at ${width} pixels, however little there is`, async ({
    page,
    world,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    let messages: string[] = [];
    page.on('console', (message) => {
      if (/attribute/.test(message.text())) messages.push(message.text());
    });
    let change = nobody;
    await page.route('**/api/analysis/estimates?**', async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ response: reply, json: change(await reply.json()) });
    });
    await enter(page, world, world.admin, '/desk/results?outcome=veteran');
    for (const [name, changed] of ESTIMATES)
      await test.step(name, async () => {
        // The first was asked for already.
        if (change !== changed) {
          change = changed;
          messages = [];
          await page.reload();
        }
        await expect(page.getByRole('region', { name: 'About the sample' })).toBeVisible();
        expect.soft([...(await faultsIn(page)), ...messages], name).toEqual([]);
        if (change !== nobody) return;
        await expect(page.getByText('No one has answered this question yet.')).toBeVisible();
        await expect(page.getByText(/^Not asked this question, because .*: \d+\.$/)).toBeVisible();
      });
    // The page may be asking once more.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

test('a comparison and the answers say who was not asked, and the invalid filter is named', async ({
  page,
  world,
}) => {
  await page.route('**/api/analysis/compare?**', async (route) => {
    const reply = await route.fetch();
    const body: Json = await reply.json();
    const [first, ...rest] = body.groups;
    const empty = { ...first, count: 0, known: 0, levels: [] };
    await route.fulfill({
      response: reply,
      json: { ...body, notAsked: { outcome: 3, by: 0 }, groups: [empty, ...rest] },
    });
  });
  await page.route('**/api/analysis/answers?**', async (route) => {
    const reply = await route.fetch();
    const body: Json = await reply.json();
    await route.fulfill({
      response: reply,
      json: { ...body, questions: body.questions.map((one: Json) => ({ ...one, notAsked: 5 })) },
    });
  });
  await enter(page, world, world.admin, '/desk/results/compare?outcome=veteran&by=location');
  await expect(page.getByText(/^Not asked “.*: 3\.$/)).toHaveCount(1);
  expect(await faultsIn(page)).toEqual([]);
  await follow(page, '/desk/results/answers?find=veteran');
  await expect(page.getByText(/answered · \d+ missing · 5 not asked/).first()).toBeVisible();
  expect(await faultsIn(page)).toEqual([]);
  await follow(page, '/desk/results?outcome=veteran&populationSize=5&populationSizeLow=9');
  await expect(page.getByText('Check this filter: Population size')).toBeVisible();
});
