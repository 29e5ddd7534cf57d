/** When an interview took place, even if the device's clock was wrong. Browser-safe. */

const MAX_AGE_MS = 365 * 86_400_000;

interface Times {
  startedAt: Date;
  completedAt: Date | null;
  createdAt: Date;
}

/** Whether the clock must be wrong: the interview is over a year old when it arrives, or ends before it begins. */
export function isClockOdd({ startedAt, completedAt, createdAt }: Times): boolean {
  const tooOld = createdAt.getTime() - startedAt.getTime() > MAX_AGE_MS;
  return tooOld || (completedAt !== null && completedAt < startedAt);
}

/** The time by which it is counted. Clearing the flag does not change it, because the times are still wrong. */
export const chooseHeldAt = (times: Times): Date => (isClockOdd(times) ? times.createdAt : times.startedAt);

/** Corrects a clock that runs ahead: no time is later than the arrival. */
export function interviewTimes(
  sent: { status: string; startedAt?: Date | undefined; completedAt?: Date | null | undefined },
  now: Date,
): Times & { heldAt: Date; isClockOdd: boolean } {
  const notAhead = (at: Date | null | undefined) => (at && at < now ? at : now);
  const times = {
    startedAt: notAhead(sent.startedAt ?? sent.completedAt),
    completedAt: sent.status === 'COMPLETED' ? notAhead(sent.completedAt) : null,
    createdAt: now,
  };
  return { ...times, heldAt: chooseHeldAt(times), isClockOdd: isClockOdd(times) };
}
