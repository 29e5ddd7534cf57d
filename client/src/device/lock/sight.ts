/**
 * How long the app was hidden, by both of the phone's clocks: the wall clock runs while the phone sleeps but can be
 * set; the monotonic clock may pause during sleep. The longer time counts, and a clock that was set back counts as
 * too long.
 */
export interface WallAndMonotonicTime {
  wall: number;
  ticks: number;
}

const MINUTE = 60_000;
/** The network corrects a phone's clock by less than this. */
const MAX_CORRECTION_MS = MINUTE;

export function isAppHiddenFor(
  minutes: number,
  hidden: WallAndMonotonicTime,
  at: WallAndMonotonicTime,
): boolean {
  const wall = at.wall - hidden.wall;
  const ticks = at.ticks - hidden.ticks;
  return Math.max(wall, ticks) >= minutes * MINUTE || wall < ticks - MAX_CORRECTION_MS;
}
