/** The warnings that the results pages would show for an outcome of a sample. */
import {
  type Bootstrap,
  groundOf,
  type Interval,
  intervalsOf,
  replicatesOf,
} from '../src/statistics/estimators/intervals.ts';
import { knownRows, type Outcome } from '../src/statistics/estimators/outcome.ts';
import type { Question } from '../src/statistics/estimators/results.ts';
import { isUsableSize, type Sample } from '../src/statistics/estimators/sample/sample.ts';
import { estimateAll } from '../src/statistics/results/estimate.ts';
import type { Warning } from '../src/statistics/results/schema.ts';
import { warningsOf } from '../src/statistics/results/warnings/warnings.ts';

/** Those about intervals need the method chain or tree, and those about chains that differ the method chain. */
export function warningsFor(
  sample: Sample,
  outcome: Outcome,
  { population, randomSeed: seed, samples, confidence, method, sites = null }: Question,
): Warning[] {
  const n = sample.ids.length;
  if (knownRows(outcome).length === 0) return [];
  const found = estimateAll({
    sample,
    times: Float64Array.from(sample.order),
    outcome,
    population: { size: population, low: null, high: null },
    randomSeed: seed,
    sites,
  });
  const ground = groundOf(sample.recruiters, sample.reportedSizes, sites);
  const intervals = (of: Bootstrap['method']): Interval[] => {
    const bootstrap = { method: of, estimator: 'RDS_II', population, confidence, seed } as const;
    const [made] = replicatesOf(ground, [outcome], bootstrap, { samples, seed });
    return made ? intervalsOf(ground, outcome, bootstrap, made) : [];
  };
  const chain = method === 'chain' ? intervals('CHAIN') : null;
  return warningsOf({
    found,
    n,
    asked: n,
    sizesMissing: sample.reportedSizes.filter((size) => !isUsableSize(size)).length,
    population,
    isShare: outcome.kind === 'CATEGORY',
    strangers: null,
    shown: found.counts.map(() => true),
    intervals: method === 'tree' ? intervals('TREE') : chain,
    chain,
  });
}
