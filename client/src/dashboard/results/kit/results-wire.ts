/** API types of the results pages. */
import type { z } from 'zod';
import type {
  Change as ChangeSchema,
  CountChange as CountChangeSchema,
} from '../../../../../src/statistics/change/schema.ts';
import type {
  CountEstimate as CountEstimateSchema,
  Count as CountSchema,
} from '../../../../../src/statistics/counts/schema.ts';
import type { CountTables as CountTablesSchema } from '../../../../../src/statistics/counts/tables/schema.ts';
import type {
  Answers as AnswersSchema,
  Comparison as ComparisonSchema,
  Estimates as EstimatesSchema,
  Report as ReportSchema,
} from '../../../../../src/statistics/results/schema.ts';
import type { Run as RunSchema } from '../../../../../src/statistics/runs/schema.ts';
import type { OutcomeList as OutcomeListSchema } from '../../../../../src/statistics/sample/schema.ts';
import { withQuery } from '../../../session/api.ts';

export type OutcomeChoice = z.infer<typeof OutcomeListSchema>['data'][number];
export type Estimates = z.infer<typeof EstimatesSchema>;
export type Spread = NonNullable<Estimates['networkSizes']>;
export type Level = Estimates['levels'][number];
export type Warning = Estimates['warnings'][number];
export type Answers = z.infer<typeof AnswersSchema>;
export type Comparison = z.infer<typeof ComparisonSchema>;
export type Report = z.infer<typeof ReportSchema>;
export type Run = z.infer<typeof RunSchema>;
export type RunRequest = Run['request'];

export type Count = z.infer<typeof CountSchema>;
export type CountEstimate = z.infer<typeof CountEstimateSchema>;
export type TotalRange = CountEstimate['total'];
export type Change = z.infer<typeof ChangeSchema>;
export type CountChange = z.infer<typeof CountChangeSchema>;
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
export const estimatesPath = (filters: Partial<EstimateFilters>) =>
  withQuery('/api/analysis/estimates', filters);
