/** Findings in requests and replies. Browser-safe. */
import { z } from 'zod';
import { QUALITY_CHECKS } from '../../interviews/surveys/checks.ts';
import { DayOrInstant, Id, IdInput, Instant, textSchema } from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { RoundParam } from '../../statistics/sample/schema.ts';
import { CHECK_THRESHOLDS, MIN_INTERVIEWS_TO_COMPARE } from './rules.ts';

export const QualityCheck = z.enum(QUALITY_CHECKS).meta({
  description: `${QUALITY_CHECKS.map((check) => `${check}: ${CHECK_THRESHOLDS[check].rule}`).join(' ')} Checks that compare need at least ${MIN_INTERVIEWS_TO_COMPARE.ofQuestionnaire} interviews with a questionnaire and ${MIN_INTERVIEWS_TO_COMPARE.ofInterviewer} by an interviewer. They compare durations, skipped questions and sizes of interviews in the sample; rejected interviews have no findings.`,
});

export const QualityFinding = z
  .object({
    id: Id,
    survey: Id.nullable().meta({
      description:
        "The interview it is about (for COUPON_RUN, the recruiter's interview); null if it is about the interviewer's work.",
    }),
    interviewer: Id.meta({
      description: 'For COUPON_RUN, the interviewer of the last interview of the run.',
    }),
    location: Id.meta({
      description:
        "The site of the interview (for COUPON_RUN, the site to which the recruits came), or of the interviewer's last interview.",
    }),
    check: QualityCheck,
    value: z.union([z.number(), z.string()]).nullable().meta({
      description:
        'What was found: minutes (TOO_FAST, TOO_LONG), a share (MANY_SKIPPED, MANY_DECLINED, SIZE_ODD of an interviewer), a network size, meters, recruits, the start time by the device (CLOCK_ODD), EXACT or NEAR (POSSIBLE_REPEAT). Null if the caller may not read the survey.',
      example: 4.5,
    }),
    expected: z.union([z.number(), z.string()]).nullable().meta({
      description:
        'The limit that the value exceeds. For MANY_DECLINED, the share of all other interviewers; for CLOCK_ODD, when the interview was received. Null if there is no limit.',
      example: 12,
    }),
    rule: z.string().meta({ description: 'The rule in words.', example: CHECK_THRESHOLDS.TOO_FAST.rule }),
    at: Instant.meta({ description: 'When it was first found.' }),
    dismissed: z
      .object({ by: Id, at: Instant, comment: z.string().meta({ example: 'Checked by phone.' }) })
      .nullable()
      .meta({ description: 'Applies until the value changes.' }),
  })
  .meta({ id: 'QualityFinding' });

export const QualityFindingGroup = z
  .object({
    id: Id,
    interviewer: Id,
    check: QualityCheck,
    count: z.number().int().meta({ description: 'How many findings of this check there are.', example: 12 }),
    locations: z.array(Id).meta({ description: 'Where.' }),
    at: Instant.meta({ description: 'When the latest was first found.' }),
  })
  .meta({ id: 'FindingGroup' });
export const FindingGroupList = listSchema(QualityFindingGroup).meta({ id: 'FindingGroupList' });

export const QualityFindingList = listSchema(QualityFinding).meta({ id: 'QualityFindingList' });

const MAX_SURVEYS = 200;

const { limit, cursor, total } = creationSortedQuery;
export const FindingGroupQuery = z.strictObject({
  limit,
  cursor,
  total,
  check: QualityCheck.optional(),
  round: RoundParam,
  location: IdInput.optional(),
  interviewer: IdInput.optional(),
  from: DayOrInstant.optional().meta({ description: 'Filters by when it was first found.' }),
  to: DayOrInstant.optional(),
  dismissed: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: only dismissed findings; otherwise only the others.' }),
});
export type FindingGroupQuery = z.infer<typeof FindingGroupQuery>;

export const QualityQuery = FindingGroupQuery.extend({
  survey: z
    .string()
    .transform((ids) => ids.split(','))
    .pipe(z.array(IdInput).max(MAX_SURVEYS))
    .optional()
    .meta({
      description: `Only findings about these interviews: up to ${MAX_SURVEYS} ids, separated by commas.`,
      example: '665f1c2ab7e4d90012345678',
    }),
});
export type QualityQuery = z.infer<typeof QualityQuery>;

export const FindingDismiss = z.strictObject({ comment: textSchema(1, 2_000) }).meta({ id: 'Dismiss' });
export type FindingDismiss = z.infer<typeof FindingDismiss>;
