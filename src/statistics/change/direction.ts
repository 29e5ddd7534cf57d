/** What the interval of a difference shows, wherever it is put into words; null without an interval. */
export function directionOf(low: number | null, high: number | null): 'isOpen' | 'isRise' | 'isFall' | null {
  if (low === null || high === null) return null;
  if (low <= 0 && high >= 0) return 'isOpen';
  return low > 0 ? 'isRise' : 'isFall';
}
