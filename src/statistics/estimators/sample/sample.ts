/**
 * The sample of a respondent-driven study: who recruited whom, and everyone's network size. Rows are numbered 0 ... n -
 * 1; everything else refers to these numbers.
 */

export interface Sample {
  /** [n] unique ids as strings. */
  ids: readonly string[];
  /** [n] row of the recruiter, -1 for a seed. Contains no cycles. */
  recruiters: Int32Array;
  /** [n] as reported; NaN if missing. Never negative. */
  reportedSizes: Float64Array;
  /** [n] rows sorted by time, ties in row order. */
  order: Int32Array;
}

export interface SampleTree {
  /** [n] 0 for a seed, otherwise the recruiter's wave + 1. */
  waves: Int32Array;
  /** [n] rows sorted by wave, then by row, so that recruiters precede their recruits. Rows in a cycle are left out. */
  byWave: Int32Array;
  /** [n] row of the seed that started the chain. */
  seedOf: Int32Array;
  /** Rows of the seeds, ascending. */
  seeds: Int32Array;
  /** Recruits of row i: `recruits[firstRecruit[i]] ... recruits[firstRecruit[i + 1] - 1]`, ascending. */
  firstRecruit: Int32Array;
  recruits: Int32Array;
}

/** For rows in a cycle, the wave stays -1: see `cyclesIn`. */
export function recruitmentTree(recruiters: Int32Array): SampleTree {
  const n = recruiters.length;
  const firstRecruit = new Int32Array(n + 1);
  for (const recruiter of recruiters) if (recruiter >= 0) firstRecruit[recruiter + 1]!++;
  for (let i = 0; i < n; i++) firstRecruit[i + 1]! += firstRecruit[i]!;
  const recruits = new Int32Array(firstRecruit[n]!);
  const next = firstRecruit.slice();
  const seeds: number[] = [];
  for (let i = 0; i < n; i++) {
    const recruiter = recruiters[i]!;
    if (recruiter < 0) seeds.push(i);
    else recruits[next[recruiter]!++] = i;
  }
  const waves = new Int32Array(n).fill(-1);
  const seedOf = new Int32Array(n).fill(-1);
  const queue = new Int32Array(n);
  let end = 0;
  for (const seed of seeds) {
    waves[seed] = 0;
    seedOf[seed] = seed;
    queue[end++] = seed;
  }
  for (let at = 0; at < end; at++) {
    const i = queue[at]!;
    for (let r = firstRecruit[i]!; r < firstRecruit[i + 1]!; r++) {
      const recruit = recruits[r]!;
      waves[recruit] = waves[i]! + 1;
      seedOf[recruit] = seedOf[i]!;
      queue[end++] = recruit;
    }
  }
  const inCircles = n - end;
  const byWave = Int32Array.from(waves.keys())
    .sort((a, b) => waves[a]! - waves[b]!)
    .subarray(inCircles);
  return { waves, byWave, seedOf, seeds: Int32Array.from(seeds), firstRecruit, recruits };
}

/** The rows of each cycle of recruiters; empty for a valid sample. */
export function cyclesIn(recruiters: Int32Array): number[][] {
  const state = new Uint8Array(recruiters.length); // 1 on the current walk, 2 done
  const circles: number[][] = [];
  for (let start = 0; start < recruiters.length; start++) {
    const walk: number[] = [];
    let at = start;
    while (at >= 0 && state[at] === 0) {
      state[at] = 1;
      walk.push(at);
      at = recruiters[at]!;
    }
    if (at >= 0 && state[at] === 1) circles.push(walk.slice(walk.indexOf(at)));
    for (const row of walk) state[row] = 2;
  }
  return circles;
}

/** The possible range of network sizes; outside it, sums and ratios of sizes lose their meaning. */
export const MIN_NETWORK_SIZE = 0.001;
export const MAX_NETWORK_SIZE = 1e9;

export const isUsableNetworkSize = (size: number): boolean =>
  size >= MIN_NETWORK_SIZE && size <= MAX_NETWORK_SIZE;

/**
 * Replaces missing and zero sizes with the largest one, as the reference package does. If no size is known, all are 1,
 * so that everyone has the same weight.
 */
export function imputedNetworkSizes(reported: Float64Array): Float64Array {
  const largest = reported.reduce((max, size) => (isUsableNetworkSize(size) ? Math.max(max, size) : max), 0);
  return reported.map((size) => (isUsableNetworkSize(size) ? size : largest || 1));
}
