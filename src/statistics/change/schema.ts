/** The change of an outcome between two rounds in requests and replies. Browser-safe. */
import { z } from 'zod';
import { Id, IdInput, NullableNumber } from '../../platform/http/field-schemas.ts';
import { OutcomeName, OutcomeVariableType, TitleByLanguage } from '../sample/schema.ts';

export const OutcomeChangeQuery = z.strictObject({
  outcome: OutcomeName,
  from: IdInput.meta({ description: 'The `id` of the earlier round.' }),
  to: IdInput.meta({ description: 'The `id` of the later round.' }),
});
export type OutcomeChangeQuery = z.infer<typeof OutcomeChangeQuery>;

export const ROUND_DIFFERENCES = [
  'QUESTION_TEXT',
  'CHOICES',
  'ELIGIBILITY',
  'SIZE_QUESTION',
  'SITES',
  'COUPONS',
  'INCENTIVES',
  'SEASON',
  'MODE',
] as const;

const Range = z.object({ estimate: NullableNumber, low: NullableNumber, high: NullableNumber });
const Side = Range.extend({
  cautiousLow: NullableNumber.meta({ description: 'Of TREE; `low` and `high` are of CHAIN.' }),
  cautiousHigh: NullableNumber,
});
const hidden = z.literal(true).optional().meta({
  description: 'True if too few people gave this answer in one of the rounds to show this caller.',
});

export const ComparabilityNotes = z
  .array(z.object({ code: z.enum(ROUND_DIFFERENCES), message: z.string() }))
  .meta({
    description: 'What differed between the rounds, so that part of a change may be due to it.',
  });

const RoundName = z.object({ id: Id, name: z.string() });
const Method = z.enum(['CHAIN', 'TREE']).nullable();

export const OutcomeComparison = z
  .object({
    outcome: OutcomeName,
    kind: OutcomeVariableType,
    rounds: z.object({ from: RoundName, to: RoundName }),
    levels: z.array(
      z.object({
        value: z.string().nullable(),
        title: TitleByLanguage.nullable(),
        from: Side,
        to: Side,
        difference: Side.meta({
          description: '`to` minus `from`, with the interval of the difference: see `basis`.',
        }),
        sentence: z.string().nullable(),
        hidden,
      }),
    ),
    basis: z.enum(['REPLICATES', 'INTERVALS']).meta({
      description:
        'What the intervals of the difference come from. `REPLICATES`: those of both rounds, calculated for this reply. `INTERVALS`: of samples too large for that, the intervals of the latest runs of both rounds (Zou and Donner 2008); null until CHAIN and TREE have run in both.',
    }),
    first: z.enum(['CHAIN', 'TREE']).nullable().meta({
      description:
        'Which interval to show first: TREE if it comes first in either round. Null if there is none yet.',
    }),
    runs: z.object({ from: Id, to: Id }).nullable().meta({
      description: 'The latest runs of the outcome in both rounds; null until both are there.',
    }),
    standardised: z
      .object({
        shares: z.string().meta({
          description:
            '`STUDY`: `siteSizes` of the study; else the id of the round whose own sites are used.',
        }),
        levels: z.array(z.object({ value: z.string().nullable(), difference: Range, hidden })),
        note: z.string().nullable(),
      })
      .nullable()
      .meta({
        description:
          'With the same share of each site in both rounds. Null of a single site. Of samples too large for replicates, with an interval only if the latest CHAIN runs of both rounds standardized to the same sites and sizes.',
      }),
    comparability: ComparabilityNotes,
  })
  .meta({ id: 'OutcomeChange' });
export type OutcomeComparison = z.infer<typeof OutcomeComparison>;

export const CountComparisonQuery = z.strictObject({
  with: IdInput.meta({ description: 'The `id` of the count of the other round, which the change leads to.' }),
});

const CountOfRound = z.object({ count: Id, total: Range });

const CountTotalChange = z.object({
  from: Range,
  to: Range,
  difference: Range,
  ratio: Range.meta({ description: '`to` / `from`, from the ratios of the replicates.' }),
  sentence: z.string().nullable(),
});
const householdChange = CountTotalChange.nullable().meta({
  description: 'Null where one of the two counts has no such total, or it is hidden.',
});

export const CountComparison = z
  .object({
    rounds: z.object({ from: RoundName, to: RoundName }),
    from: CountOfRound.meta({ description: 'Adults.' }),
    to: CountOfRound,
    ...CountTotalChange.omit({ from: true, to: true }).shape,
    persons: householdChange,
    households: householdChange,
    method: z.object({ from: Method, to: Method }).meta({
      description: 'The bootstrap of each count’s replicates: the one that comes first for its question.',
    }),
    comparability: ComparabilityNotes,
  })
  .meta({ id: 'CountChange' });
export type CountComparison = z.infer<typeof CountComparison>;
export type CountTotalChange = z.infer<typeof CountTotalChange>;
