/**
 * The tree bootstrap (Baraff, McCormick & Raftery 2016): draw as many seeds as there are, with replacement; then for
 * each drawn person as many recruits as that person has, with replacement; and so on. The sample size varies. It makes
 * no assumptions about the network, so it remains valid if chains stay within groups.
 */
import { randomStream } from '../draws/random.ts';
import { isAnswerKnown, type OutcomeAnswers } from '../outcome.ts';
import type { SampleTree } from '../sample/sample.ts';
import { createReplicateCollector, type ReplicateSettings, type Replicates } from './replicates.ts';

/** Fills `times` [n] with how often each respondent is in replicate `index`. */
export function treeReplicate(tree: SampleTree, seed: number, index: number, times: Int32Array): void {
  const random = randomStream(seed, 'tree', index);
  const { seeds, firstRecruit, recruits } = tree;
  times.fill(0);
  const stack: number[] = [];
  for (let k = 0; k < seeds.length; k++) stack.push(seeds[random.below(seeds.length)]!);
  for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
    times[i]!++;
    const first = firstRecruit[i]!;
    const count = firstRecruit[i + 1]! - first;
    for (let k = 0; k < count; k++) stack.push(recruits[first + random.below(count)]!);
  }
}

/** RDS-II of each outcome in each replicate; the same replicates are used for all outcomes. `sizes` [n], positive. */
export function treeBootstrap(
  tree: SampleTree,
  outcomes: readonly OutcomeAnswers[],
  sizes: Float64Array,
  { samples, seed, first = 0, onReplicate }: ReplicateSettings,
): Replicates[] {
  const inverse = sizes.map((size) => 1 / size);
  const widths = outcomes.map((one) => (one.kind === 'CATEGORY' ? one.levels.length : 1));
  const width = widths.reduce((sum, one) => sum + one, 0);
  const collectors = widths.map((one) => createReplicateCollector(one, samples));
  const times = new Int32Array(sizes.length);
  const weights = new Float64Array(sizes.length);
  for (let index = first; index < first + samples; index++) {
    treeReplicate(tree, seed, index, times);
    for (let i = 0; i < weights.length; i++) weights[i] = times[i]! * inverse[i]!;
    outcomes.forEach((outcome, at) => {
      collectors[at]!.add(weighted(outcome, weights));
    });
    onReplicate?.(width);
  }
  return collectors.map((one) => one.end());
}

function weighted(outcome: OutcomeAnswers, weights: Float64Array): number[] | null {
  const sums = new Array<number>(outcome.kind === 'CATEGORY' ? outcome.levels.length : 1).fill(0);
  let total = 0;
  if (outcome.kind === 'CATEGORY') {
    const { codes } = outcome;
    for (let i = 0; i < codes.length; i++) if (codes[i]! >= 0) sums[codes[i]!]! += weights[i]!;
    for (const sum of sums) total += sum;
  } else {
    for (let i = 0; i < outcome.values.length; i++) {
      if (!isAnswerKnown(outcome, i)) continue;
      sums[0]! += weights[i]! * outcome.values[i]!;
      total += weights[i]!;
    }
  }
  return total > 0 ? sums.map((sum) => sum / total) : null;
}
