/**
 * The standard error of RDS-II from the correlation between people in the same chain, as a function of the number of
 * steps between them. Involves no simulation. If the correlation reaches further than CHAIN's classes imply, this error
 * is much larger than CHAIN's.
 */
import type { OutcomeVariable } from './outcome.ts';
import type { SampleTree } from './sample/sample.ts';

const MAX_STEPS = 24;
/** The mean of fewer pairs is unreliable. */
const MIN_PAIRS = 31;
const LAMBDAS = [
  0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 1,
];

export interface ErrorByChainDistance {
  estimate: number;
  standardError: number;
  /** The correlation at distance t is fitted as scale x lambda^t. */
  lambda: number;
  scale: number;
  /** Number of distances with enough pairs. */
  steps: number;
  /** The correlation at distance 1; null with too few pairs. */
  nearest: number | null;
  /** The mean product of deviations between people in different chains, from which correlations are measured. */
  acrossTrees: number;
}

/** `weights` [n] of RDS-II. Null if nobody answered, or all answers are the same. */
export function errorByChainDistance(
  { values, classes }: OutcomeVariable,
  tree: SampleTree,
  weights: Float64Array,
): ErrorByChainDistance | null {
  const answeredRows = Array.from(classes.keys()).filter((i) => classes[i]! >= 0);
  const mean = answeredRows.reduce((sum, i) => sum + values[i]!, 0) / answeredRows.length;
  const deviations = values.map((value) => (Number.isNaN(value) ? 0 : value - mean));
  const spread = answeredRows.reduce((sum, i) => sum + deviations[i]! ** 2, 0) / answeredRows.length;
  if (answeredRows.length === 0 || !(spread > 0)) return null;
  const people = Float64Array.from(classes, (one) => Number(one >= 0));
  const order = Int32Array.from(classes.keys()).sort((a, b) => tree.waves[b]! - tree.waves[a]!);
  const pairs = sumsByDistance(tree, order, people);
  const products = sumsByDistance(tree, order, deviations);
  const acrossTrees = meanAcrossTrees(tree, people, deviations);
  const correlations: { t: number; pairs: number; value: number }[] = [];
  for (let t = 1; t <= MAX_STEPS; t++) {
    const count = Math.round(pairs[t]!);
    if (count < MIN_PAIRS) continue;
    correlations.push({ t, pairs: count, value: (products[t]! / pairs[t]! - acrossTrees) / spread });
  }
  const { lambda, scale } = fitted(correlations);
  const total = answeredRows.reduce((sum, i) => sum + weights[i]!, 0);
  const shares = weights.map((weight, i) => (people[i]! * weight) / total);
  const estimate = answeredRows.reduce((sum, i) => sum + shares[i]! * values[i]!, 0);
  const variance = answeredRows.reduce((sum, i) => sum + shares[i]! * (values[i]! - estimate) ** 2, 0);
  const own = shares.reduce((sum, share) => sum + share ** 2, 0);
  const factor = own + scale * discountedPairs(tree, order, shares, lambda);
  return {
    estimate,
    standardError: Math.sqrt(Math.max(0, variance * factor)),
    lambda,
    scale,
    steps: correlations.length,
    nearest: correlations.find(({ t }) => t === 1)?.value ?? null,
    acrossTrees,
  };
}

/**
 * [steps] the sum of x_i x_j over pairs in the same tree that many steps apart. `order` has recruits before their
 * recruiters. Each pair is counted at its lowest common ancestor: one is k steps below a person, the other l, in the
 * subtrees of different recruits.
 */
function sumsByDistance(
  { firstRecruit, recruits }: SampleTree,
  order: Int32Array,
  x: Float64Array,
): Float64Array {
  const below = new Map<number, number[]>();
  const sums = new Float64Array(MAX_STEPS + 1);
  for (const i of order) {
    const mine = [x[i]!];
    for (let r = firstRecruit[i]!; r < firstRecruit[i + 1]!; r++) {
      const recruit = recruits[r]!;
      const theirs = below.get(recruit)!;
      below.delete(recruit);
      for (let k = 0; k < theirs.length && k < MAX_STEPS; k++) {
        // Pairs with everyone processed so far at `i`: they are l steps below it, and these k + 1 steps.
        for (let l = 0; l < mine.length && k + 1 + l <= MAX_STEPS; l++)
          sums[k + 1 + l]! += theirs[k]! * mine[l]!;
      }
      for (let k = 0; k < theirs.length && k < MAX_STEPS; k++) mine[k + 1] = (mine[k + 1] ?? 0) + theirs[k]!;
    }
    below.set(i, mine);
  }
  return sums;
}

/** The mean of e_i e_j over pairs in different trees; 0 if there is only one. */
function meanAcrossTrees({ seedOf }: SampleTree, people: Float64Array, deviations: Float64Array): number {
  const trees = new Map<number, { count: number; sum: number }>();
  for (const [i, seed] of seedOf.entries()) {
    const one = trees.get(seed) ?? { count: 0, sum: 0 };
    one.count += people[i]!;
    one.sum += deviations[i]!;
    trees.set(seed, one);
  }
  let [pairs, products, count, sum] = [0, 0, 0, 0];
  for (const one of trees.values()) {
    pairs += one.count * count;
    products += one.sum * sum;
    count += one.count;
    sum += one.sum;
  }
  return pairs > 0 ? products / pairs : 0;
}

/** Fits scale x lambda^t by weighted least squares; the weights grow with the square root of the number of pairs. */
function fitted(correlations: readonly { t: number; pairs: number; value: number }[]) {
  let best = { lambda: 0, scale: 0, error: Number.POSITIVE_INFINITY };
  for (const lambda of LAMBDAS) {
    let [across, along] = [0, 0];
    for (const { t, pairs, value } of correlations) {
      across += Math.sqrt(pairs) * value * lambda ** t;
      along += Math.sqrt(pairs) * lambda ** (2 * t);
    }
    const scale = along > 0 ? Math.min(1, Math.max(0, across / along)) : 0;
    const error = correlations.reduce(
      (sum, { t, pairs, value }) => sum + Math.sqrt(pairs) * (value - scale * lambda ** t) ** 2,
      0,
    );
    if (error < best.error) best = { lambda, scale, error };
  }
  return best;
}

/** The sum of v_i v_j lambda^t over ordered pairs in the same tree, t steps apart. */
function discountedPairs(
  { firstRecruit, recruits }: SampleTree,
  order: Int32Array,
  shares: Float64Array,
  lambda: number,
): number {
  const below = new Float64Array(shares.length);
  let sum = 0;
  for (const i of order) {
    let mine = shares[i]!;
    for (let r = firstRecruit[i]!; r < firstRecruit[i + 1]!; r++) {
      const theirs = lambda * below[recruits[r]!]!;
      sum += theirs * mine;
      mine += theirs;
    }
    below[i] = mine;
  }
  return 2 * sum;
}
