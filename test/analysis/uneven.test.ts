/**
 * Two uneven samples against another program, written in R from the definitions in docs/statistics.md: chains without recruits, many
 * equal network sizes, missing sizes and answers, a site that nobody belongs to, and almost only seeds with a level that one
 * person gave. Exact figures to 1e-8, those of replicates (2,000 in both programs) within five standard deviations.
 */
import { readFileSync } from 'node:fs';
import { chainBootstrap } from '../../src/statistics/estimators/bootstrap/bootstrap-chain.ts';
import { testChainDifference } from '../../src/statistics/estimators/chains-differ.ts';
import { errorByChainDistance } from '../../src/statistics/estimators/distance.ts';
import { bootstrapSampleOf } from '../../src/statistics/estimators/intervals.ts';
import {
  type CategoryOutcome,
  outcomeVariablesOf,
  rowsHavingAnswer,
} from '../../src/statistics/estimators/outcome.ts';
import { standardDeviation } from '../../src/statistics/estimators/quantile.ts';
import { parseSampleFile } from '../../src/statistics/estimators/sample/sample-file.ts';
import { standardizedEstimate } from '../../src/statistics/estimators/standardized.ts';
import { rds2Weights, weightedEstimateOf } from '../../src/statistics/estimators/weights.ts';

const SAMPLES = 2_000;
const PEOPLE: Record<string, number> = { N: 300, S: 0, E: 100 };

/** `differ` is the statistic of chains that differ for a standard error of 1; `chain` and `bySite` are mean and deviation. */
const EXPECTED = [
  [
    'uneven',
    'a',
    {
      rds2: 0.6024279211,
      distance: 0.0472551296,
      differ: 0.02168848364,
      standardised: 0.6526510384,
      chain: [0.6153, 0.0419],
      bySite: [0.587, 0.0482],
    },
  ],
  [
    'uneven',
    'b',
    {
      rds2: 0.1638846737,
      distance: 0.0416596291,
      differ: 0.02490575947,
      standardised: 0.1575002248,
      chain: [0.1454, 0.0326],
      bySite: [0.1426, 0.031],
    },
  ],
  [
    'uneven',
    'c',
    {
      rds2: 0.2336874052,
      distance: 0.0408610111,
      differ: 0.006817166865,
      standardised: 0.1898487369,
      chain: [0.2495, 0.0388],
      bySite: [0.277, 0.0468],
    },
  ],
  [
    'seeds',
    'b',
    {
      rds2: 0.9934369351,
      distance: 0.0181001621,
      differ: 0.0002134057659,
      standardised: 0.9933756626,
      chain: [0.9872, 0.0098],
      bySite: [0.9898, 0.0096],
    },
  ],
  [
    'seeds',
    'rare',
    {
      rds2: 0.0065630649,
      distance: 0.0181001621,
      differ: 0.0002134057659,
      standardised: 0.0066243374,
      chain: [0.0134, 0.0103],
      bySite: [0.0106, 0.0098],
    },
  ],
] as const;

test.each(EXPECTED)('figures of the sample "%s" agree with another program: %s', (name, level, expected) => {
  const columns = { id: 'id', recruiter: 'recruiter_id', size: 'network_size', time: null };
  const file = parseSampleFile(readFileSync(`test/analysis/data/${name}.csv`, 'utf8'), columns);
  const [y, site] = ['y', 'site'].map((one) => file.outcome(one)) as [CategoryOutcome, CategoryOutcome];
  const { recruiters, reportedSizes } = file.sample;
  const { tree, sizes } = bootstrapSampleOf(recruiters, reportedSizes);
  const weights = rds2Weights(sizes);
  const people = site.levels.map((one) => ({ size: PEOPLE[one]!, low: PEOPLE[one]!, high: PEOPLE[one]! }));
  const sites = { codes: site.codes, people };
  const at = y.levels.indexOf(level);
  const variable = outcomeVariablesOf(y)[at]!;
  expect(weightedEstimateOf(y, weights)![at]).toBeCloseTo(expected.rds2, 9);
  expect(errorByChainDistance(variable, tree, weights)!.standardError).toBeCloseTo(expected.distance, 9);
  expect(testChainDifference(variable, tree, weights, 1)!.statistic / expected.differ).toBeCloseTo(1, 8);
  expect(standardizedEstimate(variable, weights, sites, rowsHavingAnswer(variable))).toBeCloseTo(
    expected.standardised,
    9,
  );
  const run = { samples: SAMPLES, seed: 3 };
  const of = { recruiters, tree, weights };
  const [plain] = chainBootstrap({ ...of, sites: null }, [y], run);
  const [whole] = chainBootstrap({ ...of, sites }, [y], run);
  agrees(plain!.figures[at]!, expected.chain);
  agrees(whole!.figures[at]!, expected.bySite);
  // Standardized ones are shares too.
  for (const figures of whole!.figures)
    for (const figure of figures) expect(figure >= 0 && figure <= 1).toBe(true);
});

/** The numbers of the other program are rounded to four digits. */
function agrees(replicates: Float64Array, [mean, deviation]: readonly [number, number]): void {
  const error = deviation * Math.sqrt(2 / SAMPLES);
  const own = replicates.reduce((sum, one) => sum + one / SAMPLES, 0);
  expect(Math.abs(own - mean)).toBeLessThan(5 * error + 5e-5);
  expect(Math.abs(standardDeviation(replicates)! - deviation)).toBeLessThan(
    (5 * error) / Math.sqrt(2) + 5e-5,
  );
}
