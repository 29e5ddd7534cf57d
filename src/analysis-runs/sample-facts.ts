import { knownRows, type Outcome } from '../analysis/outcome.ts';
import { treeOf } from '../analysis/sample.ts';
import type { StudySample } from '../sample/load.ts';

/** What the sample is like. `known` and `missing` are of one outcome; null where it is about several. */
export function sampleFacts(
  { recruiters, orphans, sizeMissing, sizeZero }: StudySample,
  outcome: Outcome | null,
  populationSize: number | null,
) {
  const { seeds, waves, seedOf } = treeOf(recruiters);
  const n = recruiters.length;
  const chains = new Map<number, number>();
  for (const seed of seedOf) chains.set(seed, (chains.get(seed) ?? 0) + 1);
  const known = outcome && knownRows(outcome).length;
  return {
    n,
    seeds: seeds.length,
    orphans,
    waves: waves.reduce((most, wave) => Math.max(most, wave), 0),
    known,
    missing: known === null ? null : n - known,
    sizeMissing,
    sizeZero,
    largestChain: n > 0 ? [...chains.values()].reduce((most, one) => Math.max(most, one), 0) / n : 0,
    populationSize,
  };
}
