/** npm run analyse: estimates out of a file, with no database, or of the study's own interviews. */
import { writeFile } from 'node:fs/promises';
import { randomStream } from '../../src/analysis/random.ts';
import { startWorld } from '../people.ts';
import { activate, insertPeople, simulate } from '../sample/simulated.ts';
import { answerOf, command, openFolder, SLOW } from './kit.ts';

let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  folder = await openFolder();
});
afterAll(() => folder.remove());

const DATA = 'test/analysis/data/edge240.csv';
const COLUMNS = ['--recruiter', 'recruiter_id', '--size', 'network_size', '--time', 'recruited_at_min'];
// A database that is not there: the command must not ask for it.
const NO_DATABASE = { MONGO_URI: 'mongodb://127.0.0.1:1/none' };
const analyse = (...args: string[]) => command('analyse', args, NO_DATABASE);

test(
  'a person reads a table of estimates and intervals, a script JSON alone',
  async () => {
    const asked = [
      '--from',
      DATA,
      ...COLUMNS,
      '--outcome',
      'status',
      '--population-size',
      '3000',
      '--method',
      'tree',
    ];
    const [shown, json] = await Promise.all([
      analyse(...asked, '--samples', '200'),
      analyse(...asked, '--samples', '200', '--json'),
    ]);
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out).toMatch(/^240 respondents from 6 seeds, 6 waves, out of a population of 3000\n/);
    expect(shown.out).toMatch(
      /^1 +89 +39\.0 % +28\.5 % +27\.0 % +27\.\d % +\d+\.\d % to \d+\.\d % +\d+ random interviews$/m,
    );
    const results = JSON.parse(json.out);
    expect(results).toMatchObject({ dataset: 'edge240', n: 240, N: 3000 });
    expect(results.outcomes.status.rdsII['1']).toBeCloseTo(0.270427, 6);
    expect(results.outcomes.status.bootstrap.tree.rdsII['1'].se).toBeGreaterThan(0.05);
  },
  SLOW,
);

test(
  'a broken file, an unknown outcome and a population below the sample are refused on standard error',
  async () => {
    const broken = folder.path('broken.csv');
    await writeFile(broken, 'id,recruiter.id,network.size\na,seed,3\na,seed,-2\n');
    const latin = folder.path('latin.csv');
    await writeFile(latin, Buffer.from('id,recruiter.id,network.size,y\na,seed,3,caf\xe9\n', 'latin1'));
    const from = ['--from', DATA, ...COLUMNS, '--outcome'];
    const [file, encoding, outcome, population] = await Promise.all([
      analyse('--from', broken, '--outcome', 'y'),
      analyse('--from', latin, '--outcome', 'y'),
      analyse(...from, 'colour'),
      analyse(...from, 'status', '--population-size', '100'),
    ]);
    expect(file).toMatchObject({ code: 1, out: '' });
    expect(file.err).toMatch(/Line 3: The id a stands in more than one row\.\nLine 3: The network size -2/);
    expect(encoding).toMatchObject({ code: 1, err: expect.stringMatching(/not in UTF-8/) });
    expect(outcome).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no column colour\. The file has: status/),
    });
    expect(population).toMatchObject({
      code: 1,
      err: expect.stringMatching(/smaller than the sample: 100 and 240/),
    });
  },
  SLOW,
);

test(
  'without a file it works on the study’s own interviews, and says the same as of the study’s own rds.csv',
  async () => {
    const world = await startWorld();
    try {
      const root = await world.person({ role: 'SUPER_ADMIN' });
      const questionnaire = await activate(root);
      const people = simulate(randomStream(9, 'people'), {
        people: 120,
        seeds: 4,
        locations: [await world.place()],
      });
      await insertPeople(people, { questionnaire, by: root.id });
      await root.patch('/api/study', { populationSize: 900 }).expect(200);
      const asked = ['--outcome', 'status', 'services.food', 'score', '--method', 'tree', '--samples', '100'];
      const path = folder.path('rds.csv');
      expect(await command('export', ['--name', 'rds.csv', '--out', path])).toMatchObject({ code: 0 });
      const [own, ofFile, unknown, foreign] = await Promise.all([
        answerOf('analyse', asked),
        analyse('--from', path, '--population-size', '900', ...asked, '--json'),
        command('analyse', ['--outcome', 'colour']),
        command('analyse', ['--outcome', 'status', '--recruiter', 'x']),
      ]);
      expect(own).toEqual({ ...JSON.parse(ofFile.out), dataset: 'Field survey' });
      expect(own).toMatchObject({ n: 120, N: 900 });
      expect(unknown).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringMatching(/no outcome colour\. The study has: /),
      });
      expect(foreign).toMatchObject({ code: 2, err: '--recruiter goes with --from.' });
    } finally {
      await world.stop();
    }
  },
  SLOW,
);

test(
  'a table of all interviews is known as one, and what is odd is said beside the answer',
  async () => {
    const table = folder.path('interviews.csv');
    await writeFile(table, 'id,recruiter_id,network_size,takes_part,y\na,seed,3,yes,1\nb,a,2,no,0\n');
    const coupons = folder.path('coupons.txt');
    await writeFile(coupons, 'RDS\n2\t1\tNA\ty\na\t3\tNA\tC1\t1\nb\t2\tC9\tNA\t0\n');
    const early = folder.path('early.csv');
    await writeFile(early, 'id,recruiter.id,network.size,time,y\na,0,3,2,x\nb,a,2,1,z\n');
    const named = ['--recruiter', 'recruiter_id', '--size', 'network_size'];
    const [refused, taken, stray, before] = await Promise.all([
      analyse('--from', table, '--outcome', 'y'),
      analyse('--from', table, '--outcome', 'y', ...named),
      analyse('--from', coupons, '--outcome', 'y'),
      analyse('--from', early, '--outcome', 'y', '--json'),
    ]);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/rds\.csv[^\n]*--recruiter recruiter_id/),
    });
    expect(taken).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^takes_part is no in 1 of the rows/),
    });
    expect(stray).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Line 4: coupon C9 was given by nobody/),
    });
    expect(before).toMatchObject({ code: 0, err: expect.stringMatching(/^Line 3: b came before a/) });
    expect(JSON.parse(before.out).n).toBe(2);
  },
  SLOW,
);
