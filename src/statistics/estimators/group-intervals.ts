/**
 * Intervals for groups, and for differences between them, from CHAIN replicates with classes by answer and group. Each
 * drawn person counts in their own group.
 */
import {
  categoryCountOf,
  classesByAnswerAndSite,
  prepareChainSumDraws,
  uniformRandomBlocks,
  weightSumsBySite,
} from './bootstrap/bootstrap-chain.ts';
import { type Bounds, differenceInterval } from './difference.ts';
import { type CategoryOutcome, levelCountOf, type OutcomeAnswers, outcomeVariablesOf } from './outcome.ts';
import { percentileInterval } from './quantile.ts';
import { imputedNetworkSizes, recruitmentTree } from './sample/sample.ts';
import { rds2Weights } from './weights.ts';

export interface GroupJob {
  recruiters: Int32Array;
  reportedSizes: Float64Array;
  outcome: OutcomeAnswers;
  groups: CategoryOutcome;
  randomSeed: number;
}

export interface GroupIntervals {
  /** [groups][levels] */
  cells: (Bounds | null)[][];
  /** For each pair of groups, the first minus the second, [levels]. */
  differences: { one: number; other: number; levels: (Bounds | null)[] }[];
}

const CONFIDENCE = 0.95;
/**
 * Maximum number of people drawn, which takes a thread some seconds. If that allows fewer than `LEAST_SAMPLES`
 * replicates, there are no intervals.
 */
const MAX_DRAWS = 60_000_000;
const [LEAST_SAMPLES, MAX_SAMPLES] = [200, 1000];
/** With more groups, there are too many pairs to read. */
const MAX_PAIRED = 8;

/** Null if the sample is too large. */
export function groupIntervals(job: GroupJob): GroupIntervals | null {
  const { recruiters, outcome, groups } = job;
  const fitting = Math.floor(MAX_DRAWS / Math.max(1, recruiters.length * levelCountOf(outcome)));
  if (fitting < LEAST_SAMPLES) return null;
  const replicates = replicatesOf(job, Math.min(MAX_SAMPLES, fitting));
  const indices = [...groups.levels.keys()];
  const pairs =
    indices.length > MAX_PAIRED
      ? []
      : indices.flatMap((one) => indices.slice(one + 1).map((other) => ({ one, other })));
  return {
    cells: indices.map((group) => replicates.map((byGroup) => boundsOf(byGroup[group]!))),
    differences: pairs.map(({ one, other }) => ({
      ...{ one, other },
      levels: replicates.map((byGroup) => differenceIn(byGroup[other]!, byGroup[one]!)),
    })),
  };
}

/** [levels][groups][samples]; NaN if a replicate has nobody in the group. */
function replicatesOf(
  { recruiters, reportedSizes, outcome, groups, randomSeed: seed }: GroupJob,
  samples: number,
): Float64Array[][] {
  const [n, width] = [recruiters.length, categoryCountOf(groups.codes)];
  const of = {
    recruiters,
    tree: recruitmentTree(recruiters),
    weights: rds2Weights(imputedNetworkSizes(reportedSizes)),
  };
  const variables = outcomeVariablesOf(outcome);
  const replicates = variables.map(() => groups.levels.map(() => new Float64Array(samples).fill(Number.NaN)));
  for (const { from, count, uniforms } of uniformRandomBlocks(n, { samples, seed })) {
    variables.forEach((variable, level) => {
      const chain = prepareChainSumDraws(of, {
        ...variable,
        classes: classesByAnswerAndSite(variable.classes, groups.codes),
      });
      for (let at = 0; chain && at < count; at++) {
        const byGroup = weightSumsBySite(chain.draw(uniforms, at * n), width);
        for (let group = 0; group < width; group++)
          replicates[level]![group]![from + at] = byGroup[2 * group + 1]! / byGroup[2 * group]!;
      }
    });
  }
  return replicates;
}

function differenceIn(from: Float64Array, to: Float64Array): Bounds | null {
  const both = [...from.keys()].filter((at) => !Number.isNaN(from[at]! - to[at]!));
  const of = (values: Float64Array) => Float64Array.from(both, (at) => values[at]!);
  return differenceInterval(of(from), of(to), CONFIDENCE);
}

function boundsOf(replicates: Float64Array): Bounds | null {
  const sorted = replicates.filter((value) => !Number.isNaN(value)).sort();
  return percentileInterval(sorted, CONFIDENCE);
}
