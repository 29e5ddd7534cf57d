/** Estimates standardized by sites of known size: each site is weighted by how many people belong to it. */
import { randomStream } from './draws/random.ts';
import type { OutcomeVariable } from './outcome.ts';

export interface SitePopulations {
  /** [n] the site where each respondent lives or slept, or otherwise was interviewed; -1 if unknown. */
  codes: Int32Array;
  /** [sites] null if no site sizes are known. If only one site's size is unknown, that site is left out. */
  people: (SitePopulationSize | null)[] | null;
}

/** Any number between `low` and `high` is equally likely. */
export interface SitePopulationSize {
  size: number;
  low: number;
  high: number;
}

/**
 * The mean of the sites' means, weighted by `people` [sites]; NaN if there are none. `bySite` [sites][2]: the total
 * weight and the weighted sum of the known answers.
 */
export function standardizedMean(bySite: Float64Array, people: readonly number[]): number {
  let sum = 0;
  let total = 0;
  for (const [site, count] of people.entries()) {
    const weight = bySite[2 * site];
    if (!weight) continue;
    // Divide first: a share of 1 at every site then gives exactly 1.
    sum += count * (bySite[2 * site + 1]! / weight);
    total += count;
  }
  return sum / total;
}

/** Uses only rows with a known value. Leaves out sites without answers or with unknown size. */
export function standardizedEstimate(
  { values }: OutcomeVariable,
  weights: Float64Array,
  { codes, people }: SitePopulations,
  rows: Int32Array,
): number | null {
  if (!people) return null;
  const bySite = new Float64Array(2 * people.length);
  for (const row of rows) {
    const site = codes[row]!;
    if (site < 0) continue;
    bySite[2 * site]! += weights[row]!;
    bySite[2 * site + 1]! += weights[row]! * values[row]!;
  }
  const mean = standardizedMean(
    bySite,
    people.map((one) => one?.size ?? 0),
  );
  return Number.isNaN(mean) ? null : mean;
}

/** [sites] how many people belong to each site in replicate `index`; 0 if unknown. */
export function drawnSiteSizes(
  people: readonly (SitePopulationSize | null)[],
  seed: number,
  index: number,
): number[] {
  const random = randomStream(seed, 'sites', index);
  return people.map((one) => (one === null ? 0 : one.low + random.uniform() * (one.high - one.low)));
}
