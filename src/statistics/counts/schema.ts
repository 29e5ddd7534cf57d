/** Population counts in requests and replies. Browser-safe. */
import { z } from 'zod';
import {
  atLeastOneField,
  Day,
  Id,
  IdInput,
  Instant,
  Name,
  NullableNumber,
  textSchema,
} from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { OutcomeName, RoundParam } from '../sample/schema.ts';

const People = z.int().min(1).max(1_000_000_000);

const fields = {
  name: Name.meta({ example: 'Point in time 2027' }),
  outcome: OutcomeName.meta({ description: 'The `name` of an outcome that is a CATEGORY.' }),
  value: z.string().min(1).max(1000).meta({ description: 'One of its levels.', example: 'yes' }),
  known: People.meta({
    description: 'How many people in the whole population have that answer, according to another source.',
    example: 412,
  }),
  source: textSchema(1, 1000).meta({ example: 'Shelter list of the night of 2027-01-28' }),
  asOf: Day.meta({ description: 'The day that the known number is for.' }),
  definition: textSchema(1, 5000).meta({
    example: 'Adults who slept in the county without a home of their own',
  }),
};
const Bound = People.nullable().meta({
  description: '`known` certainly lies between this and the other bound.',
});
const narrowed = { location: IdInput.nullable(), from: Day.nullable(), to: Day.nullable() };

export const PopulationCountCreate = z
  .strictObject({
    ...fields,
    knownLow: Bound.optional(),
    knownHigh: Bound.optional(),
    location: narrowed.location.optional(),
    from: narrowed.from.optional(),
    to: narrowed.to.optional(),
    round: RoundParam,
  })
  .meta({ id: 'CountCreate' });
export type PopulationCountCreate = z.infer<typeof PopulationCountCreate>;

export const CountPatch = z
  .strictObject({ ...fields, knownLow: Bound, knownHigh: Bound, ...narrowed })
  .partial()
  .refine(...atLeastOneField)
  .meta({ id: 'CountPatch', minProperties: 1 });
export type CountPatch = z.infer<typeof CountPatch>;

export const KnownCount = z
  .object({
    id: Id,
    ...fields,
    value: z.string(),
    unit: z.literal('ADULTS').meta({ description: 'What `known` counts.' }),
    knownLow: z.int().nullable(),
    knownHigh: z.int().nullable(),
    location: Id.nullable(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    round: Id.meta({ description: 'The round whose interviews it is based on.' }),
    createdBy: Id.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Count' });

export const CountList = listSchema(KnownCount).meta({ id: 'CountList' });
export const CountListQuery = z.strictObject(creationSortedQuery);

const Interval = z.object({ estimate: z.number(), low: NullableNumber, high: NullableNumber }).nullable();

export const CountEstimate = z
  .object({
    share: NullableNumber.meta({ description: 'By RDS-II.' }),
    total: Interval.meta({
      description:
        '`known` / `share`, with its percentiles over the replicates of CHAIN, or of the tree bootstrap where that comes first. A bound that is infinite or not known yet is null.',
    }),
    others: Interval.meta({ description: '`total` minus the known people.' }),
    byEstimator: z.array(
      z.object({
        estimator: z.enum(['MEAN', 'RDS_I', 'RDS_II', 'SS', 'TRIMMED']),
        share: NullableNumber,
        total: NullableNumber,
        others: NullableNumber,
      }),
    ),
    effectiveSize: NullableNumber,
    run: Id.nullable().meta({ description: 'The run that gave the bounds.' }),
    notes: z.array(z.object({ estimator: z.string().nullable(), code: z.string(), message: z.string() })),
    text: z.string().meta({ description: 'The whole result in words, with its definitions, for a report.' }),
  })
  .meta({ id: 'CountEstimate' });
export type CountEstimate = z.infer<typeof CountEstimate>;
