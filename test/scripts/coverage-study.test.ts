/** npm run coverage-study with few samples: its results are coarse, but must be plausible. */
import { DESIGNS, type Design, studyOf } from '../../scripts/coverage-study/study.ts';
import { command, SLOW } from './kit.ts';

// Low homophily, many seeds, half of the population interviewed.
const NUMBER = 6;
const [design] = DESIGNS.slice(NUMBER - 1);
const extent = { samples: 12, replicates: 100, randomSeed: 3 };

test('weighting reduces the bias of the unweighted share, and tree intervals cover the truth', () => {
  const { estimates, intervals, truth } = studyOf(design as Design, extent);
  expect(truth.meanSizeOfGroup).toBeGreaterThan(truth.meanSize);
  expect(estimates.naive.bias).toBeGreaterThan(0.02);
  for (const name of ['rdsI', 'rdsII', 'ss'] as const)
    expect(Math.abs(estimates[name].bias)).toBeLessThan(estimates.naive.bias);
  expect(intervals.map(({ name }) => name)).toEqual([
    'tree, RDS-II',
    'Gile, SS',
    'Salganik, RDS-II',
    'Salganik, RDS-I',
  ]);
  expect(intervals[0]?.covers).toBeGreaterThan(0.8);
  for (const { width, without } of intervals) {
    expect(width).toBeGreaterThan(0.02);
    expect(without).toBe(0);
  }
});

test(
  '--warnings prints how often each warning shows by design',
  async () => {
    const args = ['--warnings', '--design', '5', '--samples', '4', '--replicates', '50'];
    const { code, out } = await command('coverage-study', args);
    expect(code).toBe(0);
    expect(out).toMatch(/^4 samples of each design, 50 replicates of the tree bootstrap, random seed 1\n/);
    expect(out).toMatch(/^5 four neighbourhoods that hardly meet$/m);
    expect(out).toMatch(/^NOT_PRECISE +\d+\.\d$/m);
  },
  SLOW,
);

test('rejects a design not available with --warnings', async () => {
  const { code, out, err } = await command('coverage-study', [
    '--warnings',
    '--design',
    '6',
    '--samples',
    '2',
  ]);
  expect({ code: code !== 0, out }).toEqual({ code: true, out: '' });
  expect(err).toContain('With --warnings, only designs 1 to 5 are available.');
});

test(
  'prints three tables, or JSON with --json, reproducibly and without a database',
  async () => {
    const args = ['--design', String(NUMBER), '--samples', '2', '--replicates', '20', '--random-seed', '3'];
    const run = (...more: string[]) =>
      command('coverage-study', [...args, ...more], { MONGO_URI: 'mongodb://127.0.0.1:1/none' });
    const [shown, json] = await Promise.all([run(), run('--json')]);
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out).toMatch(/^2 samples of each design, 20 replicates of each bootstrap, random seed 3\n/);
    expect(shown.out).toMatch(/^6 low homophily, 20 seeds, large share +[+-]\d+\.\d ±/m);
    const asked = { samples: 2, replicates: 20, randomSeed: 3 };
    expect(JSON.parse(json.out)).toEqual(JSON.parse(JSON.stringify([studyOf(design as Design, asked)])));
  },
  SLOW,
);
