/** When the retention period of each round ends. */
import type { Types } from 'mongoose';
import { addDays, dayBounds } from '../../platform/lib/day.ts';
import type { RoundRecord } from '../../study/rounds/model.ts';
import { lastDayOfRound, type RoundEnd } from '../../study/rounds/spans.ts';
import type { StudyRecord } from '../../study/settings/model.ts';

type RetentionSettings = Pick<StudyRecord, 'endsOn' | 'retentionDays'>;
type Round = Pick<RoundRecord, '_id'> & RoundEnd;

/** The first day on which a round's interviews are erased; null if never. */
export function retentionDay(round: RoundEnd, study: RetentionSettings, zone: string): string | null {
  const day = lastDayOfRound(round, study, zone);
  return day === null || study.retentionDays === null ? null : addDays(day, study.retentionDays);
}

export interface ExpiredRounds {
  rounds: Types.ObjectId[];
  /** When the last period of all rounds ended; null while any is running. */
  start: Date | null;
}

/** The rounds whose retention period is over. */
export function roundsPastRetention(
  rounds: readonly Round[],
  study: RetentionSettings,
  now: Date,
  zone: string,
): ExpiredRounds {
  const over = rounds.flatMap((round) => {
    const day = retentionDay(round, study, zone);
    const start = day && dayBounds(day, zone)?.start;
    return start && start <= now ? [{ round: round._id, start }] : [];
  });
  const last = Math.max(...over.map(({ start }) => start.getTime()));
  const isAll = over.length > 0 && over.length === rounds.length;
  return { rounds: over.map(({ round }) => round), start: isAll ? new Date(last) : null };
}
