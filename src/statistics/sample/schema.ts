/** The sample and its outcomes in requests and responses. Browser-safe. */
import { z } from 'zod';
import { Day, Id, IdInput, NonNegativeInteger } from '../../platform/http/field-schemas.ts';

/** By language. */
export const TitleByLanguage = z
  .record(z.string(), z.string())
  .meta({ example: { en: 'Veteran', es: 'Veterano' } });

const RECEIVED_TEXT =
  "this day on which they were received, inclusive, in the study's time zone, as in the list of surveys. Only for a SUPER_ADMIN (403).";

/** Samples of different rounds are disjoint, so subtracting one from another reveals nothing. */
export const RoundParam = IdInput.optional().meta({
  description: 'The `id` of a round. Default: the open one, else the latest.',
  type: 'string',
});

/** Narrows the counted interviews (completed, taking part, not deleted) to a sample. */
export const sampleFilterFields = {
  round: RoundParam,
  location: IdInput.optional().meta({
    description:
      'Only interviews at this site. Answers that few people gave there are hidden so that they can’t be calculated from the other sites; a hidden level may be one that nobody gave.',
    type: 'string',
  }),
  from: Day.optional().meta({ description: `From ${RECEIVED_TEXT}`, example: '2026-11-21' }),
  to: Day.optional().meta({ description: `Until ${RECEIVED_TEXT}`, example: '2026-11-21' }),
  questionnaire: IdInput.optional().meta({
    description:
      'Only answers to this version of the questionnaire; all others were not asked. Required if a question has a different type in another version. Only for a SUPER_ADMIN (403).',
    type: 'string',
  }),
};
export const SampleFilterQuery = z.strictObject(sampleFilterFields);
export type SampleFilterQuery = z.infer<typeof SampleFilterQuery>;

export const OutcomesQuery = SampleFilterQuery.extend({
  counted: z.literal('false').optional().meta({
    description:
      '`false`: don’t count answers, which is fast for any number of interviews. `known` and `missing` are then null, and `levels` are the choices offered.',
    type: 'string',
    example: 'false',
  }),
});

export const OutcomeName = z.string().min(1).max(300).meta({
  description: 'The `name` of an outcome from GET /api/analysis/outcomes.',
  example: 'veteran',
});

export const OutcomeVariableType = z.enum(['CATEGORY', 'NUMBER']);

export const OutcomeList = z
  .object({
    data: z.array(
      z.object({
        name: OutcomeName,
        title: TitleByLanguage,
        question: z.string().meta({
          description: 'The name of the question. The outcomes of a multiple-choice question share it.',
          example: 'servicesUsed',
        }),
        decidesEligibility: z.boolean().meta({
          description: 'The question decides who is eligible, so all eligible people gave the same answer.',
        }),
        coversEveryone: z.boolean().meta({
          description:
            'Every eligible person is asked it, and it is not about how they were recruited. Result pages show the first such question by default.',
        }),
        kind: OutcomeVariableType,
        levels: z
          .array(z.object({ value: z.string().meta({ example: 'yes' }), title: TitleByLanguage.nullable() }))
          .nullable()
          .meta({ description: 'Those that occur, sorted by code point; null for a NUMBER.' }),
        known: NonNegativeInteger.nullable().meta({
          description: 'How many people in the sample gave an answer.',
        }),
        missing: NonNegativeInteger.nullable().meta({
          description: 'How many gave no answer, of those whose questionnaire version asks it.',
        }),
        notAsked: NonNegativeInteger.nullable().meta({
          description: 'How many were interviewed with a version that doesn’t ask it.',
        }),
        questionnaires: z.array(Id).meta({ description: 'The versions that ask it, the main one first.' }),
      }),
    ),
  })
  .meta({ id: 'OutcomeList' });
