/** Estimates, comparisons and the report in requests and responses. Browser-safe. */
import { z } from 'zod';
import {
  Id,
  Instant,
  integerParamSchema,
  NonNegativeInteger,
  NullableNumber,
  Share,
} from '../../platform/http/field-schemas.ts';
import { FaultParams, FieldErrorCode } from '../../platform/http/problems/field-errors.ts';
import { REASONS_TO_PREFER_TREE } from '../estimators/tree-reasons.ts';
import { OutcomeName, OutcomeVariableType, sampleFilterFields, TitleByLanguage } from '../sample/schema.ts';
import { ESTIMATE_WARNING_CODES } from './warning-codes.ts';

const Population = integerParamSchema(1, 1_000_000_000).optional();

export const EstimatesQuery = z.strictObject({
  outcome: OutcomeName,
  populationSize: Population.meta({
    description:
      'Without it, all three sizes are those of the study; with it, all three are those of the query.',
  }),
  populationSizeLow: Population,
  populationSizeHigh: Population,
  ...sampleFilterFields,
  randomSeed: integerParamSchema(0, Number.MAX_SAFE_INTEGER).optional().meta({
    description:
      'Seed of the random numbers of successive sampling. By default it depends only on the query.',
  }),
});
export type EstimatesQuery = z.infer<typeof EstimatesQuery>;

const value = z
  .string()
  .nullable()
  .meta({ description: 'For a category, as in the export; null for a number.', example: 'yes' });
const hidden = z.literal(true).optional().meta({
  description:
    'True if too few people gave this answer, or another answer that subtraction would reveal. All figures are then null.',
});

export const EstimateInterval = z
  .object({
    low: NullableNumber,
    high: NullableNumber,
    standardError: NullableNumber,
    effectiveSize: NullableNumber.meta({
      description: 'This many random interviews would be just as precise.',
    }),
  })
  .meta({ id: 'EstimateInterval' });
export type EstimateInterval = z.infer<typeof EstimateInterval>;

const EstimateLevel = z
  .object({
    value,
    title: TitleByLanguage.nullable(),
    count: NonNegativeInteger.nullable().meta({ description: 'Known answers.' }),
    mean: NullableNumber.meta({ description: 'Unweighted.' }),
    rds1: NullableNumber,
    rds2: NullableNumber,
    ss: NullableNumber,
    ssLow: NullableNumber,
    ssHigh: NullableNumber,
    trimmed: NullableNumber.meta({
      description: 'RDS-II with network sizes reduced to their 95th percentile at most.',
    }),
    interval: EstimateInterval.nullable().meta({ description: 'Of CHAIN.' }),
    cautious: EstimateInterval.nullable().meta({ description: 'Of TREE.' }),
    ssInterval: EstimateInterval.nullable().meta({
      description: 'Of CHAIN around `ss`, if there is such a run.',
    }),
    hidden,
  })
  .meta({ id: 'EstimateLevel' });

const Sample = z
  .object({
    n: NonNegativeInteger,
    seeds: NonNegativeInteger,
    orphans: NonNegativeInteger.meta({
      description: 'Those that are not true seeds: their recruiter is not in the sample.',
    }),
    waves: NonNegativeInteger.meta({ description: 'Waves after the seeds.' }),
    known: NonNegativeInteger,
    missing: NonNegativeInteger.meta({
      description: 'Without an answer, of those whose questionnaire version asks it.',
    }),
    notAsked: NonNegativeInteger.meta({ description: 'Interviewed with a version that doesn’t ask it.' }),
    sizeMissing: NonNegativeInteger,
    sizeZero: NonNegativeInteger,
    largestChain: Share.meta({ description: 'The largest share of people who descend from one seed.' }),
    numberOfChains: z.number().meta({
      description:
        'This many chains of equal size would be as uneven: 1 / the sum of their squared shares of the sample.',
    }),
    populationSize: z.int().nullable(),
  })
  .meta({ id: 'EstimateSample' });

/** Notes on a site in a standardized estimate. */
export const SITE_NOTES = ['NO_ANSWERS', 'NO_SIZE', 'FEW_ANSWERS', 'ONE_CHAIN'] as const;

