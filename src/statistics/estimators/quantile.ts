/** The spread of replicates. Empty input gives null, never NaN. */

/** Quantile of type 7 (Hyndman & Fan 1996), the default in R and numpy. `sorted` is ascending; `p` is in [0, 1]. */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number | null {
  if (sorted.length === 0) return null;
  const at = (sorted.length - 1) * p;
  const low = Math.floor(at);
  const [a, b] = [sorted[low]!, sorted[Math.ceil(at)]!];
  // Checks equality first, because the difference of two infinite values is NaN.
  return a === b ? a : a + (at - low) * (b - a);
}

/** Standard deviation with denominator n - 1; null for fewer than two values. */
export function standardDeviation(values: ArrayLike<number>): number | null {
  const n = values.length;
  if (n < 2) return null;
  // Relative to the first value, so that equal values have a deviation of exactly 0.
  let mean = values[0]!;
  for (let i = 0; i < n; i++) mean += (values[i]! - values[0]!) / n;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += (values[i]! - mean) ** 2;
  return Math.sqrt(squares / (n - 1));
}

/** The percentiles that enclose `confidence` of the replicates; null without replicates. */
export function percentileInterval(
  sorted: ArrayLike<number>,
  confidence: number,
): { low: number; high: number } | null {
  const tail = (1 - confidence) / 2;
  const [low, high] = [quantileOfSorted(sorted, tail), quantileOfSorted(sorted, 1 - tail)];
  return low === null || high === null ? null : { low, high };
}

/** The same; infinite bounds are null. */
export function percentileIntervalOrNull(sorted: ArrayLike<number>, confidence: number) {
  const interval = percentileInterval(sorted, confidence);
  const finite = (bound: number | undefined) =>
    bound !== undefined && Number.isFinite(bound) ? bound : null;
  return { low: finite(interval?.low), high: finite(interval?.high) };
}
