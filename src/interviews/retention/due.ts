/** When the study's retention period is over. */
import { addDays, dayBounds } from '../../platform/lib/day.ts';
import type { StudyRecord } from '../../study/settings/model.ts';

type Settings = Pick<StudyRecord, 'endsOn' | 'retentionDays'>;

/** The first day on which it erases; null if it never does. */
export const retentionDay = ({ endsOn, retentionDays }: Settings): string | null =>
  endsOn === null || retentionDays === null ? null : addDays(endsOn, retentionDays);

/** When that day began; null as long as it hasn't. */
export function retentionStart(study: Settings, now: Date, zone: string): Date | null {
  const day = retentionDay(study);
  const start = day && dayBounds(day, zone)?.start;
  return start && start <= now ? start : null;
}
