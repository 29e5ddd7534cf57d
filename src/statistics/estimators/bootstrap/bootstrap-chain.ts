/**
 * CHAIN: a variant of Salganik's bootstrap (2006), and not a published method. Whom a person recruits is drawn from those
 * recruited by people of the same class, but along the chains as they grew instead of along one long chain. A class is an
 * answer and, where there are sites, the site. It assumes that recruitment depends on the recruiter's class alone.
 */
import { randomStream } from '../draws/random.ts';
import { type Outcome, rowsWithValue, type Variable, variablesOf } from '../outcome.ts';
import type { Tree } from '../sample/sample.ts';
import { type SitesWithPeople, standardisedOfDrawn } from '../standardised.ts';
import type { ReplicateRun, Replicates } from './replicates.ts';

/** Who can stand at which place of the chains. */
export interface ChainPools {
  /** Rows, recruiters before those whom they recruited. */
  order: Int32Array;
  /** [n] */
  recruiters: Int32Array;
  classes: Int32Array;
  /** Rows, pool after pool: one for each class, and the last one for seeds. */
  rows: Int32Array;
  /** [classes + 1] where each begins in `rows`, and how many there are. */
  first: Int32Array;
  sizes: Int32Array;
}

/** `classes` [n] -1 where the answer is missing; null where nobody answered. */
export function chainPools(recruiters: Int32Array, { waves }: Tree, classes: Int32Array): ChainPools | null {
  const all = Array.from(classes.keys());
  const answeredRows = all.filter((i) => classes[i]! >= 0);
  if (answeredRows.length === 0) return null;
  const recruits = answeredRows.filter((i) => recruiters[i]! >= 0);
  const width = classes.reduce((most, one) => Math.max(most, one), 0) + 1;
  const pools: number[][] = Array.from({ length: width }, () => []);
  for (const i of recruits) pools[classes[recruiters[i]!]!]?.push(i);
  // A class that recruited nobody hands on to anyone who was recruited; in a sample of seeds there is nobody else.
  const anyone = recruits.length > 0 ? recruits : answeredRows;
  const filled = [...pools.map((pool) => (pool.length > 0 ? pool : anyone)), answeredRows];
  const sizes = Int32Array.from(filled, (pool) => pool.length);
  const first = new Int32Array(filled.length);
  for (let k = 1; k < first.length; k++) first[k] = first[k - 1]! + sizes[k - 1]!;
  const rows = new Int32Array(first.at(-1)! + sizes.at(-1)!);
  for (const [k, pool] of filled.entries()) rows.set(pool, first[k]!);
  const order = Int32Array.from(all).sort((a, b) => waves[a]! - waves[b]!);
  return { order, recruiters, classes, rows, first, sizes };
}

/** [n] into `drawn`: who stands at each respondent's place in replicate `index`. */
export function chainReplicate(pools: ChainPools, seed: number, index: number, drawn: Int32Array): void {
  const random = randomStream(seed, 'chain', index);
  const { order, recruiters, classes, rows, first, sizes } = pools;
  const forSeeds = sizes.length - 1;
  for (let at = 0; at < order.length; at++) {
    const place = order[at]!;
    const recruiter = recruiters[place]!;
    const pool = recruiter < 0 ? forSeeds : classes[drawn[recruiter]!]!;
    drawn[place] = rows[first[pool]! + random.below(sizes[pool]!)]!;
  }
}

/** [n] an answer's class at each site; -1 where the answer is missing. `sites` [n] -1 where the site is unknown. */
export function classesBySite(classes: Int32Array, sites: Int32Array | null): Int32Array {
  if (!sites) return classes;
  const width = sites.reduce((most, one) => Math.max(most, one), -1) + 2;
  return classes.map((one, i) => (one < 0 ? -1 : one * width + sites[i]! + 1));
}

export interface ChainOf {
  recruiters: Int32Array;
  tree: Tree;
  /** [n] of RDS-II or SS. */
  weights: Float64Array;
  /** Null without sites. */
  sites: SitesWithPeople | null;
}

/**
 * What the figures of an outcome's replicates are, each for all its levels: with classes by answer and site, by answer
 * alone, and the first standardised to the sites.
 */
export type ChainPart = 'WHOLE' | 'PLAIN' | 'STANDARDISED';

export const chainParts = (sites: SitesWithPeople | null): ChainPart[] => [
  'WHOLE',
  // Without sites the two are the same.
  ...(sites ? (['PLAIN'] as const) : []),
  ...(sites?.people ? (['STANDARDISED'] as const) : []),
];

/**
 * The weighted mean of each outcome in each replicate. A category is calculated level by level against all others, so that
 * classes never get thin.
 */
export function chainBootstrap(of: ChainOf, outcomes: readonly Outcome[], run: ReplicateRun): Replicates[] {
  return outcomes.map((outcome) => {
    const variables = variablesOf(outcome);
    if (variables.length !== 2) {
      const byLevel = variables.map((variable) => replicatesOf(of, variable, run));
      return joined(
        chainParts(of.sites).map((_, part) => byLevel.map((parts) => parts[part]!)),
        run.samples,
      );
    }
    // The second of two levels is what the first one leaves.
    const parts = replicatesOf(of, variables[0]!, run, 2);
    return joined(
      parts.map((values) => [values, values.map((value) => 1 - value)]),
      run.samples,
    );
  });
}

/** [parts][samples]; NaN without an estimate. */
function replicatesOf(
  { recruiters, tree, weights, sites }: ChainOf,
  variable: Variable,
  { samples, seed, first = 0, onReplicate }: ReplicateRun,
  figures = 1,
): Float64Array[] {
  const replicates = chainParts(sites).map(() => new Float64Array(samples).fill(Number.NaN));
  const whole = chainPools(recruiters, tree, classesBySite(variable.classes, sites?.codes ?? null));
  const plain = sites && chainPools(recruiters, tree, variable.classes);
  const places = rowsWithValue(variable);
  const drawn = new Int32Array(recruiters.length);
  for (let at = 0; whole && at < samples; at++) {
    const index = first + at;
    chainReplicate(whole, seed, index, drawn);
    const estimates = [meanOfDrawn(variable, weights, places, drawn)];
    const standard =
      sites?.people && standardisedOfDrawn(variable, weights, sites, { seed, index, places, drawn });
    if (plain) {
      chainReplicate(plain, seed, index, drawn);
      estimates.push(meanOfDrawn(variable, weights, places, drawn));
    }
    if (standard != null) estimates.push(standard);
    for (const [part, value] of estimates.entries()) replicates[part]![at] = value;
    onReplicate?.(figures * replicates.length);
  }
  return replicates;
}

function meanOfDrawn(
  { values }: Variable,
  weights: Float64Array,
  places: Int32Array,
  drawn: Int32Array,
): number {
  let sum = 0;
  let total = 0;
  for (let at = 0; at < places.length; at++) {
    const row = drawn[places[at]!]!;
    sum += weights[row]! * values[row]!;
    total += weights[row]!;
  }
  return sum / total;
}

/** [parts][levels][samples] as one; replicates without an estimate are left out. */
function joined(parts: Float64Array[][], samples: number): Replicates {
  const figures = parts.flat().map((values) => values.filter((value) => !Number.isNaN(value)));
  return { figures, dropped: samples - (figures[0]?.length ?? 0) };
}
