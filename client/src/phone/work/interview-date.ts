/** When an interview took place and when it was received, both shown if the days differ. */
import {
  chooseHeldAt,
  interviewEnd,
  isClockOdd,
} from '../../../../src/interviews/surveys/interview-times.ts';
import { dateFormatter } from '../../texts/i18n.ts';
import type { Survey } from '../../wire.ts';

type Times = Pick<Survey, 'startedAt' | 'completedAt' | 'createdAt' | 'heldAt'>;

const HOUR = 3_600_000;

/** More than an hour after it ended, which no line takes that works. */
export const arrivedLate = ({ startedAt, completedAt, createdAt }: Omit<Times, 'heldAt'>): boolean =>
  Date.parse(createdAt) - Date.parse(completedAt ?? startedAt) > HOUR;

function asDates({ startedAt, completedAt, createdAt, heldAt }: Times) {
  const times = {
    startedAt: new Date(startedAt),
    completedAt: completedAt === null ? null : new Date(completedAt),
    createdAt: new Date(createdAt),
  };
  // A copy that the phone stored earlier lacks it.
  return { ...times, heldAt: heldAt ? new Date(heldAt) : chooseHeldAt(times) };
}

/** By which time the service counts it. */
export const interviewDateOf = (survey: Times): string => asDates(survey).heldAt.toISOString();

/** Its times can not be right, so that it is counted by its arrival. */
export const hasOddClock = (survey: Times): boolean => isClockOdd(asDates(survey));

/** Its end, or its arrival if the device's clock was wrong. */
export const interviewEndOf = (survey: Times): string => interviewEnd(asDates(survey)).toISOString();

const dayOf = dateFormatter({ dateStyle: 'short' });

/** Not on the day on which it was held, as both are shown here. */
export const arrivedOtherDay = (interviewAt: string, arrived: string): boolean =>
  dayOf(interviewAt, 'en') !== dayOf(arrived, 'en');
