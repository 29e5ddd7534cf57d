/** What pages show first is counted before anybody looks. */
import { LastAnswers } from '../../src/recruitment/last-answers.ts';
import { countAhead } from '../../src/results/ahead.ts';
import { firstGroups, QUESTIONS_AT_ONCE, questionsInOrder } from '../../src/results/first-shown.ts';
import type { Person, World } from '../people.ts';
import { startSampleWorld } from '../sample/simulated.ts';

let world: World;
let root: Person;
let admin: Person;
let zone: string;

beforeAll(async () => {
  ({ world, root } = await startSampleWorld(7, { people: 60, seeds: 5 }));
  admin = await world.person({ role: 'ADMIN' });
  world.clock.real();
  zone = world.deps.config.timeZone;
});
afterAll(() => world.stop());

const go = new AbortController().signal;

/** As the pages ask when they are opened. */
async function firstLook(by: Person): Promise<Record<string, string>> {
  const read = async (path: string) => (await by.get(path).expect(200)).body;
  const week = 'maxAge=604800';
  const { data: offered } = await read('/api/analysis/outcomes?counted=false');
  const questions = questionsInOrder(offered).slice(0, QUESTIONS_AT_ONCE);
  const asked = questions.map((name) => `question=${name}`).join('&');
  const paths = {
    summary: `/api/recruitment/summary?${week}`,
    pace: `/api/recruitment/pace?${week}`,
    sites: `/api/recruitment/sites?limit=200&${week}`,
    estimates: `/api/analysis/estimates?outcome=status&${week}`,
    compare: `/api/analysis/compare?outcome=status&by=${firstGroups(offered, 'status')}&${week}`,
    answers: `/api/analysis/answers?${asked}&${week}`,
    report: `/api/analysis/report?${week}`,
  };
  const told: Record<string, string> = {};
  for (const [name, path] of Object.entries(paths)) told[name] = (await read(path)).asOf;
  return told;
}

/** However many interviews there are. */
const ANY = { least: 0, most: Number.POSITIVE_INFINITY };

test('what was counted lately is left, few interviews and very many are not counted ahead, and a process that ends counts nothing more', async () => {
  await countAhead(zone, go);
  await countAhead(zone, go, { least: 0, most: 10 });
  await expect(countAhead(zone, AbortSignal.abort(), ANY)).rejects.toThrow('aborted');
  expect(await LastAnswers.countDocuments()).toBe(0);
  await countAhead(zone, go, ANY);
  const times = async () =>
    (await LastAnswers.find({}, { at: 1 }).sort({ _id: 1 }).lean()).map(({ at }) => at);
  const first = await times();
  await countAhead(zone, go, ANY);
  expect(await times()).toEqual(first);
});

test('after it, board, estimates, comparison, answers and report open with what was counted, to a super-admin and to an admin', async () => {
  await countAhead(zone, go, ANY);
  const kept = await LastAnswers.countDocuments();
  const done = new Date().toISOString();
  for (const by of [root, admin])
    for (const [name, asOf] of Object.entries(await firstLook(by)))
      expect([name, asOf < done]).toEqual([name, true]);
  const { data } = (await root.get('/api/recruitment/interviewers?limit=50&maxAge=604800').expect(200)).body;
  expect(data.length).toBeGreaterThan(0);
  for (const by of [root, admin]) await by.get('/api/analysis/outcomes?maxAge=604800').expect(200);
  // Nothing of all this had to be counted.
  expect(await LastAnswers.countDocuments()).toBe(kept);
});

test('before each count it is asked whether the process ends, in the middle of the results too', async () => {
  const counted = async (endAt: number) => {
    let asked = 0;
    const throwIfAborted = () => {
      if (++asked === endAt) throw new Error('it ends');
    };
    const outcome = await countAhead(zone, { throwIfAborted } as AbortSignal, ANY).catch(String);
    return [asked, outcome];
  };
  const [all] = await counted(Number.POSITIVE_INFINITY);
  expect(all).toBe(12);
  for (const endAt of [1, 5, 6, 12]) expect(await counted(endAt)).toEqual([endAt, 'Error: it ends']);
});
