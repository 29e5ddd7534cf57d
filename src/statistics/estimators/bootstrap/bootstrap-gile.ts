/**
 * Gile's bootstrap (Gile 2011): creates a population with the estimated composition and mixing, and simulates
 * recruitment without replacement in it, as often as requested. Each replicate is weighted by the inclusion of the
 * first sample.
 */

import { type Random, randomStream } from '../draws/random.ts';
import { SuccessiveSampler } from '../draws/weighted-draw.ts';
import type { CategoryOutcome } from '../outcome.ts';
import { transitionsOf } from '../rds1.ts';
import type { SampleTree } from '../sample/sample.ts';
import {
  distinctNetworkSizes,
  drawIndex,
  inclusionProbabilities,
  roundedRandomlyToTotal,
  type SizeClasses,
} from '../successive-sampling.ts';
import { createReplicateCollector, type ReplicateSettings, type Replicates } from './replicates.ts';

/**
 * The population is generated from estimated inclusion probabilities, which have a simulation error of their own. It is
 * regenerated after this many replicates; otherwise all replicates would share the same error, and no number of
 * replicates would reduce it.
 */
const REPLICATES_PER_POPULATION = 1000;

interface Design {
  classes: SizeClasses;
  /** [classes] 1 / inclusion probability. */
  inverse: Float64Array;
  levels: number;
  /** [levels x classes] people in the population, not rounded, row by row. */
  cells: Float64Array;
  /** [levels x levels] ties between levels. */
  ties: Float64Array;
  /** The number of recruits of each respondent with any recruits. */
  recruitCounts: Int32Array;
  seeds: number;
  n: number;
  population: number;
}

/** `sizes` [n], positive; `population` is at least the number of known answers. */
export function gileBootstrap(
  category: CategoryOutcome,
  recruiters: Int32Array,
  tree: SampleTree,
  sizes: Float64Array,
  population: number,
  { samples, seed, first = 0, onReplicate }: ReplicateSettings,
): Replicates {
  const collected = createReplicateCollector(category.levels.length, samples);
  let design: Design | null = null;
  for (let index = first; index < first + samples; index++) {
    if (design === null || index % REPLICATES_PER_POPULATION === 0) {
      const random = randomStream(seed, 'gile population', Math.floor(index / REPLICATES_PER_POPULATION));
      design = designOf(category, recruiters, tree, sizes, population, random);
    }
    collected.add(replicate(design, randomStream(seed, 'gile', index)));
    onReplicate?.(category.levels.length);
  }
  return collected.end();
}

function designOf(
  category: CategoryOutcome,
  recruiters: Int32Array,
  tree: SampleTree,
  sizes: Float64Array,
  population: number,
  random: Random,
): Design {
  const { codes } = category;
  const levels = category.levels.length;
  const classes = distinctNetworkSizes(sizes.map((size, i) => (codes[i]! < 0 ? Number.NaN : size)));
  const inverse = inclusionProbabilities(classes, population, random).map((chance) => 1 / chance);
  const width = classes.sizes.length;
  const raw = new Float64Array(levels * width);
  codes.forEach((level, i) => {
    const k = classes.classOf[i]!;
    if (level >= 0) raw[level * width + k]! += inverse[k]!;
  });
  const total = raw.reduce((sum, one) => sum + one, 0);
  const answeredRows = [...codes.keys()].filter((i) => codes[i]! >= 0);
  return {
    classes,
    inverse,
    levels,
    cells: raw.map((one) => (one / total) * population),
    ties: tiesOf(transitionsOf(category, recruiters).shares, raw, classes.sizes, population / total),
    recruitCounts: Int32Array.from(
      answeredRows.map((i) => tree.firstRecruit[i + 1]! - tree.firstRecruit[i]!).filter((count) => count > 0),
    ),
    seeds: answeredRows.filter((i) => recruiters[i]! < 0).length,
    n: answeredRows.length,
    population,
  };
}

/** T_ab = P_ab x mean size of a x share of a x N, averaged with its transpose. */
function tiesOf(shares: number[][], raw: Float64Array, sizes: Float64Array, scale: number): Float64Array {
  const k = shares.length;
  const degrees = shares.map((_, a) =>
    sizes.reduce((sum, size, c) => sum + size * raw[a * sizes.length + c]!, 0),
  );
  const ties = new Float64Array(k * k);
  for (let a = 0; a < k; a++)
    for (let b = 0; b < k; b++)
      ties[a * k + b] = (scale * (shares[a]![b]! * degrees[a]! + shares[b]![a]! * degrees[b]!)) / 2;
  return ties;
}

function replicate(design: Design, random: Random): number[] {
  const { classes, levels, cells, n, population, recruitCounts, inverse } = design;
  const width = classes.sizes.length;
  const people = roundedRandomlyToTotal(cells, population, 0, random);
  const units = Array.from(
    { length: levels },
    (_, level) => new SuccessiveSampler(classes.sizes, people.slice(level * width, (level + 1) * width)),
  );
  const remaining = new Float64Array(units.map((one) => one.leftSize));
  const ties = design.ties.slice();
  const weights = new Float64Array(levels);
  const queue = new Int32Array(n);
  let drawn = 0;
  const take = (preferredLevel: number) => {
    // If the level is exhausted, or has no ties left to any level, draw anyone.
    const level =
      preferredLevel >= 0 && remaining[preferredLevel]! > 0 ? preferredLevel : drawIndex(remaining, random);
    const k = units[level]!.draw(random);
    weights[level]! += inverse[k]!;
    const share = units[level]!.leftSize / remaining[level]!;
    remaining[level] = units[level]!.leftSize;
    for (let a = 0; a < levels; a++) ties[a * levels + level]! *= share;
    queue[drawn++] = level;
  };
  while (drawn < Math.min(design.seeds, n)) take(drawIndex(remaining, random));
  for (let at = 0; drawn < n; at++) {
    // If seeds' answers are missing, chains may run out of recruiters; then another seed starts.
    if (at === drawn) {
      take(drawIndex(remaining, random));
      continue;
    }
    const row = ties.subarray(queue[at]! * levels, (queue[at]! + 1) * levels);
    const count = recruitCounts.length > 0 ? recruitCounts[random.below(recruitCounts.length)]! : 1;
    for (let k = 0; k < count && drawn < n; k++) take(drawIndex(row, random));
  }
  const total = weights.reduce((sum, one) => sum + one, 0);
  return Array.from(weights, (one) => one / total);
}
