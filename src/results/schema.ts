/** Estimates, comparisons and the report on the wire. Browser-safe. */
import { z } from 'zod';
import { Count, Figure, Id, Instant, Share, wholeNumber } from '../http/field-schemas.ts';
import { OutcomeKind, OutcomeName, Title, windowFields } from '../sample/schema.ts';
import { WARNINGS } from './warning-codes.ts';

const Population = wholeNumber(1, 1_000_000_000).optional();

export const EstimatesQuery = z.strictObject({
  outcome: OutcomeName,
  populationSize: Population.meta({
    description:
      'Without it, the three sizes are those of the study; with it, all three are those of the query.',
  }),
  populationSizeLow: Population,
  populationSizeHigh: Population,
  ...windowFields,
  randomSeed: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional().meta({
    description: 'Of the random numbers of successive sampling; without it they hang on the query alone.',
  }),
});
export type EstimatesQuery = z.infer<typeof EstimatesQuery>;

const value = z
  .string()
  .nullable()
  .meta({ description: 'Of a category, as the export writes it; null of a number.', example: 'yes' });
const hidden = z.literal(true).optional().meta({
  description:
    'Too few people gave this answer (or another one, which subtracting would tell): all figures are null.',
});

export const Interval = z
  .object({
    low: Figure,
    high: Figure,
    standardError: Figure,
    effectiveSize: Figure.meta({ description: 'As good as so many random interviews.' }),
  })
  .meta({ id: 'EstimateInterval' });
export type Interval = z.infer<typeof Interval>;

const EstimateLevel = z
  .object({
    value,
    title: Title.nullable(),
    count: Count.nullable().meta({ description: 'Known answers.' }),
    mean: Figure.meta({ description: 'Unweighted.' }),
    rds1: Figure,
    rds2: Figure,
    ss: Figure,
    ssLow: Figure,
    ssHigh: Figure,
    trimmed: Figure.meta({ description: 'RDS-II with network sizes cut at their 95th percentile.' }),
    interval: Interval.nullable(),
    hidden,
  })
  .meta({ id: 'EstimateLevel' });

const Sample = z
  .object({
    n: Count,
    seeds: Count,
    orphans: Count.meta({ description: 'Of the seeds: no true ones. Their recruiter is not in the sample.' }),
    waves: Count.meta({ description: 'Beyond the seeds.' }),
    known: Count,
    missing: Count,
    sizeMissing: Count,
    sizeZero: Count,
    largestChain: Share.meta({ description: 'The share of all people that go back to one seed.' }),
    populationSize: z.int().nullable(),
  })
  .meta({ id: 'EstimateSample' });

export const NOTES = [
  'ONE_LEVEL',
  'NOT_CONNECTED',
  'PERIODIC',
  'NO_POPULATION_SIZE',
  'POPULATION_BELOW_SAMPLE',
  'NOBODY_KNOWN',
  'NO_VARIATION',
] as const;
export const ESTIMATORS = [
  'MEAN',
  'RDS_I',
  'RDS_II',
  'SS',
  'TRIMMED',
  'HOMOPHILY',
  'DIFFERENTIAL_ACTIVITY',
] as const;

export const Note = z
  .object({ estimator: z.enum(ESTIMATORS), code: z.enum(NOTES), message: z.string() })
  .meta({ id: 'EstimateNote' });

/** Numbers as a few bars. */
export const Spread = z
  .object({
    lowerQuartile: z.number(),
    median: z.number(),
    upperQuartile: z.number(),
    bars: z.array(z.object({ from: z.number().nullable(), to: z.number().nullable(), count: Count })).meta({
      description: 'From the lower end on, up to the upper one and without it; null: open.',
    }),
  })
  .meta({ id: 'Spread' });

const ByLevel = z.array(z.object({ value, estimate: Figure, hidden }));

