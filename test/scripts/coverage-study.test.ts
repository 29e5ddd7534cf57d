/** npm run coverage-study with few samples: its results are coarse, but must be plausible. */
import { changeStudyOf, RISES } from '../../scripts/coverage-study/changes.ts';
import { DESIGNS, type Design } from '../../scripts/coverage-study/designs.ts';
import { householdStudyOf } from '../../scripts/coverage-study/households.ts';
import { studyOf } from '../../scripts/coverage-study/study.ts';
import { command, SLOW } from './kit.ts';

const designOf = (name: string) => DESIGNS.find((one) => one.name === name) as Design;
const LARGE = designOf('mild, half of the population');
const extent = { samples: 12, replicates: 100, randomSeed: 3 };

test('weighting reduces the bias of the unweighted share, and the wide intervals cover the truth', () => {
  const { estimates, intervals, truth, warnings } = studyOf(LARGE, extent);
  expect(truth.meanSizeOfGroup).toBeGreaterThan(truth.meanSize);
  expect(estimates.mean.bias).toBeGreaterThan(0.02);
  for (const name of ['rds1', 'rds2', 'ss'] as const)
    expect(Math.abs(estimates[name].bias)).toBeLessThan(estimates.mean.bias);
  expect(intervals.tree.covers).toBeGreaterThan(0.8);
  expect(intervals.chain.width).toBeLessThan(intervals.tree.width);
  const { standardised, ...others } = intervals;
  expect(standardised.without).toBe(12);
  for (const { width, without } of Object.values(others)) {
    expect(width).toBeGreaterThan(0.02);
    expect(without).toBe(0);
  }
  expect(warnings.SAMPLE_IS_LARGE_SHARE).toBe(12);
});

test('with sites of known sizes, standardized estimates have intervals', () => {
  const { intervals } = studyOf(designOf('ten sites'), { ...extent, samples: 3 });
  expect(intervals.standardised).toMatchObject({ without: 0, width: expect.any(Number) });
  expect(intervals.chainSs.without).toBe(3);
});

test('where one group recruits more than others, a warning says so', () => {
  const { warnings } = studyOf(designOf('strong, the group recruits twice as many'), {
    ...extent,
    samples: 4,
  });
  expect(warnings.GROUPS_RECRUIT_DIFFERENTLY).toBeGreaterThan(2);
});

test('the change between samples is measured against the true one, of no, five and ten points', () => {
  const { rises } = changeStudyOf(designOf('ten sites'), { ...extent, samples: 8 });
  expect(rises.map(({ truth }) => Math.round(truth * 100) / 100)).toEqual(
    RISES.map((rise) => expect.closeTo(rise, 1)),
  );
  for (const { intervals } of rises) {
    expect(intervals.rule.covers).toBeGreaterThan(0.6);
    expect(intervals.chain.width).toBeLessThan(intervals.tree.width);
    expect(intervals.standardised.without).toBe(0);
  }
  expect(rises.at(-1)?.intervals.rule.rises).toBeGreaterThanOrEqual(rises[0]?.intervals.rule.rises ?? 1);
});

test(
  'prints four tables, or JSON with --json, reproducibly and without a database',
  async () => {
    const number = DESIGNS.indexOf(LARGE) + 1;
    const args = ['--design', String(number), '--samples', '2', '--replicates', '20', '--random-seed', '3'];
    const runStudy = (...more: string[]) =>
      command('coverage-study', [...args, ...more], { MONGO_URI: 'mongodb://127.0.0.1:1/none' });
    const [text, json] = await Promise.all([runStudy(), runStudy('--json')]);
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out).toMatch(/^2 samples of each design, 20 replicates of each bootstrap, random seed 3\n/);
    expect(text.out).toMatch(/^12 mild, half of the population +[+-]\d+\.\d ±/m);
    expect(text.out).toMatch(/^SAMPLE_IS_LARGE_SHARE +100$/m);
    const size = { samples: 2, replicates: 20, randomSeed: 3 };
    expect(JSON.parse(json.out)).toEqual(JSON.parse(JSON.stringify([studyOf(LARGE, size)])));
  },
  SLOW,
);

test('totals and cells of known households are covered, with and without sites', () => {
  for (const name of ['mild homophily', 'ten sites']) {
    const { figures, undividedChildren } = householdStudyOf(designOf(name), { ...extent, samples: 4 });
    expect(undividedChildren).toBeGreaterThan(1.2);
    expect(figures).toHaveLength(9);
    for (const { truth, mean, intervals } of figures) {
      expect(mean / truth).toBeGreaterThan(0.5);
      expect(mean / truth).toBeLessThan(1.8);
      expect(intervals.chain.covers).toBeGreaterThan(0.2);
      expect(intervals.tree.width).toBeGreaterThan(intervals.chain.width / 2);
    }
    expect(figures[0]?.intervals.rule.covers).toBeGreaterThan(0.6);
  }
});
