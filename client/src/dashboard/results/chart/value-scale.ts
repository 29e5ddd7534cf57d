/** The range of an axis for comparing figures: shares start at 0, other numbers around their values. */

/** Margin on each side, as a share of the values' range. */
const MARGIN_SHARE = 0.12;
/** Differences of larger numbers would overflow to infinity. */
const MAX_VALUE = Number.MAX_VALUE / 8;

export function axisRangeOf(
  values: readonly (number | null | undefined)[],
  fromZero: boolean,
): [from: number, to: number] {
  const all = values.filter((one) => typeof one === 'number').filter(Number.isFinite);
  if (all.length === 0) return [0, 1];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (fromZero) return [0, Math.min(most || 1, MAX_VALUE)];
  const room = (most - least) * MARGIN_SHARE || Math.abs(most) * MARGIN_SHARE || 1;
  return [Math.max(least - room, -MAX_VALUE), Math.min(most + room, MAX_VALUE)];
}
