/** A histogram of a numeric answer. */
import type { z } from 'zod';
import { quantileOfSorted } from '../estimators/quantile.ts';
import type { NetworkSizeDistribution } from './schema.ts';

export type Histogram = z.infer<typeof NetworkSizeDistribution>;
type Bar = Histogram['bars'][number];

const TARGET_BARS = 8;
const TAIL_SHARE = 0.05;

/**
 * Null if there are no numbers. The first and last bars are open-ended, so that the minimum and maximum are not
 * revealed.
 */
export function histogramOf(values: Float64Array): Histogram | null {
  const sorted = values.filter((value) => Number.isFinite(value)).sort();
  const at = (p: number) => quantileOfSorted(sorted, p)!;
  if (sorted.length === 0) return null;
  return {
    lowerQuartile: at(0.25),
    median: at(0.5),
    upperQuartile: at(0.75),
    bars: barsOf(sorted, at(TAIL_SHARE), at(1 - TAIL_SHARE)),
  };
}

/** Merges bars until each has at least `smallest` people; null if there are too few for two bars. */
export function shownHistogram({ bars, ...quartiles }: Histogram, smallest: number): Histogram | null {
  const joined: Bar[] = [];
  for (const bar of bars) {
    const last = joined.at(-1);
    if (last && last.count < smallest)
      joined.splice(-1, 1, {
        ...bar,
        from: joined.length === 1 ? null : last.from,
        count: last.count + bar.count,
      });
    else joined.push(bar);
  }
  const [before, last] = joined.slice(-2);
  if (before && last && last.count < smallest) {
    joined.splice(-2, 2, { from: before.from, to: last.to, count: before.count + last.count });
  }
  return joined.length < 2 && smallest > 0 ? null : { ...quartiles, bars: joined };
}

function barsOf(sorted: Float64Array, low: number, high: number): Bar[] {
  if (!Number.isFinite(high - low)) return [{ from: null, to: null, count: sorted.length }];
  const whole = sorted.every(Number.isInteger);
  const step = stepFor((high - low) / TARGET_BARS, whole ? 1 : 0);
  const first = Math.floor(low / step);
  const ends = Array.from({ length: Math.floor(high / step) - first }, (_, at) => (first + at + 1) * step);
  let begin = 0;
  const upTo = (end: number | undefined) => {
    let at = begin;
    while (at < sorted.length && (end === undefined || sorted[at]! < end)) at++;
    const count = at - begin;
    begin = at;
    return count;
  };
  return [...ends, undefined].map((end, at) => ({
    // For counts, below 1 means 0, so a lower bound of 0 reveals nothing.
    from: at === 0 ? (whole && end === 1 && sorted[0] === 0 ? 0 : null) : ends[at - 1]!,
    to: end ?? null,
    count: upTo(end),
  }));
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function stepFor(wished: number, min: number): number {
  const size = Math.max(wished, min, Number.MIN_VALUE * 1e16);
  const power = 10 ** Math.floor(Math.log10(size));
  return power * ([1, 2, 5].find((times) => times * power >= size * 0.999) ?? 10);
}
