/** Until when the service asked to be left alone (Retry-After): in every tab, and after a reload. */
const KEY = 'send-after';
/** A service that says more than this is asked again all the same, and so it is after the clock was set back. */
const LONGEST = 15 * 60_000;

export function pausedUntil(): number {
  const until = Number(localStorage.getItem(KEY)) || 0;
  return until > Date.now() + LONGEST ? 0 : until;
}

export function pauseFor(milliseconds: number): void {
  const until = Date.now() + Math.min(milliseconds, LONGEST);
  if (until > pausedUntil()) localStorage.setItem(KEY, String(until));
}
