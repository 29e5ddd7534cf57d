/** The questions of the built-in questionnaire that the tables of a count are made of; other questionnaires can use their names. */
export const QUESTIONS = {
  /** Who stays together. */
  household: 'household',
  /** Adults of the household who slept outside or in a shelter on the night of the count. */
  adults: 'householdAdults',
  /** Whether another of them was interviewed before. */
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

/** Choices of `household` with other adults. */
export const WITH_ADULTS = ['partner', 'family', 'friends'] as const;
export const WITH_CHILDREN = 'children';
/** The choice of `race` that goes together with any other. */
export const HISPANIC = 'hispanic';
/** Choices of `conditions` that are no disability. */
export const NOT_DISABLING = ['pregnancy', 'none', 'other'];
/** Of `duration`: a year or more. */
export const DURATIONS_OF_A_YEAR = ['1-3Years', 'over3Years'];
export const FOUR_TIMES = '4-plus';
export const TWELVE_MONTHS = '12-plus';
