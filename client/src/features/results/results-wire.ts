/** What the pages of results read and send. */
import { withQuery } from '../../api.ts';
import type { Kind, Titles } from './figures.ts';

export interface OutcomeChoice {
  name: string;
  title: Titles;
  kind: Kind;
  levels: { value: string; title: Titles }[] | null;
  known: number;
  missing: number;
  questionnaires: string[];
}

export interface Interval {
  low: number | null;
  high: number | null;
  standardError: number | null;
  effectiveSize: number | null;
}

export interface Level {
  value: string | null;
  title: Titles | null;
  count: number | null;
  mean: number | null;
  rds1: number | null;
  rds2: number | null;
  ss: number | null;
  ssLow: number | null;
  ssHigh: number | null;
  trimmed: number | null;
  interval: Interval | null;
  hidden?: boolean;
}

export interface SampleFacts {
  n: number;
  seeds: number;
  orphans: number;
  waves: number;
  known: number;
  missing: number;
  sizeMissing: number;
  sizeZero: number;
  largestChain: number | null;
  populationSize: number | null;
}

export interface Warning {
  code: string;
  message: string;
  value: number | null;
}

export interface Estimates {
  outcome: string;
  kind: Kind;
  asOf: string;
  sample: SampleFacts;
  levels: Level[];
  run: string | null;
  notes: { estimator: string; code: string; message: string }[];
  transitions: {
    counts: (number | null)[][];
    stationary: (number | null)[] | null;
    harmonicSizes: (number | null)[];
  } | null;
  homophily: { recruitment: number | null; population: { value: string; estimate: number | null }[] } | null;
  differentialActivity: { value: string; estimate: number | null }[] | null;
  convergence: {
    n: number;
    at: string;
    levels: { value: string | null; rds1: number | null; rds2: number | null }[];
  }[];
  bottleneck: { seed: string; n: number; levels: { value: string | null; rds2: number | null }[] }[];
  warnings: Warning[];
}

export type Method = 'TREE' | 'GILE' | 'SALGANIK';
export type RunState = 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';

export interface RunRequest {
  outcome: string | null;
  method: Method;
  estimator?: string;
  samples: number;
  confidence: number;
  randomSeed?: string | number | null;
  populationSize?: number | null;
  location?: string | null;
  from?: string | null;
  to?: string | null;
  questionnaire?: string | null;
}

export interface RunLevel {
  value: string | null;
  estimate: number | null;
  standardError: number | null;
  low: number | null;
  high: number | null;
  designEffect: number | null;
  effectiveSize: number | null;
  dropped: number;
  hidden?: boolean;
}

export interface Run {
  id: string;
  state: RunState;
  progress: number;
  request: RunRequest;
  createdBy: string | null;
  createdAt: string;
  finishedAt: string | null;
  error: string | null;
  result: {
    asOf: string;
    sample: SampleFacts;
    outcomes: { name: string; levels: RunLevel[] }[];
    randomSeed: string | number;
    dataHash: string;
    version: string;
    seconds: number;
  } | null;
}

export interface Count {
  id: string;
  name: string;
  outcome: string;
  value: string;
  known: number;
  knownLow: number | null;
  knownHigh: number | null;
  source: string;
  asOf: string;
  definition: string;
  location: string | null;
  from: string | null;
  to: string | null;
}

export interface Range {
  estimate: number | null;
  low: number | null;
  high: number | null;
}

export interface CountEstimate {
  share: number | null;
  total: Range | null;
  others: Range | null;
  byEstimator: { estimator: string; share: number | null; total: number | null; others: number | null }[];
  effectiveSize: number | null;
  run: string | null;
  notes: { estimator: string | null; code: string; message: string }[];
  text: string;
}

export interface Comparison {
  outcome: string;
  by: string;
  asOf: string;
  groups: {
    value: string;
    title: Titles | null;
    count: number | null;
    known: number | null;
    hidden?: boolean;
    levels: {
      value: string | null;
      title: Titles | null;
      count: number | null;
      mean: number | null;
      rds2: number | null;
      hidden?: boolean;
    }[];
  }[];
}

export interface ReportItem {
  item: string | number;
  name: string;
  value: unknown;
  text: string;
  reason: string | null;
}

export interface Report {
  asOf: string;
  items: ReportItem[];
}

/** What narrows the sample, as the address of the page has it. */
export const SAMPLE_FILTERS = ['location', 'from', 'to'] as const;
export const ESTIMATE_FILTERS = [
  'outcome',
  ...SAMPLE_FILTERS,
  'questionnaire',
  'populationSize',
  'populationSizeLow',
  'populationSizeHigh',
] as const;
type EstimateFilters = Record<(typeof ESTIMATE_FILTERS)[number], string>;

export const OUTCOMES = '/api/analysis/outcomes';
export const RUNS = '/api/analysis/runs';
export const COUNTS = '/api/analysis/counts';
export const estimatesPath = (filters: Partial<EstimateFilters>) =>
  withQuery('/api/analysis/estimates', filters);
