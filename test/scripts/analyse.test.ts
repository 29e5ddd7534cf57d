/** npm run analyse: estimates out of a file, with no database. */
import { writeFile } from 'node:fs/promises';
import { command, openFolder, SLOW } from './kit.ts';

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
