/**
 * How long the app has been out of sight, by both clocks of a phone: the one that can be set goes on while the phone
 * sleeps, and the other may stand still then. The longer time counts; a clock that was set back counts as too long.
 */
export interface ClockReading {
  wall: number;
  ticks: number;
}

const MINUTE = 60_000;
/** The network corrects a phone's clock by less. */
const MAX_CORRECTION_MS = MINUTE;

export function isOutOfSightFor(minutes: number, hidden: ClockReading, at: ClockReading): boolean {
  const wall = at.wall - hidden.wall;
  const ticks = at.ticks - hidden.ticks;
  return Math.max(wall, ticks) >= minutes * MINUTE || wall < ticks - MAX_CORRECTION_MS;
}
