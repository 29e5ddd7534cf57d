/** When an interview was held, by the clock of a device that may be wrong. Browser-safe. */

const LONGEST = 365 * 86_400_000;

interface Times {
  startedAt: Date;
  completedAt: Date | null;
  createdAt: Date;
}

/** Nobody carries an interview about for more than a year, and none ends before it begins. */
export function isClockOdd({ startedAt, completedAt, createdAt }: Times): boolean {
  const tooOld = createdAt.getTime() - startedAt.getTime() > LONGEST;
  return tooOld || (completedAt !== null && completedAt < startedAt);
}

/** What it is counted by. It stays when the flag is cleared: the times are no better for having been looked at. */
export const heldAtOf = (times: Times): Date => (isClockOdd(times) ? times.createdAt : times.startedAt);
