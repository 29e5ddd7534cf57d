/** The fields of an interview that the table reads. */
import type { SurveyRecord } from '../../interviews/surveys/model.ts';
import { numbersOf } from '../../platform/lib/bson/record-fields.ts';

export const FIELDS = [
  '_id',
  'recruiter',
  'seed',
  'wave',
  'location',
  'round',
  'createdBy',
  'questionnaire',
  'heldAt',
  'startedAt',
  'completedAt',
  'createdAt',
  'status',
  'takesPart',
  'deletedAt',
  'erasedAt',
  'networkSize',
  'issuedCodes',
  'coordinates',
  'responses',
  'flags',
  'review',
  'repeat',
] as const satisfies (keyof SurveyRecord)[];
/** The field's number for RecordFields. */
export const FIELD = numbersOf(FIELDS);
export const POINT_FIELDS = ['latitude', 'longitude', 'accuracy'] as const;
export const POINT = numbersOf(POINT_FIELDS);

/** What is read of them. Flags, reviews and repeats have other fields that the table doesn't need. */
export const INTERVIEW_FIELDS: readonly string[] = FIELDS.flatMap((field) => {
  if (field === 'flags') return ['flags.code', 'flags.referralCode', 'flags.at'];
  if (field === 'review') return ['review.state'];
  return field === 'repeat' ? ['repeat.strength', 'repeat.at'] : [field];
});
