/**
 * The questions of the built-in questionnaire used in a count's tables; other questionnaires can use the same names.
 */
export const QUESTIONS = {
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
export const WITH_ADULTS = ['partner', 'family', 'friends'] as const;
export const WITH_CHILDREN = 'children';
/** The choice of `race` that can be combined with any other. */
export const HISPANIC = 'hispanic';
/** Choices of `conditions` that aren't disabilities. */
export const NOT_DISABLING = ['pregnancy', 'none', 'other'];
/** Choices of `duration` of a year or more. */
export const DURATIONS_OF_A_YEAR = ['1-3Years', 'over3Years'];
export const FOUR_TIMES = '4-plus';
export const TWELVE_MONTHS = '12-plus';
