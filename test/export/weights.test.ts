/** weights.csv and estimates.csv, and R's results from them. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chainWeightsScript } from '../../src/exports/sample/chain-r.ts';
import { sampleCsv } from '../../src/exports/sample/sample-csv.ts';
import { studyR } from '../../src/exports/sample/study-r.ts';
import {
  estimatesCsv,
  replicateCountFor,
  type TreeBootstrapWeights,
  weightsWithTreeIntervals,
} from '../../src/exports/sample/tree-weights.ts';
import { weightsCsv } from '../../src/exports/sample/weights.ts';
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import { treeBootstrap } from '../../src/statistics/estimators/bootstrap/bootstrap-tree.ts';
import {
  levelCountsOf,
  rowsWithKnownAnswer,
  toCategoryOutcome,
} from '../../src/statistics/estimators/outcome.ts';
import { standardDeviation } from '../../src/statistics/estimators/quantile.ts';
import { imputedNetworkSizes } from '../../src/statistics/estimators/sample/sample.ts';
import { SLOW } from '../scripts/kit.ts';
import { edge240 } from './tables.ts';

const table = edge240();
const rowsOf = (pieces: Iterable<string>) => parseCsv([...pieces].join('')).map(({ cells }) => cells);
const weights: Record<'known' | 'unknown', TreeBootstrapWeights> = {} as never;

beforeAll(async () => {
  weights.known = await weightsWithTreeIntervals({ ...table, study: { populationSize: 3000 } }, {});
  weights.unknown = await weightsWithTreeIntervals({ ...table, study: { populationSize: null } }, {});
}, SLOW);

test('each interview has its RDS-II and SS weights and one weight per replicate', () => {
  const [heading, ...rows] = rowsOf(weightsCsv(table, weights.known));
  expect(heading?.slice(0, 4)).toEqual(['id', 'rds_ii_weight', 'ss_weight', 'rep_1']);
  expect(heading?.at(-1)).toBe('rep_500');
  expect(rows.map(([id]) => id)).toEqual(table.ids);
  for (const column of [1, 2])
    expect(rows.reduce((sum, row) => sum + Number(row[column]), 0)).toBeCloseTo(1, 8);
  expect(rowsOf(weightsCsv(table, weights.unknown))[0]?.slice(0, 3)).toEqual([
    'id',
    'rds_ii_weight',
    'rep_1',
  ]);
});

test('each replicate draws as many seeds as there are', () => {
  const rows = rowsOf(weightsCsv(table, weights.unknown)).slice(1);
  const times = (row: string[], replicate: number) => Number(row[1 + replicate]) / Number(row[1]);
  for (const replicate of [1, 2, 250, 500]) {
    const seeds = rows.filter((_, row) => table.recruiters[row] === -1);
    const drawn = seeds.map((row) => times(row, replicate));
    expect(drawn.reduce((sum, count) => sum + count, 0)).toBeCloseTo(6, 6);
    for (const row of rows)
      expect(Math.abs(times(row, replicate) - Math.round(times(row, replicate)))).toBeLessThan(1e-6);
  }
});

test('the standard deviation of replicate estimates equals the service’s standard error', () => {
  const { seed, replicates } = weights.unknown;
  const outcomes = table.outcomes.map(({ outcome }) => outcome);
  const again = treeBootstrap(table.tree, outcomes, imputedNetworkSizes(table.reportedSizes), {
    samples: replicates,
    seed,
  });
  const [heading, ...rows] = rowsOf(estimatesCsv(table.outcomes, weights.unknown));
  expect(heading).toEqual(['outcome', 'level', 'count', 'rds_ii', 'standard_error', 'low', 'high']);
  expect(rows.map(([name, level]) => `${name} ${level}`)).toEqual([
    'status 0',
    'status 1',
    'region east',
    'region north',
    'region south',
    'region west',
    'score ',
  ]);
  const counts = outcomes.flatMap((one) =>
    one.kind === 'CATEGORY' ? [...levelCountsOf(one)] : [rowsWithKnownAnswer(one).length],
  );
  expect(rows.map(([, , count]) => Number(count))).toEqual(counts);
  expect(Number(rows[1]?.[3])).toBeCloseTo(0.270427, 6);
  const deviations = again.flatMap(({ figures }) => figures.map((one) => standardDeviation(one)));
  rows.forEach((row, at) => {
    expect(Number(row[4])).toBeCloseTo(deviations[at] as number, 12);
  });
});

test('the same query gives the same weights, another one does not', async () => {
  const again = await weightsWithTreeIntervals({ ...table, study: { populationSize: 3000 } }, {});
  expect(again).toEqual(weights.known);
  const later = await weightsWithTreeIntervals(
    { ...table, study: { populationSize: null } },
    { from: '2026-01-01' },
  );
  expect(later.seed).not.toBe(weights.known.seed);
});

test('large samples have fewer replicates, so that the file has at most ten million cells, and none if fewer than 100 fit', () => {
  const people = [0, 240, 20_000, 40_000, 100_000, 100_001, 1_000_000];
  expect(people.map(replicateCountFor)).toEqual([500, 500, 500, 250, 100, 0, 0]);
  for (const n of people) expect(n * replicateCountFor(n)).toBeLessThanOrEqual(10_000_000);
});

test('without replicates only the weights are written', () => {
  const [heading, ...rows] = rowsOf(weightsCsv(table, { ...weights.known, replicates: 0 }));
  expect(heading).toEqual(['id', 'rds_ii_weight', 'ss_weight']);
  expect(rows).toHaveLength(table.ids.length);
  expect(rows.every((row) => row.length === 3)).toBe(true);
});

test('an aborted download stops its threads', async () => {
  const controller = new AbortController();
  const work = weightsWithTreeIntervals({ ...table, study: { populationSize: 3000 } }, {}, controller.signal);
  controller.abort();
  await expect(work).rejects.toThrow('the worker has ended');
});

const hasR = (() => {
  try {
    execFileSync('Rscript', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const withR = hasR ? test : test.skip;
if (!hasR) process.stderr.write('Rscript is not installed: what R makes of the bundle is not tested.\n');

withR(
  'R reproduces the service’s estimates, standard errors and intervals, and leaves out a question nobody answered',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bundle-'));
    const nobody = {
      name: 'nobody',
      outcome: { kind: 'NUMBER' as const, values: new Float64Array(240).fill(Number.NaN) },
    };
    const same = { name: 'same', outcome: toCategoryOutcome(table.ids.map(() => 'yes')) };
    const whole = { ...table, outcomes: [...table.outcomes, nobody, same] };
    const outcomes = whole.outcomes.map(({ name, outcome }) => ({ name, kind: outcome.kind, notAsked: 0 }));
    const script = { outcomes, sites: new Map(), people: 240, populationSize: 3000, site: null, counts: [] };
    const files = {
      'rds.csv': [...sampleCsv(whole)],
      'weights.csv': [...weightsCsv(whole, weights.known)],
      'estimates.csv': [
        ...estimatesCsv(whole.outcomes, {
          ...weights.known,
          intervals: [...weights.known.intervals, [], []],
        }),
      ],
      'study.R': [studyR(script)],
      'chain.R': [chainWeightsScript(script)],
    };
    try {
      for (const [name, pieces] of Object.entries(files))
        await writeFile(join(folder, name), pieces.join(''));
      const { stdout } = await promisify(execFile)('Rscript', ['study.R'], { cwd: folder, env: process.env });
      expect(stdout).toMatch(
        /interval of the tree bootstrap: status ==\n[^\n]*estimate[^\n]*\n0 +0\.7295\d* /,
      );
      expect(stdout).toMatch(/^yes +1 +NA +NA +NA /m);
      expect(stdout).not.toContain('nobody');
      expect(stdout).not.toContain('no estimate');
      const [, difference] = stdout.match(/Largest difference from the service, .*: (\S+)/) ?? [];
      expect(Number(difference)).toBeLessThan(1e-6);

      const alone = [...weightsCsv(whole, { ...weights.known, replicates: 0 })];
      await writeFile(join(folder, 'weights.csv'), alone.join(''));
      const bare = await promisify(execFile)('Rscript', ['study.R', 'status'], {
        cwd: folder,
        env: process.env,
      });
      expect(bare.stdout).toMatch(/^0 +0\.7295\d* +NA +NA +NA +0\.7295\d* +0\.0913/m);
      expect(bare.stdout).not.toContain('no estimate');
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  SLOW,
);
