/** Browser-safe. A name, not an offset: an offset knows nothing of the days when clocks change. */
export function knownZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
