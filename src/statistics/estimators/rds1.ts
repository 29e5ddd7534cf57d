/**
 * RDS-I: shares estimated from who recruits whom (Salganik & Heckathorn 2004; for more than two levels, Heckathorn
 * 2002). It assumes that people recruit at random from those they know, and that the levels recruit each other.
 */
import type { CategoryOutcome } from './outcome.ts';

export interface Transitions {
  /** [from][to] recruits of level `to` by recruiters of level `from`, where both answers are known. */
  counts: number[][];
  /** The rows of `counts` as shares. A level that recruited nobody gets equal shares. */
  shares: number[][];
}

export function transitionsOf({ levels, codes }: CategoryOutcome, recruiters: Int32Array): Transitions {
  const counts = levels.map(() => new Array<number>(levels.length).fill(0));
  for (let i = 0; i < codes.length; i++) {
    const recruiter = recruiters[i]!;
    const [from, to] = [recruiter < 0 ? -1 : codes[recruiter]!, codes[i]!];
    if (from >= 0 && to >= 0) counts[from]![to]!++;
  }
  return { counts, shares: counts.map(rowShares) };
}

export function rowShares(row: readonly number[]): number[] {
  const sum = row.reduce((total, count) => total + count, 0);
  return row.map((count) => (sum > 0 ? count / sum : 1 / row.length));
}

/** NO_RECRUITS: no recruit has both a known answer and a recruiter with a known answer. */
export type NoEquilibriumReason = 'NOT_CONNECTED' | 'PERIODIC' | 'NO_RECRUITS';

/**
 * The stationary distribution q = qP, or why there is none: NOT_CONNECTED if there are two or more closed classes of
 * levels (the eigenvalue 1 is not simple), PERIODIC if the period of the closed class is even (-1 is an eigenvalue). An
 * absorbing level takes everything. Uses the elimination of Grassmann, Taksar & Heyman (1985), which needs no
 * subtraction.
 */
export function stationaryOf(shares: number[][]): number[] | Exclude<NoEquilibriumReason, 'NO_RECRUITS'> {
  const all = [...shares.keys()];
  const reaches = closureOf(shares);
  const isFinal = (a: number) => all.every((b) => !reaches[a]![b] || reaches[b]![a]);
  const closed = all.filter(isFinal);
  const first = closed[0];
  if (first === undefined || closed.some((b) => !reaches[first]![b])) return 'NOT_CONNECTED';
  if (periodOf(shares, closed) % 2 === 0) return 'PERIODIC';
  const inner = eliminate(closed.map((a) => closed.map((b) => shares[a]![b]!)));
  const q = new Array<number>(shares.length).fill(0);
  closed.forEach((level, at) => {
    q[level] = inner[at]!;
  });
  return q;
}

/** [a][b] whether b can be reached from a in any number of steps, including zero. */
function closureOf(shares: number[][]): boolean[][] {
  const reaches = shares.map((row, a) => row.map((share, b) => a === b || share > 0));
  for (let via = 0; via < shares.length; via++)
    for (const row of reaches)
      if (row[via]) for (let to = 0; to < row.length; to++) row[to] ||= reaches[via]![to]!;
  return reaches;
}

/**
 * The greatest common divisor of the lengths of all paths from a level back to itself, for levels that all reach each
 * other.
 */
