import mongoose from 'mongoose';
import { NOBODY, refused } from '../api/kit.ts';
import { type Body, insertSurvey, makeSeed } from '../make.ts';
import { type Person, ROLES, startWorld, type World } from '../people.ts';
import { plainCount } from '../recruitment/plain-count.ts';
import { chance, DAY, writeRandomStudy } from '../recruitment/random-study.ts';

const URL = '/api/recruitment/chains';
const ZONE = 'America/Los_Angeles';
const NOW = new Date('2027-03-22T19:00:00Z');

let world: World;
let root: Person;

beforeEach(async () => {
  world = await startWorld();
  world.clock.set(NOW);
  root = await world.person({ role: 'SUPER_ADMIN' });
});
afterEach(() => world.stop());

const ask = (seeds: string[]) => `${URL}?${seeds.map((seed) => `seed=${seed}`).join('&')}`;
const chainsOf = async (seeds: string[]): Promise<Body[]> =>
  (await root.get(ask(seeds)).expect(200)).body.data;
const bySeed = (a: Body, b: Body) => (a.seed < b.seed ? -1 : 1);

test.each([
  [1, null],
  [2, 10],
  [3, 45],
])(
  'chains equal counts of the raw records: random study %i, coupons valid for %s days',
  async (start, validDays) => {
    await writeRandomStudy(world, chance(start), { now: NOW, days: 60, surveys: 500, validDays });
    const seeds = await mongoose.connection.collection('seeds').find().toArray();
    const ids = seeds.map(({ _id }) => String(_id));
    const actual = await chainsOf(ids.slice(0, 200));
    const { allChains } = await plainCount({ now: NOW, zone: ZONE });
    const expected = allChains
      .filter(({ seed }) => ids.slice(0, 200).includes(seed))
      .map(({ seed, surveys, maxWave, lastAt, liveCoupons, state }) => ({
        seed,
        surveys,
        maxWave,
        lastAt,
        liveCoupons,
        state,
      }));
    expect(expected.length).toBeGreaterThan(20);
    expect(actual.sort(bySeed)).toEqual(expected.sort(bySeed));
  },
);

test('chains beyond the 50 largest are included', async () => {
  const location = await world.place();
  const began = { createdBy: root.id, location, wave: 0, createdAt: new Date(NOW.getTime() - 20 * DAY) };
  const ids: string[] = [];
  for (let at = 0; at < 52; at++) {
    const { id } = await makeSeed(world, root, { location });
    await insertSurvey(world, { ...began, seed: id });
    ids.push(id);
  }
  const [last] = ids.slice(-1) as [string];
  const { body: board } = await root.get('/api/recruitment/summary').expect(200);
  expect(board.chains.map(({ seed }: Body) => seed)).not.toContain(last);
  const died = {
    surveys: 1,
    maxWave: 0,
    lastAt: began.createdAt.toISOString(),
    liveCoupons: 0,
    state: 'DIED',
  };
  expect(await chainsOf([last])).toEqual([{ seed: last, ...died }]);
  expect(await chainsOf(ids)).toHaveLength(52);
});

test('the seed list can be filtered by chain state, with pages and total', async () => {
  await writeRandomStudy(world, chance(4), { now: NOW, days: 60, surveys: 500, validDays: 10 });
  const { allChains } = await plainCount({ now: NOW, zone: ZONE });
  const listedSeeds = [];
  for (const state of ['ALIVE', 'SILENT', 'NO_COUPONS', 'DIED']) {
    const expected = allChains.filter((chain) => chain.state === state).map(({ seed }) => seed);
    const listedIds: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = `/api/seeds?chain=${state}&limit=3&total=true${cursor && `&cursor=${cursor}`}`;
      const { body } = await root.get(path).expect(200);
      expect(body.total).toBe(expected.length);
      listedIds.push(...body.data.map(({ id }: Body) => id));
      cursor = body.nextCursor;
    }
    expect(listedIds.sort()).toEqual(expected.sort());
    listedSeeds.push(...listedIds);
  }
  expect(listedSeeds).toHaveLength(allChains.length);
  const { seeds } = (await root.get('/api/recruitment/summary').expect(200)).body;
  const silent = await root.get('/api/seeds?chain=SILENT&limit=1&total=true').expect(200);
  expect(silent.body.total).toBe(seeds.silent);
  refused(await root.get('/api/seeds?chain=GONE'), 400, 'INVALID_QUERY');
});

test('unused and unknown seeds have no chain', async () => {
  const { id } = await makeSeed(world, root, { location: await world.place() });
  expect(await chainsOf([id, NOBODY])).toEqual([]);
});

test('at most 200 seeds can be requested, each by id', async () => {
  expect(await chainsOf(Array.from({ length: 200 }, () => NOBODY))).toEqual([]);
  const many = ask(Array.from({ length: 201 }, () => NOBODY));
  for (const path of [
    many,
    URL,
    `${URL}?seed=`,
    `${URL}?seed=x`,
    `${URL}?seed=${NOBODY}&seed=x`,
    `${URL}?seed[$ne]=x`,
  ])
    refused(await root.get(path), 400, 'INVALID_QUERY');
});

test('is 403 for callers who may not read the recruitment of all sites', async () => {
  for (const role of ROLES) {
    const answer = await (await world.person({ role })).get(ask([NOBODY]));
    if (role === 'ADMIN' || role === 'SUPER_ADMIN') expect(answer.status).toBe(200);
    else refused(answer, 403);
    const listed = await (await world.person({ role })).get('/api/seeds?chain=DIED');
    expect(listed.status).toBe(answer.status);
  }
});
