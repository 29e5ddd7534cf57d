/** When an interview was held, and when it arrived: told apart where that is not about the same. */
import type { Survey } from '../wire.ts';

type Times = Pick<Survey, 'startedAt' | 'completedAt' | 'createdAt'>;

const HOUR = 3_600_000;

/** More than an hour after it ended, which no line takes that works. */
export const arrivedLate = ({ startedAt, completedAt, createdAt }: Times): boolean =>
  Date.parse(createdAt) - Date.parse(completedAt ?? startedAt) > HOUR;
