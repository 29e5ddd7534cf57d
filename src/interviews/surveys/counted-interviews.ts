/**
 * Which interviews count: completed, eligible, in a round (no flag NO_ROUND), and not deleted. The sample also excludes
 * those that a reviewer rejected. Each rule exists as a database filter and, for loaded records, as a predicate.
 */
import type { SurveyRecord } from './model.ts';

/** For queries that don't filter deleted records already. */
export const NOT_DELETED = { deletedAt: null } as const;

export const COUNTED_FILTER = {
  status: 'COMPLETED',
  takesPart: { $ne: false },
  'flags.code': { $ne: 'NO_ROUND' },
} as const;
export const IN_THE_SAMPLE = { ...COUNTED_FILTER, 'review.state': { $ne: 'REJECTED' } } as const;

interface Outcome {
  status: string;
  takesPart?: boolean | undefined;
  flags?: readonly { code: string }[] | undefined;
}

export const isCompletedParticipation = ({ status, takesPart, flags }: Outcome): boolean =>
  status === 'COMPLETED' && takesPart !== false && !flags?.some(({ code }) => code === 'NO_ROUND');
/** Completed, but the person declined or isn't eligible. */
export const isRefusalOrIneligible = ({ status, takesPart }: Outcome): boolean =>
  status === 'COMPLETED' && takesPart === false;
export const isSurveyInSample = (
  survey: Outcome & { review?: { state: string } | null | undefined },
): boolean => isCompletedParticipation(survey) && survey.review?.state !== 'REJECTED';
export const isUndeletedInSample = (
  survey: Pick<SurveyRecord, 'status' | 'takesPart' | 'flags' | 'deletedAt' | 'review'>,
): boolean => isSurveyInSample(survey) && !survey.deletedAt;
