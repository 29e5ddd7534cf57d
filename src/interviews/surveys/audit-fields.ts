import type { SurveyRecord } from './model.ts';
import { repeatForAudit } from './repeats/repeat-detection.ts';

/**
 * Without the note, the hash of the person's secret, and the reference of what was handed over, which may be a gift
 * card's number.
 */
export const toAuditFields = ({
  repeat,
  flags,
  review,
  note: _,
  sentFrom: __,
  statusHash: ___,
  ...survey
}: SurveyRecord) => ({
  ...survey,
  flags: flags.map(({ reference: _, ...one }) => one),
  review: review?.state ?? 'RECEIVED',
  repeat: repeatForAudit(repeat),
});
