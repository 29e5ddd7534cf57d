/** The mean of a number is suppressed if few people gave an answer that differs from the others'. */
import { cellSizeOf } from '../../src/statistics/estimators/sample/cell-size.ts';
import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import { type SampleWorld, startSampleWorld } from '../sample/simulated.ts';

let sample: SampleWorld;
let admin: Person;

/** All rate 3, except two of the first site and ten of the second, who say 5; all but one have the same score. */
beforeAll(async () => {
  sample = await startSampleWorld(
    21,
    { people: 120, seeds: 4 },
    {
      change: (people) => {
        for (const [at, one] of people.entries())
          Object.assign(one.responses, { health: 3, score: at === 0 ? 71 : 40 });
        const [first] = people;
        const here = people.filter(({ location }) => location === first?.location).slice(0, 2);
        const there = people.filter(({ location }) => location !== first?.location).slice(0, 10);
        for (const one of [...here, ...there]) one.responses.health = 5;
      },
    },
  );
  admin = await sample.world.person({ role: 'ADMIN' });
});
afterAll(() => sample.world.stop());

const get = async (path: string, by = admin): Promise<Body> =>
  (await by.get(`/api/analysis/${path}`).expect(200)).body;
const mean = async (path: string, by = admin) => (await get(`estimates?outcome=${path}`, by)).levels[0].rds2;

test.each<[number[], number]>([
  [[], 0],
  [[7, 7, 7, Number.NaN], 3],
  [[0, 0, 0, 0, 9], 1],
  [[0, 0, 0, 0, 1, 1, 2, 2, 2], 2],
  [[1, 2, 3, 4, 4], 3],
])('the mean of %j counts as a cell of %i people', (values, size) => {
  expect(cellSizeOf(values)).toBe(size);
});

test('a mean where all but one person answered the same is hidden except from super admins', async () => {
  expect(await mean('score', sample.root)).toBeGreaterThan(40);
  const { levels, convergence, bottleneck } = await get('estimates?outcome=score');
  expect(levels).toMatchObject([{ value: null, rds2: null, mean: null, count: null, hidden: true }]);
  for (const step of [...convergence, ...bottleneck]) expect(step.levels[0].rds2).toBeNull();
  const [answer] = (await get('answers?question=score')).questions;
  expect([answer.levels[0].share, answer.spread]).toEqual([null, null]);
  for (const { levels: groupLevels } of (await get('compare?outcome=score&by=agrees')).groups)
    expect(groupLevels).toMatchObject([{ mean: null, rds2: null }]);
  const { value } = (await get('report')).items.find(({ name }: Body) => name === 'score');
  expect(value).toMatchObject([{ known: null, mean: null, rds2: null, hidden: true }]);
});

test('a site’s hidden mean cannot be derived from the whole and the other site', async () => {
  expect(await mean('health')).toBeGreaterThan(3);
  for (const site of sample.sites) {
    expect(await mean(`health&location=${site}`)).toBeNull();
    expect(await mean(`health&location=${site}`, sample.root)).toBeGreaterThan(3);
  }
  const { groups } = await get('compare?outcome=health&by=location');
  expect(groups.map(({ levels }: Body) => levels[0].rds2)).toEqual([null, null]);
});