function periodOf(shares: number[][], closed: number[]): number {
  const start = closed[0]!;
  const distance = new Map([[start, 0]]);
  const queue = [start];
  let period = 0;
  for (const a of queue) {
    for (const b of closed) {
      if (shares[a]![b] === 0) continue;
      const knownDistance = distance.get(b);
      if (knownDistance === undefined) {
        distance.set(b, distance.get(a)! + 1);
        queue.push(b);
      } else period = gcd(period, Math.abs(distance.get(a)! + 1 - knownDistance));
    }
  }
  return period;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

function eliminate(chain: number[][]): number[] {
  const n = chain.length;
  for (let k = n - 1; k > 0; k--) {
    let leaving = 0;
    for (let j = 0; j < k; j++) leaving += chain[k]![j]!;
    for (let i = 0; i < k; i++) {
      chain[i]![k]! /= leaving;
      for (let j = 0; j < k; j++) chain[i]![j]! += chain[i]![k]! * chain[k]![j]!;
    }
  }
  const q = [1];
  for (let k = 1; k < n; k++) {
    let sum = 0;
    for (let i = 0; i < k; i++) sum += q[i]! * chain[i]![k]!;
    q.push(sum);
  }
  const total = q.reduce((sum, one) => sum + one, 0);
  return q.map((one) => one / total);
}

/**
 * [levels] harmonic mean of the network sizes of all respondents at each level, seeds included; NaN for a level without
 * respondents.
 */
export function harmonicMeanSizes({ levels, codes }: CategoryOutcome, sizes: Float64Array): number[] {
  const count = new Array<number>(levels.length).fill(0);
  const inverse = new Array<number>(levels.length).fill(0);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code < 0) continue;
    count[code]!++;
    inverse[code]! += 1 / sizes[i]!;
  }
  return count.map((n, level) => n / inverse[level]!);
}

/** [levels] p_a = (q_a / D_a) / sum. A single level has share 1. */
export function rds1Shares(stationary: number[], harmonicSizes: number[]): number[] {
  const raw = stationary.map((q, level) => (q === 0 ? 0 : q / harmonicSizes[level]!));
  const sum = raw.reduce((total, one) => total + one, 0);
  return raw.map((one) => one / sum);
}

/**
 * [levels] RDS-I from sums over a subset of respondents: the number of respondents per level, the sum of 1 / size per
 * level, and [levels x levels] how many moves there were from each level to each other one. Only levels that occurred
 * are used; the others have share 0. Null if there is no estimate.
 */
export function rds1SharesFromSums(
  counts: Float64Array,
  inverse: Float64Array,
  moves: Float64Array,
): number[] | null {
  if (!moves.some((count) => count > 0)) return null;
  const k = counts.length;
  const met = [...counts.keys()].filter((level) => counts[level]! > 0);
  const stationary = stationaryOf(met.map((from) => rowShares(met.map((to) => moves[from * k + to]!))));
  if (typeof stationary === 'string') return null;
  const harmonic = met.map((level) => counts[level]! / inverse[level]!);
  const all = new Array<number>(k).fill(0);
  rds1Shares(stationary, harmonic).forEach((share, at) => {
    all[met[at]!] = share;
  });
  return all;
}

export interface Rds1 {
  transitions: Transitions;
  /** [levels] */
  harmonicSizes: number[];
  /** [levels]; null if there is no estimate. */
  stationary: number[] | null;
  shares: number[] | null;
  /** Why there is no estimate; also null if no answer is known. */
  reason: NoEquilibriumReason | null;
}

/** RDS-I of a category, with its intermediate results. `recruiters` [n]; `sizes` [n], all above 0. */
export function rds1Of(category: CategoryOutcome, recruiters: Int32Array, sizes: Float64Array): Rds1 {
  const transitions = transitionsOf(category, recruiters);
  const harmonicSizes = harmonicMeanSizes(category, sizes);
  const none = { transitions, harmonicSizes, stationary: null, shares: null, reason: null };
  if (category.levels.length === 0) return none;
  if (!transitions.counts.flat().some((count) => count > 0)) return { ...none, reason: 'NO_RECRUITS' };
  const stationary = stationaryOf(transitions.shares);
  if (typeof stationary === 'string') return { ...none, reason: stationary };
  return { ...none, stationary, shares: rds1Shares(stationary, harmonicSizes) };
}

/** [n] each level's share, spread evenly over its respondents; 0 if the answer is missing. */
export function rds1Weights({ levels, codes }: CategoryOutcome, shares: number[]): Float64Array {
  const counts = new Float64Array(levels.length);
  for (const code of codes) if (code >= 0) counts[code]!++;
  return Float64Array.from(codes, (code) => (code < 0 ? 0 : shares[code]! / counts[code]!));
}
