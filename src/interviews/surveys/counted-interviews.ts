/**
 * Which interviews count: completed, of eligible people, of a round (flag NO_ROUND), not deleted. The sample also leaves out those that a reviewer
 * rejected. Each rule is a condition for the database and, where records are loaded already, a predicate.
 */
import type { SurveyRecord } from './model.ts';

/** What the database is asked where it does not go without saying. */
export const NOT_DELETED = { deletedAt: null } as const;

export const COUNTED = {
  status: 'COMPLETED',
  takesPart: { $ne: false },
  'flags.code': { $ne: 'NO_ROUND' },
} as const;
export const IN_THE_SAMPLE = { ...COUNTED, 'review.state': { $ne: 'REJECTED' } } as const;

interface Outcome {
  status: string;
  takesPart?: boolean | undefined;
  flags?: readonly { code: string }[] | undefined;
}

export const isCounted = ({ status, takesPart, flags }: Outcome): boolean =>
  status === 'COMPLETED' && takesPart !== false && !flags?.some(({ code }) => code === 'NO_ROUND');
/** Completed by a person who declined or is not eligible. */
export const isRefusal = ({ status, takesPart }: Outcome): boolean =>
  status === 'COMPLETED' && takesPart === false;
export const isInTheSample = (survey: Outcome & { review?: { state: string } | null | undefined }): boolean =>
  isCounted(survey) && survey.review?.state !== 'REJECTED';
export const isUndeletedInSample = (
  survey: Pick<SurveyRecord, 'status' | 'takesPart' | 'flags' | 'deletedAt' | 'review'>,
): boolean => isInTheSample(survey) && !survey.deletedAt;
