/** When the study's retention period is over. */
import { addDays, dateAt } from '../lib/day.ts';
import type { StudyRecord } from '../study/model.ts';

type Settings = Pick<StudyRecord, 'endsOn' | 'retentionDays'>;

/** The first day on which it erases; null if it never does. */
export const retentionDay = ({ endsOn, retentionDays }: Settings): string | null =>
  endsOn === null || retentionDays === null ? null : addDays(endsOn, retentionDays);

export function isRetentionDue(study: Settings, now: Date, zone: string): boolean {
  const day = retentionDay(study);
  return day !== null && day <= dateAt(now, zone);
}
