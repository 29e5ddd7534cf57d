/**
 * When an interview took place, even if the device's clock was wrong. All that depends on that time (the board, incentives,
 * coupons, ages and days in answers, the current site) asks here. Browser-safe.
 */

const MAX_AGE_MS = 365 * 86_400_000;
/** A clock that is slow by less than this is left as it is. */
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

/** Whether it began by its device's clock long before it can have begun. */
export const beganTooEarly = ({ startedAt }: Pick<Times, 'startedAt'>, earliest: Date): boolean =>
  earliest.getTime() - startedAt.getTime() > TOLERANCE_MS;

/**
 * The earliest time at which an interview can have begun: after its coupon was handed out, its questionnaire version was
 * posted, and its interviewer's account and the study were created. What is dated after the arrival says nothing.
 */
export const earliestStart = (arrival: Date, events: (Date | null | undefined)[]): Date =>
  new Date(Math.max(0, ...events.flatMap((at) => (at && at <= arrival ? [at.getTime()] : []))));

/** The interview is over a year old when it arrives, began too early, or ends before it begins. */
function isOdd({ startedAt, completedAt, createdAt }: Times, earliest: Date): boolean {
  const tooOld = createdAt.getTime() - startedAt.getTime() > MAX_AGE_MS;
  const endsFirst = completedAt !== null && completedAt < startedAt;
  return tooOld || endsFirst || beganTooEarly({ startedAt }, earliest);
}

/** The time by which it is counted. Clearing the flag does not change it, because the times are still wrong. */
export const chooseHeldAt = (times: Times, earliest = new Date(0)): Date =>
  isOdd(times, earliest) ? times.createdAt : times.startedAt;

/** Whether the device's clock was found to be wrong. */
export const isClockOdd = ({ startedAt, completedAt, heldAt }: StoredTimes): boolean =>
  startedAt.getTime() !== heldAt.getTime() || (completedAt !== null && completedAt < startedAt);

/** The end of the interview, or its arrival if the device's clock was wrong. */
export const interviewEnd = (times: StoredTimes): Date =>
  times.completedAt && !isClockOdd(times) ? times.completedAt : times.heldAt;

/** Corrects a clock that runs ahead: no time is later than the arrival. */
export function interviewTimes(
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
