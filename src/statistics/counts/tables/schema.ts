/** The tables of a count in replies. Browser-safe. */
import { z } from 'zod';
import { Id, Instant, NullableNumber } from '../../../platform/http/field-schemas.ts';
import { TitleByLanguage } from '../../sample/schema.ts';

const Range = z.object({ estimate: NullableNumber, low: NullableNumber, high: NullableNumber });

const Method = z.enum(['CHAIN', 'TREE']);
const Bounds = z.object({ low: NullableNumber, high: NullableNumber }).nullable();

const Cell = Range.extend({
  cell: z.string().meta({ example: '25-34' }),
  title: TitleByLanguage.nullable(),
  hidden: z.literal(true).optional().meta({
    description: 'True if too few people of the sample are in it to show this caller; the figures are null.',
  }),
});

export const CountTables = z
  .object({
    asOf: Instant,
    unit: z.literal('ADULTS').meta({ description: 'What `known` of the count counts.' }),
    method: Method.nullable().meta({
      description:
        'The bootstrap that the intervals are of: the one that comes first for the question. Null if there are none.',
    }),
    totals: z.object({
      adults: Range.nullable(),
      persons: Range.nullable().meta({ description: 'Adults and the children who stay with them.' }),
      households: Range.nullable(),
    }),
    other: z.object({ method: Method, adults: Bounds, persons: Bounds, households: Bounds }).nullable().meta({
      description:
        'The intervals of the totals by the other bootstrap: TREE’s assume less and are wider. Null if there are none.',
    }),
    tables: z.array(
      z.object({
        table: z.enum(['age', 'gender', 'race', 'veteran', 'chronic', 'householdType']),
        of: z.enum(['ADULTS', 'PERSONS', 'HOUSEHOLDS']).meta({
          description:
            'What the cells add up to. A household whose adults are in different cells counts in parts in each.',
        }),
        title: TitleByLanguage,
        cells: z.array(Cell),
      }),
    ),
    notes: z.array(
      z.object({
        table: z.string().nullable(),
        code: z.enum([
          'NO_TOTAL',
          'HIDDEN',
          'ONE_SITE',
          'PERSONS_HIDDEN',
          'HOUSEHOLDS_HIDDEN',
          'NOT_ASKED',
          'NO_HOUSEHOLDS',
          'CHILDREN_ALONE',
          'NO_INTERVAL',
          'BELOW_SAMPLE',
        ]),
        message: z.string(),
      }),
    ),
    text: z.string().meta({
      description: 'Definitions, the formula and what was assumed, in words for a report.',
    }),
    count: Id,
  })
  .meta({ id: 'CountTables' });
export type CountTables = z.infer<typeof CountTables>;
