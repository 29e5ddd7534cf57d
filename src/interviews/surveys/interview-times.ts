/**
 * Determines when an interview took place, even if the device's clock was wrong. Everything that depends on that time
 * (the board, incentives, coupons, ages and dates in answers, the current site) uses this. Browser-safe.
 */

const MAX_AGE_MS = 365 * 86_400_000;
/** A clock that is slow by less than this isn't corrected. */
const TOLERANCE_MS = 6 * 3_600_000;

interface Times {
  startedAt: Date;
  completedAt: Date | null;
  createdAt: Date;
}

interface StoredTimes {
  startedAt: Date;
  completedAt: Date | null;
  heldAt: Date;
}

/** Whether the device's clock shows a start long before the interview can have begun. */
export const isStartImpossible = ({ startedAt }: Pick<Times, 'startedAt'>, earliest: Date): boolean =>
  earliest.getTime() - startedAt.getTime() > TOLERANCE_MS;

/**
 * The earliest time at which an interview can have begun: after its coupon was handed out, its questionnaire version
 * was created, and its interviewer's account and the study were created. Events after the arrival are ignored.
 */
export const earliestPossibleStart = (arrival: Date, events: (Date | null | undefined)[]): Date =>
  new Date(Math.max(0, ...events.flatMap((at) => (at && at <= arrival ? [at.getTime()] : []))));

/** Whether the times are implausible: over a year before arrival, too early, or ending before the start. */
function isOdd({ startedAt, completedAt, createdAt }: Times, earliest: Date): boolean {
  const tooOld = createdAt.getTime() - startedAt.getTime() > MAX_AGE_MS;
  const endsFirst = completedAt !== null && completedAt < startedAt;
  return tooOld || endsFirst || isStartImpossible({ startedAt }, earliest);
}

/**
 * The date by which the interview is counted. Clearing the flag doesn't change it, because the times are still wrong.
 */
export const chooseHeldAt = (times: Times, earliest = new Date(0)): Date =>
  isOdd(times, earliest) ? times.createdAt : times.startedAt;

/** Whether the device's clock was found to be wrong. */
export const isClockOdd = ({ startedAt, completedAt, heldAt }: StoredTimes): boolean =>
  startedAt.getTime() !== heldAt.getTime() || (completedAt !== null && completedAt < startedAt);

/** The end of the interview, or its arrival if the device's clock was wrong. */
export const interviewEnd = (times: StoredTimes): Date =>
  times.completedAt && !isClockOdd(times) ? times.completedAt : times.heldAt;

/** Corrects a clock that runs ahead: no time is later than the arrival. */
export function correctedInterviewTimes(
  submission: { status: string; startedAt?: Date | undefined; completedAt?: Date | null | undefined },
  now: Date,
  earliest: Date,
): Times & { heldAt: Date } {
  const notAhead = (at: Date | null | undefined) => (at && at < now ? at : now);
  const times = {
    startedAt: notAhead(submission.startedAt ?? submission.completedAt),
    completedAt: submission.status === 'COMPLETED' ? notAhead(submission.completedAt) : null,
    createdAt: now,
  };
  return { ...times, heldAt: chooseHeldAt(times, earliest) };
}
