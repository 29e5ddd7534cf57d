/**
 * Salganik's bootstrap (2006): a chain with as many respondents as there are known answers, each next one drawn from
 * those recruited by someone of the current one's level. It treats recruitment as a first-order Markov chain of
 * levels; if chains stay within groups, its intervals are too narrow.
 */
import { randomStream } from '../draws/random.ts';
import { type CategoryOutcome, rowsWithKnownAnswer } from '../outcome.ts';
import { rds1SharesFromSums } from '../rds1.ts';
import { createReplicateCollector, type ReplicateSettings, type Replicates } from './replicates.ts';

/** `sizes` [n], positive. Replicates without an RDS-I estimate are dropped. */
export function salganikBootstrap(
  category: CategoryOutcome,
  recruiters: Int32Array,
  sizes: Float64Array,
  { samples, seed, first = 0, onReplicate }: ReplicateSettings,
): Record<'RDS_I' | 'RDS_II', Replicates> {
  const { levels, codes } = category;
  const answeredRows = rowsWithKnownAnswer(category);
  const recruits = answeredRows.filter((i) => recruiters[i]! >= 0);
  const recruitedBy = levels.map((_, level) => recruits.filter((i) => codes[recruiters[i]!] === level));
  const collectors = {
    RDS_I: createReplicateCollector(levels.length, samples),
    RDS_II: createReplicateCollector(levels.length, samples),
  };
  const k = levels.length;
  const counts = new Float64Array(k);
  const inverse = new Float64Array(k);
  const moves = new Float64Array(k * k);
  for (let index = first; index < first + samples; index++) {
    const random = randomStream(seed, 'salganik', index);
    counts.fill(0);
    inverse.fill(0);
    moves.fill(0);
    let level = -1;
    for (let step = 0; step < answeredRows.length; step++) {
      let pool = answeredRows;
      if (level >= 0) pool = recruitedBy[level]!.length > 0 ? recruitedBy[level]! : recruits;
      // If the sample has only seeds, nobody was recruited.
      if (pool.length === 0) pool = answeredRows;
      const next = pool[random.below(pool.length)]!;
      const to = codes[next]!;
      if (level >= 0) moves[level * k + to]!++;
      counts[to]!++;
      inverse[to]! += 1 / sizes[next]!;
      level = to;
    }
    collectors.RDS_I.add(rds1SharesFromSums(counts, inverse, moves));
    const total = inverse.reduce((sum, one) => sum + one, 0);
    collectors.RDS_II.add(total > 0 ? Array.from(inverse, (one) => one / total) : null);
    onReplicate?.(k);
  }
  return { RDS_I: collectors.RDS_I.end(), RDS_II: collectors.RDS_II.end() };
}
