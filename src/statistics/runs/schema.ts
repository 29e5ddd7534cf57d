/** Runs in requests and responses. Browser-safe. */
import { z } from 'zod';
import {
  Day,
  Id,
  IdInput,
  Instant,
  NonNegativeInteger,
  NullableNumber,
} from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';
import { OutcomeName, RoundParam } from '../sample/schema.ts';

export const RunState = z.enum(['WAITING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED']);
export type RunState = z.infer<typeof RunState>;
export const BootstrapMethod = z.enum(['CHAIN', 'TREE', 'GILE', 'SALGANIK']);
export const RunEstimator = z.enum(['RDS_I', 'RDS_II', 'SS']);
export type BootstrapMethod = z.infer<typeof BootstrapMethod>;

const PopulationSize = z.int().min(1).max(1_000_000_000);
const Samples = z.int().min(100).max(20_000).meta({ description: 'Replicates.', example: 1000 });
const Confidence = z.number().min(0.5).max(0.999).meta({ example: 0.95 });

/** The estimators that each method can give intervals for; the first one is the default. */
export const ESTIMATORS_BY_METHOD = {
  CHAIN: ['RDS_II', 'SS'],
  TREE: ['RDS_II'],
  GILE: ['SS'],
  SALGANIK: ['RDS_II', 'RDS_I'],
} as const satisfies Record<BootstrapMethod, readonly z.infer<typeof RunEstimator>[]>;

export const AnalysisRunCreate = z
  .strictObject({
    outcome: OutcomeName.nullable().meta({
      description: 'The `name` of an outcome. Null (only with CHAIN and TREE): all outcomes.',
    }),
    method: BootstrapMethod.meta({
      description:
        'CHAIN draws along the chains as they grew, from people whose recruiters had the same answer at the same site. TREE resamples whole branches: wider, and valid even if chains stay within groups. GILE and SALGANIK are too narrow if they do.',
    }),
    estimator: RunEstimator.optional().meta({
      description:
        'With CHAIN: RDS_II or SS; with TREE: RDS_II; with GILE: SS; with SALGANIK: RDS_II or RDS_I.',
    }),
    samples: Samples.default(1000),
    confidence: Confidence.default(0.95),
    randomSeed: z
      .int()
      .optional()
      .meta({ description: 'The same seed gives the same numbers for the same data.' }),
    populationSize: PopulationSize.optional().meta({ description: "For SS. Default: the study's." }),
    round: RoundParam,
    location: IdInput.optional(),
    from: Day.optional(),
    to: Day.optional(),
    questionnaire: IdInput.optional(),
  })
  .superRefine(({ method, estimator, outcome, from, to }, context) => {
    const estimators: readonly string[] = ESTIMATORS_BY_METHOD[method];
    if (estimator !== undefined && !estimators.includes(estimator)) {
      const message = `${method} only works with ${estimators.join(' or ')}.`;
      context.addIssue({ code: 'custom', path: ['estimator'], message });
    }
    if (outcome === null && method !== 'TREE' && method !== 'CHAIN')
      context.addIssue({
        code: 'custom',
        path: ['outcome'],
        message: 'Only CHAIN and TREE can calculate all outcomes at once. Choose one outcome.',
      });
    if (from !== undefined && to !== undefined && from > to)
      context.addIssue({ code: 'custom', path: ['to'], message: FAULTS.DAYS_REVERSED });
  })
  .meta({ id: 'AnalysisRunCreate' });
export type AnalysisRunCreate = z.infer<typeof AnalysisRunCreate>;

export const RunLevelEstimate = z.object({
  value: z.string().nullable().meta({ description: 'Null for a NUMBER.', example: 'yes' }),
  estimate: NullableNumber,
  standardError: NullableNumber,
  low: NullableNumber,
  high: NullableNumber,
  designEffect: NullableNumber,
  effectiveSize: NullableNumber.meta({
    description: 'This many interviews of people drawn at random would be just as precise.',
  }),
  dropped: NonNegativeInteger.meta({ description: 'Replicates without an estimate.' }),
  standardised: z
    .object({ estimate: z.number(), standardError: z.number(), low: z.number(), high: z.number() })
    .nullish()
    .meta({ description: 'With CHAIN, if `siteSizes` of the study has sizes: standardized to sites.' }),
  hidden: z
    .literal(true)
    .optional()
    .meta({ description: 'True if there are too few answers to show this caller; the figures are null.' }),
});

export const SampleFacts = z.object({
  n: NonNegativeInteger,
  seeds: NonNegativeInteger,
  orphans: NonNegativeInteger.meta({ description: 'Seeds whose recruiter is not in the sample.' }),
  waves: NonNegativeInteger,
  known: NonNegativeInteger.nullable().meta({ description: 'Null if the run is for several outcomes.' }),
  missing: NonNegativeInteger.nullable(),
  notAsked: NonNegativeInteger.nullable(),
  sizeMissing: NonNegativeInteger,
  sizeZero: NonNegativeInteger,
  largestChain: z.number().meta({ description: 'Share of the sample.' }),
  numberOfChains: z.number().optional().meta({ description: 'As in the estimates. Older runs have none.' }),
  populationSize: z.int().nullable(),
});

export const AnalysisRun = z
  .object({
    id: Id,
    state: RunState,
    progress: z.number().min(0).max(1),
    request: z.object({
      outcome: z.string().nullable(),
      method: BootstrapMethod,
      estimator: RunEstimator,
      samples: Samples,
      confidence: Confidence,
      randomSeed: z.int().nullable(),
      populationSize: z.int().nullable(),
      location: Id.nullable(),
      from: z.string().nullable(),
      to: z.string().nullable(),
      questionnaire: Id.nullable(),
      round: Id,
    }),
    createdBy: Id.nullable().meta({ description: 'Null for a nightly run.' }),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
    error: z.string().nullable().meta({ description: 'Why it FAILED.', example: null }),
    result: z
      .object({
        asOf: Instant,
        sample: SampleFacts,
        outcomes: z.array(z.object({ name: z.string(), levels: z.array(RunLevelEstimate) })),
        randomSeed: z.int(),
        dataHash: z.string().meta({ description: 'A hash of the data; the same data has the same hash.' }),
        version: z.string().meta({ description: 'Changes when the same data may give different numbers.' }),
        seconds: z.number(),
      })
      .nullable(),
  })
  .meta({ id: 'AnalysisRun' });
/** The request with all defaults filled in. Without an outcome, it covers all of them. */
export type RunRequest = z.infer<typeof AnalysisRun>['request'];

export const RunList = listSchema(AnalysisRun).meta({ id: 'AnalysisRunList' });

export const RunQuery = z.strictObject({
  ...creationSortedQuery,
  state: RunState.optional(),
  outcome: OutcomeName.optional(),
});
