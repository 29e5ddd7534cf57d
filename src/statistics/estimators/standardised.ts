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

/** The weighted mean of the sites' weighted means over `rows`; NaN where there are none. */
function standardisedMean(
  { values }: Variable,
  weights: Float64Array,
  codes: Int32Array,
  people: readonly number[],
  rows: Int32Array,
): number {
  const sums = new Float64Array(people.length);
  const totals = new Float64Array(people.length);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const site = codes[row]!;
    if (site < 0) continue;
    sums[site]! += weights[row]! * values[row]!;
    totals[site]! += weights[row]!;
  }
  let sum = 0;
  let total = 0;
  for (const [site, count] of people.entries()) {
    if (totals[site] === 0) continue;
    sum += (count * sums[site]!) / totals[site]!;
    total += count;
  }
  return sum / total;
}

/** Over the rows with a known value. A site where nobody answered, or of unknown size, is left out. */
export function standardisedEstimate(
  variable: Variable,
  weights: Float64Array,
  { codes, people }: SitesWithPeople,
  rows: Int32Array,
): number | null {
  const sizes = people?.map((one) => one?.size ?? 0);
  const mean = sizes ? standardisedMean(variable, weights, codes, sizes, rows) : Number.NaN;
  return Number.isNaN(mean) ? null : mean;
}

interface Drawn {
  seed: number;
  index: number;
  /** Rows with a known value, whose places count. */
  places: Int32Array;
  /** [n] who stands at each place: `chainReplicate`. */
  drawn: Int32Array;
}

/** The same in a replicate: a person counts at their own site, not at the site of the place where they stand. */
export function standardisedOfDrawn(
  variable: Variable,
  weights: Float64Array,
  { codes, people }: SitesWithPeople,
  { seed, index, places, drawn }: Drawn,
): number {
  const random = randomStream(seed, 'sites', index);
  const sizes = (people ?? []).map((one) =>
    one === null ? 0 : one.low + random.uniform() * (one.high - one.low),
  );
  const rows = places.map((place) => drawn[place]!);
  return standardisedMean(variable, weights, codes, sizes, rows);
}
