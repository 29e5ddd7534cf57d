/**
 * The questions of the built-in questionnaire used in a count's tables; other questionnaires can use the same names.
 */
export const COUNT_TABLE_QUESTION_NAMES = {
  /** The people who stay together. */
  household: 'household',
  /** Adults of the household who slept outside or in a shelter on the night of the count. */
  adults: 'householdAdults',
  /** Whether another adult of the household was interviewed before. */
  interviewed: 'householdInterviewed',
  children: 'childrenCount',
  childrenUnder6: 'childrenUnder6',
  age: 'ageRange',
  gender: 'genderIdentity',
  race: 'raceEthnicity',
  veteran: 'veteran',
  conditions: 'healthConditions',
  disabling: 'healthKeepsFromHousing',
  duration: 'homelessDuration',
  times: 'homelessTimes',
  months: 'homelessMonths',
} as const;

/** Choices of `household` that include other adults. */
export const OTHER_ADULTS_CHOICES = ['partner', 'family', 'friends'] as const;
export const HOUSEHOLD_WITH_CHILDREN = 'children';
/** The choice of `race` that can be combined with any other. */
export const HISPANIC = 'hispanic';
/** Choices of `conditions` that aren't disabilities. */
export const NON_DISABILITY_CONDITIONS = ['pregnancy', 'none', 'other'];
/** Choices of `duration` of a year or more. */
export const DURATIONS_OF_A_YEAR_OR_MORE = ['1-3Years', 'over3Years'];
export const FOUR_OR_MORE_TIMES_CHOICE = '4-plus';
export const TWELVE_OR_MORE_MONTHS = '12-plus';
