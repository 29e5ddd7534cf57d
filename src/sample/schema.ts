/** The sample and its outcomes on the wire. Browser-safe. */
import { z } from 'zod';
import { Count, Day, Id, IdInput } from '../http/field-schemas.ts';

/** By language. */
export const Title = z.record(z.string(), z.string()).meta({ example: { en: 'Veteran', es: 'Veterano' } });

const ARRIVED =
  'a day in the time zone of the service, inclusive, on which they arrived: as in the list of surveys. For a SUPER_ADMIN alone (403).';

/** Which interviews are the sample, of those that count: completed, taking part, not deleted. */
export const windowFields = {
  location: IdInput.optional().meta({
    description:
      'Only interviews held there. What few people said at one site is hidden so that the other sites do not tell it: a level that is hidden there may be one that nobody gave.',
    type: 'string',
  }),
  from: Day.optional().meta({ description: `From ${ARRIVED}`, example: '2026-11-21' }),
  to: Day.optional().meta({ description: `Until ${ARRIVED}`, example: '2026-11-21' }),
  questionnaire: IdInput.optional().meta({
    description:
      'Only answers to this version of a questionnaire. Needed where a question was of another kind in another. For a SUPER_ADMIN alone (403).',
    type: 'string',
  }),
};
export const SampleWindow = z.strictObject(windowFields);
export type SampleWindow = z.infer<typeof SampleWindow>;

export const OutcomesQuery = SampleWindow.extend({
  counted: z.literal('false').optional().meta({
    description:
      '`false`: without counting the answers, at once however many there are. `known` and `missing` are null, `levels` the answers that are offered.',
    type: 'string',
    example: 'false',
  }),
});

export const OutcomeName = z.string().min(1).max(300).meta({
  description: 'The `name` of one of GET /api/analysis/outcomes.',
  example: 'veteran',
});

export const OutcomeKind = z.enum(['CATEGORY', 'NUMBER']);

export const OutcomeList = z
  .object({
    data: z.array(
      z.object({
        name: OutcomeName,
        title: Title,
        question: z.string().meta({
          description:
            'The name of what was asked: several outcomes have the same where there are several choices.',
          example: 'servicesUsed',
        }),
        decidesPart: z.boolean().meta({
          description: 'It is asked to find out who takes part: those who do all answered alike.',
        }),
        tellsOfAll: z.boolean().meta({
          description:
            'All who take part are asked it, and it is not about how they came: pages of results open with the first such one.',
        }),
        kind: OutcomeKind,
        levels: z
          .array(z.object({ value: z.string().meta({ example: 'yes' }), title: Title.nullable() }))
          .nullable()
          .meta({ description: 'Those that occur, by code point; null of a NUMBER.' }),
        known: Count.nullable().meta({ description: 'How many of the sample gave an answer.' }),
        missing: Count.nullable(),
        questionnaires: z.array(Id).meta({ description: 'The versions that ask it, the leading one first.' }),
      }),
    ),
  })
  .meta({ id: 'OutcomeList' });
