/**
 * Intervals for groups, and for differences between them, from replicates of CHAIN with classes by answer and group. A
 * person who is drawn counts in their own group.
 */
import { chainPools, chainReplicate, classesBySite } from './bootstrap/bootstrap-chain.ts';
import { type Bounds, differenceOfReplicates } from './difference.ts';
import { type Category, type Outcome, rowsWithValue, type Variable, variablesOf } from './outcome.ts';
import { percentileInterval } from './quantile.ts';
import { recruitmentTree, replacedSizes } from './sample/sample.ts';
import { rds2Weights } from './weights.ts';

export interface GroupJob {
  recruiters: Int32Array;
  reportedSizes: Float64Array;
  outcome: Outcome;
  groups: Category;
  randomSeed: number;
}

export interface GroupIntervals {
  /** [groups][levels] */
  cells: (Bounds | null)[][];
  /** Each pair of groups: the first less the second, [levels]. */
  differences: { one: number; other: number; levels: (Bounds | null)[] }[];
}

const CONFIDENCE = 0.95;
/** People drawn at most, which takes a thread some seconds; with fewer replicates than `LEAST_SAMPLES` there are no intervals. */
const MAX_DRAWS = 60_000_000;
const [LEAST_SAMPLES, MAX_SAMPLES] = [200, 1000];
/** More groups have too many pairs to read. */
const MAX_PAIRED = 8;

/** Null for a sample that is too large. */
export function groupIntervals(job: GroupJob): GroupIntervals | null {
  const { recruiters, reportedSizes, outcome, groups } = job;
  const variables = variablesOf(outcome);
  const fitting = Math.floor(MAX_DRAWS / Math.max(1, recruiters.length * variables.length));
  if (fitting < LEAST_SAMPLES) return null;
  const weights = rds2Weights(replacedSizes(reportedSizes));
  const samples = Math.min(MAX_SAMPLES, fitting);
  /** [levels][groups][samples] */
  const replicates = variables.map((variable) => replicatesOf(variable, weights, job, samples));
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

/** NaN where a replicate has nobody of the group. */
function replicatesOf(
  variable: Variable,
  weights: Float64Array,
  { recruiters, groups, randomSeed }: GroupJob,
  samples: number,
): Float64Array[] {
  const width = groups.levels.length;
  const replicates = Array.from({ length: width }, () => new Float64Array(samples).fill(Number.NaN));
  const pools = chainPools(
    recruiters,
    recruitmentTree(recruiters),
    classesBySite(variable.classes, groups.codes),
  );
  const places = rowsWithValue(variable);
  const drawn = new Int32Array(recruiters.length);
  const sums = new Float64Array(width);
  const totals = new Float64Array(width);
  for (let index = 0; pools && index < samples; index++) {
    chainReplicate(pools, randomSeed, index, drawn);
    sums.fill(0);
    totals.fill(0);
    for (let at = 0; at < places.length; at++) {
      const row = drawn[places[at]!]!;
      const group = groups.codes[row]!;
      if (group < 0) continue;
      sums[group]! += weights[row]! * variable.values[row]!;
      totals[group]! += weights[row]!;
    }
    for (let group = 0; group < width; group++) replicates[group]![index] = sums[group]! / totals[group]!;
  }
  return replicates;
}

function differenceIn(from: Float64Array, to: Float64Array): Bounds | null {
  const both = [...from.keys()].filter((at) => !Number.isNaN(from[at]! - to[at]!));
  const of = (values: Float64Array) => Float64Array.from(both, (at) => values[at]!);
  return differenceOfReplicates(of(from), of(to), CONFIDENCE);
}

function boundsOf(replicates: Float64Array): Bounds | null {
  const sorted = replicates.filter((value) => !Number.isNaN(value)).sort();
  return percentileInterval(sorted, CONFIDENCE);
}