export const Estimates = z
  .object({
    outcome: OutcomeName,
    kind: OutcomeKind,
    asOf: Instant,
    sample: Sample,
    levels: z.array(EstimateLevel),
    run: Id.nullable().meta({ description: 'The run that gave the intervals.' }),
    notes: z.array(Note),
    transitions: z
      .object({
        counts: z
          .array(z.array(Count.nullable()))
          .meta({ description: 'Recruiters by row, recruits by column.' }),
        stationary: z.array(Figure).nullable(),
        harmonicSizes: z.array(Figure),
      })
      .nullable(),
    homophily: z.object({ recruitment: Figure, population: ByLevel }).nullable(),
    differentialActivity: ByLevel.nullable(),
    convergence: z.array(
      z.object({
        n: Count.meta({ description: 'The first so many of the sample.' }),
        at: Instant.meta({ description: 'When the last of them was held.' }),
        levels: z.array(z.object({ value, rds1: Figure, rds2: Figure, hidden })),
      }),
    ),
    bottleneck: z.array(
      z.object({
        seed: Id.meta({ description: 'The survey at the head of the tree.' }),
        n: Count,
        levels: z.array(z.object({ value, rds2: Figure, hidden })),
      }),
    ),
    byWave: z.array(Count).meta({
      description: 'People: the seeds, those whom they recruited, and so on. None of a hidden sample.',
    }),
    networkSizes: Spread.nullable().meta({
      description:
        'As they were answered. To all but a SUPER_ADMIN each bar has as many people as the smallest cell, and there is none of a part of the sample, which subtracting would tell.',
    }),
    warnings: z.array(
      z
        .object({ code: z.enum(WARNINGS), message: z.string(), value: z.number() })
        .meta({ id: 'EstimateWarning' }),
    ),
  })
  .meta({ id: 'Estimates' });
export type Estimates = z.input<typeof Estimates>;
export type Warning = Estimates['warnings'][number];

export const CompareQuery = z.strictObject({
  outcome: OutcomeName,
  by: OutcomeName.meta({ description: 'A CATEGORY: its levels are the groups.' }),
  ...windowFields,
});
export type CompareQuery = z.infer<typeof CompareQuery>;

export const Comparison = z
  .object({
    outcome: OutcomeName,
    by: OutcomeName,
    asOf: Instant,
    groups: z.array(
      z.object({
        value,
        title: Title.nullable(),
        count: Count.nullable().meta({ description: 'People.' }),
        known: Count.nullable(),
        levels: z.array(
          z.object({
            value,
            title: Title.nullable(),
            count: Count.nullable(),
            mean: Figure,
            rds2: Figure,
            hidden,
          }),
        ),
        hidden,
      }),
    ),
  })
  .meta({ id: 'Comparison' });

export const Report = z
  .object({
    asOf: Instant,
    items: z.array(
      z
        .object({
          item: z.string().meta({ description: 'Its number in the checklist.', example: '6b' }),
          name: z.string(),
          value: z.unknown().meta({
            description: 'A number, a text, a list or an object; null where the service cannot know it.',
          }),
          text: z.string(),
          reason: z.string().nullable().meta({ description: 'Why there is no value.' }),
        })
        .meta({ id: 'ReportItem' }),
    ),
  })
  .meta({ id: 'Report' });

const MOST_QUESTIONS = 12;
const QuestionName = z.string().min(1).max(300).meta({
  description: 'The `question` of one of GET /api/analysis/outcomes.',
});

export const AnswersQuery = z.strictObject({
  question: z
    .union([QuestionName.transform((one) => [one]), z.array(QuestionName).min(1).max(MOST_QUESTIONS)])
    .meta({ type: 'array', description: `One or more, at most ${MOST_QUESTIONS}.` }),
  location: windowFields.location,
  from: windowFields.from,
  to: windowFields.to,
});
export type AnswersQuery = z.infer<typeof AnswersQuery>;

const AnswerLevel = z.object({
  value,
  title: Title.nullable(),
  count: Count.nullable(),
  share: Figure.meta({ description: 'Unweighted, of those who gave an answer; of a number its mean.' }),
  rds2: Figure.meta({ description: 'The estimate beside it: of all people, by RDS-II.' }),
  hidden,
});

export const Answers = z
  .object({
    asOf: Instant,
    n: Count.meta({ description: 'Interviews that count.' }),
    questions: z.array(
      z.object({
        name: z.string().meta({ example: 'servicesUsed' }),
        title: Title,
        kind: z.enum(['ONE', 'SEVERAL', 'NUMBER']),
        known: Count.meta({ description: 'Who gave an answer.' }),
        missing: Count,
        levels: z.array(AnswerLevel).meta({
          description:
            'The answers that occur; of a question with several its choices; of a number one, null.',
        }),
        spread: Spread.nullable().meta({
          description:
            'Of a number. To all but a SUPER_ADMIN each bar has as many people as the smallest cell, and there is none of a part of the sample, which subtracting would tell.',
        }),
      }),
    ),
  })
  .meta({ id: 'Answers' });
