/**
 * The quality checks: each rule as text, with its limits. Browser-safe. Checks that compare need enough interviews to
 * compare with.
 */

import type { QualityCheckCode } from '../../interviews/surveys/checks.ts';

/** Minimum number of interviews per questionnaire, and per interviewer, before they are compared. */
export const MIN_INTERVIEWS_TO_COMPARE = { ofQuestionnaire: 30, ofInterviewer: 10 };

export const CHECK_THRESHOLDS = {
  TOO_FAST: {
    share: 0.4,
    rule: 'The interview took less than 0.4 times the median duration of its questionnaire.',
  },
  TOO_LONG: {
    times: 4,
    rule: 'The interview took more than 4 times the median duration of its questionnaire.',
  },
  MANY_SKIPPED: {
    share: 0.5,
    times: 3,
    rule: 'More than half of the questions were skipped, and more than 3 times the median of the questionnaire.',
  },
  SIZE_ODD: {
    times: 10,
    percentile: 0.9,
    /** Among an interviewer's sizes of at least `least`, the share ending in 0 or 5. */
    least: 10,
    share: 0.8,
    rule: 'The network size is 0 or more than 10 times the 90th percentile, or more than 80 % of the sizes of 10 or more that an interviewer entered end in 0 or 5.',
  },
  FAR_FROM_SITE: {
    rule: "The interview took place further from its site than the study's siteRadius, even allowing for the accuracy of the position.",
  },
  COUPON_RUN: {
    recruits: 3,
    minutes: 15,
    rule: 'At least 3 recruits of one person were interviewed within 15 minutes at one site.',
  },
  OLD_AMOUNT: {
    hours: 6,
    rule: 'More is owed for the interview by its completedAt than by when it was received, because an incentive was lowered in between, and it was received more than 6 hours after it ended or after a later interview of the same interviewer.',
  },
  MANY_DECLINED: {
    z: 3,
    rule: "The share of people who declined or were not eligible is higher than that of all other interviewers' interviews, with a z-score over 3.",
  },
  CLOCK_ODD: {
    rule: 'The device’s clock was wrong: the interview ended before it started, or started over a year before it was received or more than six hours before its coupon, its questionnaire version, its interviewer’s account or the study existed.',
  },
  POSSIBLE_REPEAT: {
    rule: 'The identity answers match those of an earlier interview.',
  },
} as const satisfies Record<QualityCheckCode, object>;
