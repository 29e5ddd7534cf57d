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

/** A device's clock may run ahead; an interview is never held later than it arrives. */
export function timesOf(
  sent: { status: string; startedAt?: Date | undefined; completedAt?: Date | null | undefined },
  now: Date,
): Times & { heldAt: Date; isClockOdd: boolean } {
  const notAhead = (at: Date | null | undefined) => (at && at < now ? at : now);
  const times = {
    startedAt: notAhead(sent.startedAt ?? sent.completedAt),
    completedAt: sent.status === 'COMPLETED' ? notAhead(sent.completedAt) : null,
    createdAt: now,
  };
  return { ...times, heldAt: heldAtOf(times), isClockOdd: isClockOdd(times) };
}
