/** The chains of a sample: the size, depth and answers of each. */
import { isAnswerKnown, type OutcomeAnswers } from './outcome.ts';
import { CellSizeCounter } from './sample/cell-size.ts';
import type { SampleTree } from './sample/sample.ts';

export interface Chain {
  /** Row of its seed. */
  seed: number;
  people: number;
  /** Its last wave; 0 if nobody was recruited. */
  waves: number;
}

/** Largest first, ties by row. */
export function chainsOf({ seeds, seedOf, waves }: SampleTree): Chain[] {
  const bySeed = new Map<number, Chain>();
  for (const seed of seeds) bySeed.set(seed, { seed, people: 0, waves: 0 });
  for (let i = 0; i < seedOf.length; i++) {
    const chain = bySeed.get(seedOf[i]!);
    if (!chain) continue;
    chain.people++;
    if (waves[i]! > chain.waves) chain.waves = waves[i]!;
  }
  return [...bySeed.values()].sort((a, b) => b.people - a.people || a.seed - b.seed);
}

/**
 * The effective number of chains, 1 / sum of squared shares: as many chains of equal size would be equally
 * concentrated. 0 if there are none.
 */
export function effectiveNumberOfChains(chains: readonly Pick<Chain, 'people'>[]): number {
  const people = chains.reduce((sum, chain) => sum + chain.people, 0);
  return people > 0 ? people ** 2 / chains.reduce((sum, chain) => sum + chain.people ** 2, 0) : 0;
}

export interface ChainEstimate extends Chain {
  /** [levels] known answers; for a number, how many are known. */
  counts: number[];
  /** [levels] cell sizes: the counts, or the cell size of a number. */
  sizes: number[];
  /** [levels] the counts; for a number, how many people differ from the most common value. */
  apart: number[];
  /** With the weights of the whole sample; null if nothing is known. */
  figures: number[] | null;
}

/** Estimates for each of these chains, in one pass. `weights` [n]. */
export function estimatesByChain(
  chains: readonly Chain[],
  outcome: OutcomeAnswers,
  { seedOf }: SampleTree,
  weights: Float64Array,
): ChainEstimate[] {
  const width = outcome.kind === 'CATEGORY' ? outcome.levels.length : 1;
  const at = new Map(chains.map(({ seed }, place) => [seed, place]));
  const tallies = chains.map(() => ({
    counts: new Array<number>(width).fill(0),
    sums: new Float64Array(width),
    cell: new CellSizeCounter(),
    total: 0,
  }));
  for (let i = 0; i < seedOf.length; i++) {
    const one = tallies[at.get(seedOf[i]!) ?? -1];
    if (!one || !isAnswerKnown(outcome, i)) continue;
    const level = outcome.kind === 'CATEGORY' ? outcome.codes[i]! : 0;
    one.counts[level]!++;
    const value = outcome.kind === 'CATEGORY' ? 1 : outcome.values[i]!;
    one.sums[level]! += weights[i]! * value;
    if (outcome.kind === 'NUMBER') one.cell.add(value);
    one.total += weights[i]!;
  }
  return chains.map((chain, place) => {
    const { counts, sums, total, cell } = tallies[place]!;
    const isNumber = outcome.kind === 'NUMBER';
    const summary = {
      ...chain,
      counts,
      sizes: isNumber ? [cell.size] : counts,
      apart: isNumber ? [cell.apart] : counts,
    };
    return { ...summary, figures: total === 0 ? null : Array.from(sums, (sum) => sum / total) };
  });
}
