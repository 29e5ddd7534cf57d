/** The spread of replicates. Empty input gives null, never NaN. */

/** The quantile of type 7 in Hyndman & Fan (1996), as R and numpy make it by default. `sorted` ascends; `p` in [0, 1]. */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number | null {
  if (sorted.length === 0) return null;
  const at = (sorted.length - 1) * p;
  const low = Math.floor(at);
  const [a, b] = [sorted[low]!, sorted[Math.ceil(at)]!];
  // Equal ends first: the difference of two infinite bounds is no number.
  return a === b ? a : a + (at - low) * (b - a);
}

/** Standard deviation with n - 1 below; null for fewer than two values. */
export function standardDeviation(values: ArrayLike<number>): number | null {
  const n = values.length;
  if (n < 2) return null;
  // From the first value on, so that values that are all alike have a deviation of exactly 0.
  let mean = values[0]!;
  for (let i = 0; i < n; i++) mean += (values[i]! - values[0]!) / n;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += (values[i]! - mean) ** 2;
  return Math.sqrt(squares / (n - 1));
}

/** The percentiles between which `confidence` of the replicates lie; null without replicates. */
export function percentileInterval(
  sorted: ArrayLike<number>,
  confidence: number,
): { low: number; high: number } | null {
  const tail = (1 - confidence) / 2;
  const [low, high] = [quantileOfSorted(sorted, tail), quantileOfSorted(sorted, 1 - tail)];
  return low === null || high === null ? null : { low, high };
}

/** The same; a bound that is infinite is null. */
export function finitePercentiles(sorted: ArrayLike<number>, confidence: number) {
  const interval = percentileInterval(sorted, confidence);
  const finite = (bound: number | undefined) =>
    bound !== undefined && Number.isFinite(bound) ? bound : null;
  return { low: finite(interval?.low), high: finite(interval?.high) };
}
