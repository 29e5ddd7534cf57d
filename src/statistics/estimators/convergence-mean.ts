/** Convergence of RDS-I for a number while the sample grew. */
import type { Quantity } from './outcome.ts';
import { sharesAmongMet } from './rds1.ts';
import { isUsableSize, type Sample } from './sample/sample.ts';

const GROUPS = 3;

/**
 * RDS-I of the first `ends[0]`, `ends[1]`, ... in order of time alone; `ends` ascend. Each time the values are cut into
 * groups anew (see `groupsOf`), whose shares weigh their means. It goes by ranks of values, so that each time takes a pass
 * over these and one over who recruited whom, and no sorting.
 */
export function meansByOrder(
  { values }: Quantity,
  sample: Sample,
  ends: readonly number[],
): (number[] | null)[] {
  const { order, reportedSizes } = sample;
  const { distinct, rankOf } = ranksOf(values);
  const moves = movesOf(sample, rankOf);
  const count = new Float64Array(distinct.length);
  const inverse = new Float64Array(distinct.length);
  const bare = new Float64Array(distinct.length);
  let [at, known, largest] = [0, 0, 0];
  return ends.map((end) => {
    for (; at < end; at++) {
      const row = order[at]!;
      const size = reportedSizes[row]!;
      const hasSize = isUsableSize(size);
      if (hasSize && size > largest) largest = size;
      const rank = rankOf[row]!;
      if (rank < 0) continue;
      known++;
      count[rank]!++;
      if (hasSize) inverse[rank]! += 1 / size;
      else bare[rank]!++;
    }
    if (known === 0) return null;
    const groupOf = grouped(count, known);
    const sums = {
      count: new Float64Array(GROUPS),
      inverse: new Float64Array(GROUPS),
      value: new Float64Array(GROUPS),
    };
    for (let rank = 0; rank < distinct.length; rank++) {
      const group = groupOf[rank]!;
      sums.count[group]! += count[rank]!;
      sums.inverse[group]! += inverse[rank]! + bare[rank]! / (largest || 1);
      sums.value[group]! += count[rank]! * distinct[rank]!;
    }
    const shares = sharesAmongMet(sums.count, sums.inverse, between(moves, groupOf, end));
    const means = shares?.map((share, group) =>
      share > 0 ? (share * sums.value[group]!) / sums.count[group]! : 0,
    );
    return means ? [means.reduce((sum, one) => sum + one, 0)] : null;
  });
}

/** Different values, ascending, and [n] which of them each row has; -1 where none is known. */
function ranksOf(values: Float64Array): { distinct: number[]; rankOf: Int32Array } {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const distinct = [...new Set(sorted)];
  const ranks = new Map(distinct.map((value, rank) => [value, rank]));
  return { distinct, rankOf: Int32Array.from(values, (value) => ranks.get(value) ?? -1) };
}

interface Moves {
  from: Int32Array;
  to: Int32Array;
  /** How many of the sample are there once both are. */
  since: Int32Array;
}

/** Ranks of recruiters and their recruits, both known. */
function movesOf({ recruiters, order }: Sample, rankOf: Int32Array): Moves {
  const place = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) place[order[at]!] = at;
  const rows = Int32Array.from(recruiters.keys()).filter(
    (row) => recruiters[row]! >= 0 && rankOf[row]! >= 0 && rankOf[recruiters[row]!]! >= 0,
  );
  return {
    from: rows.map((row) => rankOf[recruiters[row]!]!),
    to: rows.map((row) => rankOf[row]!),
    since: rows.map((row) => Math.max(place[row]!, place[recruiters[row]!]!) + 1),
  };
}

/** [ranks] the group of each, as in `groupsOf`: one ends with the first value that holds its part of the known answers. */
function grouped(count: Float64Array, known: number): Uint8Array {
  const groupOf = new Uint8Array(count.length);
  let [seen, group, ends] = [0, 0, 0];
  const met = count.reduce((sum, one) => sum + (one > 0 ? 1 : 0), 0);
  for (let rank = 0; rank < count.length; rank++) {
    if (count[rank] === 0) continue;
    // Several may end with the same value.
    const ended = ends;
    while (ends < GROUPS - 1 && seen >= Math.ceil((known * (ends + 1)) / GROUPS)) ends++;
    if (met <= GROUPS ? seen > 0 : ends > ended) group++;
    groupOf[rank] = group;
    seen += count[rank]!;
  }
  return groupOf;
}

/** [GROUPS x GROUPS] among the first so many of the sample. */
function between({ from, to, since }: Moves, groupOf: Uint8Array, end: number): Float64Array {
  const moves = new Float64Array(GROUPS * GROUPS);
  for (let k = 0; k < since.length; k++)
    if (since[k]! <= end) moves[groupOf[from[k]!]! * GROUPS + groupOf[to[k]!]!]!++;
  return moves;
}
