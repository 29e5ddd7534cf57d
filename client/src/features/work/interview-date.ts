/** When an interview took place and when it was received, both shown if the days differ. */
import { chooseHeldAt, isClockOdd } from '../../../../src/surveys/interview-times.ts';
import { datesAs } from '../../i18n.ts';
import type { Survey } from '../../wire.ts';

type Times = Pick<Survey, 'startedAt' | 'completedAt' | 'createdAt'>;

const HOUR = 3_600_000;

/** More than an hour after it ended, which no line takes that works. */
export const arrivedLate = ({ startedAt, completedAt, createdAt }: Times): boolean =>
  Date.parse(createdAt) - Date.parse(completedAt ?? startedAt) > HOUR;

const asDates = ({ startedAt, completedAt, createdAt }: Times) => ({
  startedAt: new Date(startedAt),
  completedAt: completedAt === null ? null : new Date(completedAt),
  createdAt: new Date(createdAt),
});

/** By which time the service counts it. */
export const heldAt = (survey: Times): string => chooseHeldAt(asDates(survey)).toISOString();

/** Its times can not be right, so that it is counted by its arrival. */
export const hasOddClock = (survey: Times): boolean => isClockOdd(asDates(survey));

const dayOf = datesAs({ dateStyle: 'short' });

/** Not on the day on which it was held, as both are shown here. */
export const arrivedOtherDay = (held: string, arrived: string): boolean =>
  dayOf(held, 'en') !== dayOf(arrived, 'en');
