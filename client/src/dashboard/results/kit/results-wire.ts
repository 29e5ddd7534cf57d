/** API types of the results pages. */
import type { z } from 'zod';
import type {
  OutcomeComparison as ChangeSchema,
  CountComparison as CountChangeSchema,
} from '../../../../../src/statistics/change/schema.ts';
import type {
  CountEstimate as CountEstimateSchema,
  KnownCount as CountSchema,
} from '../../../../../src/statistics/counts/schema.ts';
import type { CountTables as CountTablesSchema } from '../../../../../src/statistics/counts/tables/schema.ts';
import type {
  AnswerDistributions as AnswersSchema,
  GroupComparison as ComparisonSchema,
  Estimates as EstimatesSchema,
  StrobeReport as ReportSchema,
} from '../../../../../src/statistics/results/schema.ts';
import type { AnalysisRun as RunSchema } from '../../../../../src/statistics/runs/schema.ts';
import type { OutcomeList as OutcomeListSchema } from '../../../../../src/statistics/sample/schema.ts';
import { withQuery } from '../../../session/api.ts';

export type ListedOutcome = z.infer<typeof OutcomeListSchema>['data'][number];
export type Estimates = z.infer<typeof EstimatesSchema>;
export type NetworkSizeDistribution = NonNullable<Estimates['networkSizes']>;
export type EstimateLevel = Estimates['levels'][number];
export type EstimateWarning = Estimates['warnings'][number];
export type AnswerDistributions = z.infer<typeof AnswersSchema>;
export type GroupComparison = z.infer<typeof ComparisonSchema>;
export type StrobeReport = z.infer<typeof ReportSchema>;
export type AnalysisRun = z.infer<typeof RunSchema>;
export type RunRequest = AnalysisRun['request'];

export type KnownCount = z.infer<typeof CountSchema>;
export type CountEstimate = z.infer<typeof CountEstimateSchema>;
export type TotalRange = CountEstimate['total'];
export type OutcomeComparison = z.infer<typeof ChangeSchema>;
export type CountChangeBetweenRounds = z.infer<typeof CountChangeSchema>;
export type CountTables = z.infer<typeof CountTablesSchema>;

/** URL parameters that filter the sample. */
export const SAMPLE_FILTERS = ['round', 'location', 'from', 'to'] as const;
export const ESTIMATE_FILTERS = [
  'outcome',
  ...SAMPLE_FILTERS,
  'questionnaire',
  'populationSize',
  'populationSizeLow',
  'populationSizeHigh',
] as const;
type EstimateFilters = Record<(typeof ESTIMATE_FILTERS)[number], string>;

export const RUNS_PATH = '/api/analysis/runs';
export const COUNTS_PATH = '/api/analysis/counts';
export const estimatesRequestPath = (filters: Partial<EstimateFilters>) =>
  withQuery('/api/analysis/estimates', filters);
