/** Comparing all sites with single ones reveals nothing about suppressed small groups of one site. */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomStream } from '../../src/statistics/estimators/draws/random.ts';
import { startJobs } from '../../src/statistics/runs/jobs.ts';
import { AnalysisRunModel } from '../../src/statistics/runs/model.ts';
import type { Body } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';
import { activate, insertPeople, LATER, type SimulatedPerson, simulate } from '../sample/simulated.ts';

const SMALLEST = 5;
const LEVELS = { region: ['east', 'north', 'south', 'west'], status: ['no', 'yes'] };
type Name = keyof typeof LEVELS;

let root: Person;
let admin: Person;
let sites: string[];
let people: SimulatedPerson[];

/** Two people of the first site are of the west, and many elsewhere. */
const world = worldOfFile();
beforeAll(async () => {
  world.clock.set(LATER);
  root = await world.person({ role: 'SUPER_ADMIN' });
  admin = await world.person({ role: 'ADMIN' });
  const questionnaire = await activate(root);
  sites = [await world.place(), await world.place(), await world.place()];
  people = simulate(randomStream(11, 'sites'), { people: 240, seeds: 6, locations: sites });
  for (const one of at(0, { region: 'west' }).slice(2)) one.responses.region = 'east';
  await insertPeople(people, { questionnaire, by: root.id });
});

const at = (site: number, answers: Partial<Record<Name, string>>) =>
  people.filter(
    ({ location, responses }) =>
      location === sites[site] && Object.entries(answers).every(([name, value]) => responses[name] === value),
  );
const get = async (path: string, by = admin): Promise<Body> =>
  (await by.get(`/api/analysis/${path}`).expect(200)).body;

interface LevelReply {
  value: string | null;
  hidden?: true;
}
const isHidden = (levels: LevelReply[] | undefined, value: string) =>
  levels?.some((one) => one.value === value && one.hidden) ?? false;

/** If the total is shown: small cells are suppressed, never only one, nor with few people in all of them. */
function expectSafe(whole: boolean, hidden: boolean[], counts: number[]): void {
  for (const [site, count] of counts.entries())
    if (count > 0 && count < SMALLEST) expect(hidden[site]).toBe(true);
  const hiding = counts.filter((_, site) => hidden[site]);
  if (whole || hiding.length === 0) return;
  expect(hiding.length).toBeGreaterThan(1);
  expect(hiding.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(SMALLEST);
}

test.each(['region', 'status'] as const)(
  'a site’s small groups in %s cannot be derived from the whole and the other sites',
  async (outcome) => {
    const ask = async (query = '') =>
      (await get(`estimates?outcome=${outcome}${query}`)).levels as LevelReply[];
    const whole = await ask();
    const bySite: LevelReply[][] = [];
    for (const site of sites) bySite.push(await ask(`&location=${site}`));
    for (const value of LEVELS[outcome])
      expectSafe(
        isHidden(whole, value),
        bySite.map((levels) => isHidden(levels, value)),
        sites.map((_, site) => at(site, { [outcome]: value }).length),
      );
    // A comparison of the sites suppresses the same.
    const compared: Body = await get(`compare?outcome=${outcome}&by=location`);
    for (const [site, id] of sites.entries()) {
      const { levels } = compared.groups.find(({ value }: Body) => value === id);
      for (const value of LEVELS[outcome])
        expect(isHidden(levels, value)).toBe(isHidden(bySite[site], value));
    }
    const hidden = bySite.flat().filter((level) => level.hidden);
    expect(hidden.length).toBe(outcome === 'region' ? 4 : 0);
    for (const level of hidden)
      expect(level).toMatchObject({ count: null, mean: null, rds1: null, rds2: null, interval: null });
    // Super-admins see everything.
    const west = (await get(`estimates?outcome=region&location=${sites[0]}`, root)).levels;
    expect(west.find(({ value }: Body) => value === 'west')).toMatchObject({ count: 2 });
  },
);

test('small cells of a site’s comparison cannot be derived from the whole and the other sites', async () => {
  const ask = async (query = ''): Promise<Body[]> =>
    (await get(`compare?outcome=region&by=status${query}`)).groups;
  const whole = await ask();
  const bySite: Body[][] = [];
  for (const site of sites) bySite.push(await ask(`&location=${site}`));
  const levelsOf = (groups: Body[], status: string) => groups.find(({ value }) => value === status)?.levels;
  for (const status of LEVELS.status)
    for (const region of LEVELS.region)
      expectSafe(
        isHidden(levelsOf(whole, status), region),
        bySite.map((groups) => isHidden(levelsOf(groups, status), region)),
        sites.map((_, site) => at(site, { region, status }).length),
      );
  for (const [site, groups] of bySite.entries()) {
    const { levels } = await get(`estimates?outcome=region&location=${sites[site]}`);
    for (const region of LEVELS.region)
      if (isHidden(levels, region))
        for (const group of groups) expect(isHidden(group.levels, region)).toBe(true);
  }
});

test('a run of one site hides what its estimates hide; one of an earlier version hides all', async () => {
  const jobs = startJobs({ timeZone: 'UTC', secret: 'any', log: world.deps.log }, { pollMs: 100 });
  try {
    for (const site of sites) {
      const runRequest = { outcome: 'region', method: 'TREE', samples: 100, location: site };
      const { id } = (await admin.post('/api/analysis/runs', runRequest).expect(202)).body;
      let run: Body = { state: 'WAITING' };
      for (let tries = 0; tries < 600 && run.state !== 'DONE'; tries++) {
        await sleep(50);
        run = await get(`runs/${id}`);
      }
      const { levels, run: runId } = await get(`estimates?outcome=region&location=${site}`);
      expect(runId).toBe(id);
      const [outcome] = run.result.outcomes;
      expect(Object.keys(outcome)).toEqual(['name', 'levels']);
      for (const region of LEVELS.region)
        expect(isHidden(outcome.levels, region)).toBe(isHidden(levels, region));
      const listed = (await get('runs')).data.find((one: Body) => one.id === id);
      expect(listed.result.outcomes).toEqual([outcome]);
    }
  } finally {
    await jobs.stop();
  }
  await AnalysisRunModel.collection.updateMany({}, { $unset: { 'result.outcomes.$[].sites': 1 } });
  const { data } = await get('runs');
  for (const { result } of data)
    expect(result.outcomes[0].levels.every((level: LevelReply) => level.hidden)).toBe(true);
});
