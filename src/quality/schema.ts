/** Findings on the wire. Browser-safe. */
import { z } from 'zod';
import { DayOrInstant, Id, IdInput, Instant, text } from '../http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../http/list-schema.ts';
import { CHECKS, ENOUGH, RULES } from './rules.ts';

export const QualityCheck = z.enum(CHECKS).meta({
  description: `${CHECKS.map((check) => `${check}: ${RULES[check].rule}`).join(' ')} What compares begins at ${ENOUGH.ofQuestionnaire} interviews of a questionnaire and ${ENOUGH.ofInterviewer} of an interviewer. Durations, skipped questions and sizes are those of interviews in the sample; rejected interviews have no findings.`,
});

export const QualityFinding = z
  .object({
    id: Id,
    survey: Id.nullable().meta({
      description:
        "The interview it is about, of COUPON_RUN the recruiter's; null: it is about the interviewer's work.",
    }),
    interviewer: Id.meta({ description: 'Of COUPON_RUN: who held the last interview of the run.' }),
    location: Id.meta({
      description: "Of the interview, of COUPON_RUN where the recruits came; else of the interviewer's last.",
    }),
    check: QualityCheck,
    value: z.union([z.number(), z.string()]).nullable().meta({
      description:
        'What was found: minutes (TOO_FAST, TOO_LONG), a share (MANY_SKIPPED, MANY_DECLINED, SIZE_ODD of an interviewer), a network size, metres, recruits, the time at which it started by its device (CLOCK_ODD), EXACT or NEAR (POSSIBLE_REPEAT). Null where the caller may not read the survey.',
      example: 4.5,
    }),
    expected: z.union([z.number(), z.string()]).nullable().meta({
      description:
        'The limit that the value is beyond, of MANY_DECLINED the share of all others, of CLOCK_ODD when the interview was received; null where there is none.',
      example: 12,
    }),
    rule: z.string().meta({ description: 'In words.', example: RULES.TOO_FAST.rule }),
    at: Instant.meta({ description: 'When it was first found.' }),
    dismissed: z
      .object({ by: Id, at: Instant, comment: z.string().meta({ example: 'Checked by phone.' }) })
      .nullable()
      .meta({ description: 'It holds until the value changes.' }),
  })
  .meta({ id: 'QualityFinding' });

export const QualityFindingList = listSchema(QualityFinding).meta({ id: 'QualityFindingList' });

const { limit, cursor, total } = creationSortedQuery;
export const QualityQuery = z.strictObject({
  limit,
  cursor,
  total,
  check: QualityCheck.optional(),
  location: IdInput.optional(),
  interviewer: IdInput.optional(),
  from: DayOrInstant.optional().meta({ description: 'By when it was first found.' }),
  to: DayOrInstant.optional(),
  dismissed: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: only those that were dismissed; else only the others.' }),
});
export type QualityQuery = z.infer<typeof QualityQuery>;

export const Dismiss = z.strictObject({ comment: text(1, 2_000) }).meta({ id: 'Dismiss' });
export type Dismiss = z.infer<typeof Dismiss>;
