/** Estimates standardised to sites of known sizes: each site counts by how many people belong to it. */
import { randomStream } from './draws/random.ts';
import type { Variable } from './outcome.ts';

export interface SitesWithPeople {
  /** [n] where each respondent lives or slept, else was interviewed; -1 where unknown. */
  codes: Int32Array;
  /** [sites] null where nobody knows how many people belong to the sites; of one site alone, it is left out. */
  people: (SitePeople | null)[] | null;
}

/** Between `low` and `high` any number is as likely. */
export interface SitePeople {
  size: number;
  low: number;
  high: number;
}

/**
 * The mean of the sites' means, each site counting by its `people` [sites]; NaN where there are none. `bySite` [sites][2]: the
 * weight, and the weighted values, of those who answered.
 */
export function standardisedMean(bySite: Float64Array, people: readonly number[]): number {
  let sum = 0;
  let total = 0;
  for (const [site, count] of people.entries()) {
    const weight = bySite[2 * site];
    if (!weight) continue;
    // The mean first: a share of 1 at each site is then exactly 1 of the whole.
    sum += count * (bySite[2 * site + 1]! / weight);
    total += count;
  }
  return sum / total;
}

/** Over the rows with a known value. A site where nobody answered, or of unknown size, is left out. */
export function standardisedEstimate(
  { values }: Variable,
  weights: Float64Array,
  { codes, people }: SitesWithPeople,
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
  const mean = standardisedMean(
    bySite,
    people.map((one) => one?.size ?? 0),
  );
  return Number.isNaN(mean) ? null : mean;
}

/** [sites] how many people belong to each in replicate `index`; 0 where nobody knows. */
export function drawnSiteSizes(
  people: readonly (SitePeople | null)[],
  seed: number,
  index: number,
): number[] {
  const random = randomStream(seed, 'sites', index);
  return people.map((one) => (one === null ? 0 : one.low + random.uniform() * (one.high - one.low)));
}
