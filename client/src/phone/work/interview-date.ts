/** When an interview was held and when it was received; both are shown if the days differ. */
import {
  chooseHeldAt,
  interviewEnd,
  isClockOdd,
} from '../../../../src/interviews/surveys/interview-times.ts';
import { dateFormatter } from '../../texts/i18n.ts';
import type { Survey } from '../../wire.ts';

type Times = Pick<Survey, 'startedAt' | 'completedAt' | 'createdAt' | 'heldAt'>;

const HOUR_MS = 3_600_000;

/** More than an hour after it ended, which can't be due to a slow connection. */
export const arrivedLate = ({ startedAt, completedAt, createdAt }: Omit<Times, 'heldAt'>): boolean =>
  Date.parse(createdAt) - Date.parse(completedAt ?? startedAt) > HOUR_MS;

function asDates({ startedAt, completedAt, createdAt, heldAt }: Times) {
  const times = {
    startedAt: new Date(startedAt),
    completedAt: completedAt === null ? null : new Date(completedAt),
    createdAt: new Date(createdAt),
  };
  // Older copies on the phone lack it.
  return { ...times, heldAt: heldAt ? new Date(heldAt) : chooseHeldAt(times) };
}

/** The time by which the service counts it. */
export const interviewTimeOf = (survey: Times): string => asDates(survey).heldAt.toISOString();

/** Its times can't be right, so the time of arrival counts. */
export const hasOddClock = (survey: Times): boolean => isClockOdd(asDates(survey));

/** Its end, or its arrival if the device's clock was wrong. */
export const interviewEndOf = (survey: Times): string => interviewEnd(asDates(survey)).toISOString();

const dayOf = dateFormatter({ dateStyle: 'short' });

/** Whether it arrived on a different day than it was held, by the dates shown here. */
export const arrivedOtherDay = (interviewAt: string, arrived: string): boolean =>
  dayOf(interviewAt, 'en') !== dayOf(arrived, 'en');