export const ESTIMATE_NOTE_CODES = [
  'ONE_LEVEL',
  'NOT_CONNECTED',
  'PERIODIC',
  'NO_RECRUITS',
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

export const EstimateNote = z
  .object({ estimator: z.enum(ESTIMATORS), code: z.enum(ESTIMATE_NOTE_CODES), message: z.string() })
  .meta({ id: 'EstimateNote' });

/** The distribution of a number as a few bars. */
export const NetworkSizeDistribution = z
  .object({
    lowerQuartile: z.number(),
    median: z.number(),
    upperQuartile: z.number(),
    bars: z
      .array(z.object({ from: z.number().nullable(), to: z.number().nullable(), count: NonNegativeInteger }))
      .meta({
        description: 'From the lower end up to, but not including, the upper one; null means open.',
      }),
  })
  .meta({ id: 'Spread' });

const ByLevel = z.array(z.object({ value, estimate: NullableNumber, hidden }));

export const Estimates = z
  .object({
    outcome: OutcomeName,
    kind: OutcomeVariableType,
    asOf: Instant,
    sample: Sample,
    levels: z.array(EstimateLevel),
    first: z.enum(['CHAIN', 'TREE']).nullable().meta({
      description:
        'Which interval to show first: TREE (`cautious`) if the data say that the assumption of CHAIN (`interval`) does not hold. Null before both.',
    }),
    firstReason: z
      .object({ code: z.enum(REASONS_TO_PREFER_TREE), message: z.string() })
      .nullable()
      .meta({ description: 'Why TREE comes first.' }),
    standardised: z
      .object({
        levels: z.array(
          z.object({
            value,
            estimate: NullableNumber,
            low: NullableNumber,
            high: NullableNumber,
            standardError: NullableNumber,
            hidden,
          }),
        ),
        sites: z.array(
          z.object({
            location: z.string().meta({ description: 'The id of a site, or an answer to `siteQuestion`.' }),
            title: TitleByLanguage.nullable(),
            size: z.int().nullable(),
            n: NonNegativeInteger.nullable().meta({ description: 'People.' }),
            levels: z.array(z.object({ value, rds2: NullableNumber, hidden })),
            chains: NonNegativeInteger.nullable().meta({ description: 'Chains with known answers there.' }),
            hidden,
          }),
        ),
        notes: z.array(
          z.object({
            location: z.string(),
            code: z.enum(SITE_NOTES),
            message: z.string(),
          }),
        ),
      })
      .nullable()
      .meta({
        description:
          'RDS-II at each site, weighted by `siteSizes` of the study, with the interval of CHAIN. Null without sizes, and of a single site.',
      }),
    run: Id.nullable().meta({ description: 'The run that gave the interval that comes first.' }),
    runAsOf: Instant.nullable().meta({ description: 'When the data of that run were read.' }),
    runConfidence: z
      .number()
      .nullable()
      .meta({ description: 'The confidence level of its intervals.', example: 0.95 }),
    notes: z.array(EstimateNote),
    transitions: z
      .object({
        counts: z
          .array(z.array(NonNegativeInteger.nullable()))
          .meta({ description: 'Recruiters by row, recruits by column.' }),
        stationary: z.array(NullableNumber).nullable(),
        harmonicSizes: z.array(NullableNumber),
      })
      .nullable(),
    homophily: z.object({ recruitment: NullableNumber, population: ByLevel }).nullable(),
    differentialActivity: ByLevel.nullable(),
    convergence: z.array(
      z.object({
        n: NonNegativeInteger.meta({ description: 'The first n interviews of the sample.' }),
        at: Instant.meta({ description: 'When the last of them took place.' }),
        levels: z.array(z.object({ value, rds1: NullableNumber, rds2: NullableNumber, hidden })),
      }),
    ),
    bottleneck: z.array(
      z.object({
        seed: Id.meta({ description: 'The survey at the head of the tree.' }),
        n: NonNegativeInteger,
        levels: z.array(z.object({ value, rds2: NullableNumber, hidden })),
      }),
    ),
    byWave: z.array(NonNegativeInteger).meta({
      description: 'Number of people: the seeds, those they recruited, and so on. Empty for a hidden sample.',
    }),
    networkSizes: NetworkSizeDistribution.nullable().meta({
      description:
        'As answered. Except for a SUPER_ADMIN, each bar has at least as many people as the smallest cell, and part of a sample has no bars, because subtraction would reveal them.',
    }),
    warnings: z.array(
      z
        .object({ code: z.enum(ESTIMATE_WARNING_CODES), message: z.string(), value: z.number() })
        .meta({ id: 'EstimateWarning' }),
    ),
  })
  .meta({ id: 'Estimates' });
export type Estimates = z.input<typeof Estimates>;
export type EstimateWarning = Estimates['warnings'][number];

export const GroupComparisonQuery = z.strictObject({
  outcome: OutcomeName,
  by: OutcomeName.meta({ description: 'A CATEGORY: its levels are the groups.' }),
  ...sampleFilterFields,
});
export type GroupComparisonQuery = z.infer<typeof GroupComparisonQuery>;

export const GroupComparison = z
  .object({
    outcome: OutcomeName,
    by: OutcomeName,
    asOf: Instant,
    notAsked: z
      .object({ outcome: NonNegativeInteger, by: NonNegativeInteger })
      .meta({ description: 'How many people were interviewed with a version that doesn’t ask each.' }),
    groups: z.array(
      z.object({
        value,
        title: TitleByLanguage.nullable(),
        count: NonNegativeInteger.nullable().meta({ description: 'People.' }),
        known: NonNegativeInteger.nullable(),
        levels: z.array(
          z.object({
            value,
            title: TitleByLanguage.nullable(),
            count: NonNegativeInteger.nullable(),
            mean: NullableNumber,
            rds2: NullableNumber,
            interval: EstimateInterval.pick({ low: true, high: true }).nullable().meta({
              description: '95 %, of CHAIN with classes by answer and group. Null for very large samples.',
            }),
            hidden,
          }),
        ),
        hidden,
      }),
    ),
    differences: z
      .array(
        z.object({
          value,
          one: z.string().nullable(),
          other: z.string().nullable(),
          difference: z.number().meta({ description: 'RDS-II of `one` minus `other`.' }),
          low: z.number(),
          high: z.number(),
        }),
      )
      .meta({ description: 'Of each two groups, for at most eight groups. Hidden cells have none.' }),
  })
  .meta({ id: 'Comparison' });

export const StrobeReport = z
  .object({
    asOf: Instant,
    items: z.array(
      z
        .object({
          item: z.string().meta({ description: 'Number in the checklist.', example: '6b' }),
          name: z.string(),
          value: z.unknown().meta({
            description: 'A number, a text, a list or an object; null if the service can’t know it.',
          }),
          text: z.string(),
          reason: z.string().nullable().meta({ description: 'Why there is no value.' }),
        })
        .meta({ id: 'ReportItem' }),
    ),
  })
  .meta({ id: 'Report' });

const MAX_QUESTIONS = 12;
const QuestionName = z.string().min(1).max(300).meta({
  description: 'The `question` of an outcome from GET /api/analysis/outcomes.',
});

export const ReportQuery = z.strictObject({ round: sampleFilterFields.round });

export const AnswersQuery = z.strictObject({
  question: z
    .union([QuestionName.transform((one) => [one]), z.array(QuestionName).min(1).max(MAX_QUESTIONS)])
    .meta({ type: 'array', description: `One or more, at most ${MAX_QUESTIONS}.` }),
  round: sampleFilterFields.round,
  location: sampleFilterFields.location,
  from: sampleFilterFields.from,
  to: sampleFilterFields.to,
});
export type AnswersQuery = z.infer<typeof AnswersQuery>;

const AnswerLevel = z.object({
  value,
  title: TitleByLanguage.nullable(),
  count: NonNegativeInteger.nullable(),
  share: NullableNumber.meta({
    description: 'Unweighted share of those who gave an answer; for a number, the mean.',
  }),
  rds2: NullableNumber.meta({ description: 'The RDS-II estimate for the population.' }),
  hidden,
});

export const AnswerDistributions = z
  .object({
    asOf: Instant,
    n: NonNegativeInteger.meta({ description: 'Counted interviews.' }),
    questions: z.array(
      z.object({
        name: z.string().meta({ example: 'servicesUsed' }),
        title: TitleByLanguage,
        kind: z.enum(['ONE', 'SEVERAL', 'NUMBER']),
        known: NonNegativeInteger.meta({ description: 'How many gave an answer.' }),
        missing: NonNegativeInteger.meta({
          description: 'Without an answer, of those whose questionnaire version asks it.',
        }),
        notAsked: NonNegativeInteger.meta({ description: 'Interviewed with a version that doesn’t ask it.' }),
        levels: z.array(AnswerLevel).meta({
          description:
            'The answers that occur; for a multiple-choice question, its choices; for a number, a single null.',
        }),
        spread: NetworkSizeDistribution.nullable().meta({
          description:
            'For a number. Except for a SUPER_ADMIN, each bar has at least as many people as the smallest cell, and part of a sample has no bars, because subtraction would reveal them.',
        }),
      }),
    ),
    refused: z
      .array(
        z.object({
          name: z.string().meta({ example: 'servicesUsed' }),
          title: TitleByLanguage,
          code: FieldErrorCode,
          message: z.string(),
          params: FaultParams.optional(),
        }),
      )
      .meta({
        description:
          'Questions without results, with the reason: they have another type in another version, or too many different answers.',
      }),
  })
  .meta({ id: 'Answers' });
