/** The fields of an interview that the table reads. */
import type { SurveyRecord } from '../../interviews/surveys/model.ts';
import { positionsByName } from '../../platform/lib/bson/record-fields.ts';

export const INTERVIEW_FIELD_NAMES = [
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
/** The field's number for RecordFieldReader. */
export const FIELD_NUMBERS = positionsByName(INTERVIEW_FIELD_NAMES);
export const POINT_FIELDS = ['latitude', 'longitude', 'accuracy'] as const;
export const GPS_FIELD_NUMBERS = positionsByName(POINT_FIELDS);

/** What is read of them. Flags, reviews and repeats have other fields that the table doesn't need. */
export const INTERVIEW_FIELD_PATHS: readonly string[] = INTERVIEW_FIELD_NAMES.flatMap((field) => {
  if (field === 'flags') return ['flags.code', 'flags.referralCode', 'flags.at'];
  if (field === 'review') return ['review.state'];
  return field === 'repeat' ? ['repeat.strength', 'repeat.at'] : [field];
});
