/** The direction of a change that the interval of the difference supports; null without an interval. */
export function changeDirectionOf(
  low: number | null,
  high: number | null,
): 'isOpen' | 'isRise' | 'isFall' | null {
  if (low === null || high === null) return null;
  if (low <= 0 && high >= 0) return 'isOpen';
  return low > 0 ? 'isRise' : 'isFall';
}
