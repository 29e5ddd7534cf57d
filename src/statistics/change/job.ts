/** The change of an outcome and its intervals, calculated from plain arrays in a separate thread (change-worker.ts). */

import { chainMethodVariants } from '../estimators/bootstrap/bootstrap-chain.ts';
import { type Bounds, differenceInterval } from '../estimators/difference.ts';
import { reasonToShowTreeInterval } from '../estimators/first-interval.ts';
import { bootstrapSampleOf, chainIntervalExtras, replicatesOf } from '../estimators/intervals.ts';
import {
  byCodePoint,
  type OutcomeAnswers,
  outcomeVariablesOf,
  rowsHavingAnswer,
} from '../estimators/outcome.ts';
import { percentileInterval } from '../estimators/quantile.ts';
import { type SitePopulations, standardizedEstimate } from '../estimators/standardized.ts';
import { rds2Weights, weightedEstimateOf } from '../estimators/weights.ts';

export interface RoundSample {
  recruiters: Int32Array;
  reportedSizes: Float64Array;
  outcome: OutcomeAnswers;
  /** With the same site sizes in both rounds; null without sites. */
  sites: SitePopulations | null;
  /** Must differ between the rounds. */
  seed: number;
}

export interface RoundChangeJob {
  from: RoundSample;
  to: RoundSample;
  /** The levels of both rounds; a single null for a number. */
  values: (string | null)[];
  /** 0 for estimates without intervals. */
  samples: number;
  confidence: number;
}

export interface ChangeEstimates {
  /** In the order of `values`. */
  levels: ChangedLevel[];
  /**
   * Which interval of the difference to report first: TREE's if TREE's comes first in either sample; null without
   * replicates.
   */
  first: 'CHAIN' | 'TREE' | null;
}

type Interval = Bounds | null;

export interface RoundEstimate {
  estimate: number | null;
  chain: Interval;
  tree: Interval;
}

export interface ChangedLevel {
  from: RoundEstimate;
  to: RoundEstimate;
  difference: RoundEstimate;
  standardised: { estimate: number; interval: Interval } | null;
}

/** The levels that occur in either sample; a single null for a number. */
export const levelsOfBoth = (a: OutcomeAnswers, b: OutcomeAnswers): (string | null)[] =>
  a.kind === 'CATEGORY' && b.kind === 'CATEGORY'
    ? [...new Set([...a.levels, ...b.levels])].sort(byCodePoint)
    : [null];

/** As in replies and on the terminal: CHAIN's bounds, and TREE's as the cautious ones. */
export const estimateFigures = ({ estimate, chain, tree }: RoundEstimate) => ({
  estimate,
  low: chain?.low ?? null,
  high: chain?.high ?? null,
  cautiousLow: tree?.low ?? null,
  cautiousHigh: tree?.high ?? null,
});
export type ChangeFigures = ReturnType<typeof estimateFigures>;

export function estimateChange({ from, to, values, samples, confidence }: RoundChangeJob): ChangeEstimates {
  const [before, after] = [from, to].map((one) => replicatesIn(one, samples)) as [
    RoundReplicates,
    RoundReplicates,
  ];
  const levels = values.map((value): ChangedLevel => {
    const [a, b] = [before.of(value), after.of(value)];
    const side = (one: ReturnType<RoundReplicates['of']>): RoundEstimate => ({
      estimate: one.estimate,
      chain: boundsOf(one.chain, confidence),
      tree: boundsOf(one.tree, confidence),
    });
    const standard =
      a.standardised && b.standardised
        ? {
            estimate: b.standardised.estimate - a.standardised.estimate,
            interval: between(a.standardised.replicates, b.standardised.replicates, confidence),
          }
        : null;
    return {
      from: side(a),
      to: side(b),
      difference: {
        estimate: a.estimate === null || b.estimate === null ? null : b.estimate - a.estimate,
        chain: between(a.chain, b.chain, confidence),
        tree: between(a.tree, b.tree, confidence),
      },
      standardised: standard,
    };
  });
  const first = before.isTreeFirst || after.isTreeFirst ? 'TREE' : 'CHAIN';
  return { levels, first: samples > 0 ? first : null };
}

interface RoundReplicates {
  isTreeFirst: boolean;
  of(value: string | null): {
    estimate: number | null;
    chain: Float64Array;
    tree: Float64Array;
    standardised: { estimate: number; replicates: Float64Array } | null;
  };
}

/** A level that nobody in a round chose has the share 0 there, with standard error 0. */
function replicatesIn(
  { recruiters, reportedSizes, outcome, sites, seed }: RoundSample,
  samples: number,
): RoundReplicates {
  const ground = bootstrapSampleOf(recruiters, reportedSizes, sites);
  const weights = rds2Weights(ground.sizes);
  const estimates = weightedEstimateOf(outcome, weights);
  const about = { estimator: 'RDS_II', population: null, confidence: 0.95 } as const;
  const run = { samples, seed };
  const replicates = (method: 'CHAIN' | 'TREE') =>
    samples > 0 ? replicatesOf(ground, [outcome], { method, ...about }, run)[0] : undefined;
  const [chain, tree] = [replicates('CHAIN'), replicates('TREE')];
  const width = outcome.kind === 'CATEGORY' ? outcome.levels.length : 1;
  const standardAt = chainMethodVariants(sites).indexOf('STANDARDISED');
  const variables = outcomeVariablesOf(outcome);
  const none = new Float64Array(0);
  const reasonsOf =
    chain && samples > 0 ? chainIntervalExtras(ground, outcome, weights, chain.figures) : null;
  const reasons = variables.flatMap((_, level) => reasonsOf?.(level, about.confidence).reasons ?? []);
  return {
    isTreeFirst: reasonToShowTreeInterval(reasons) !== null,
    of(value) {
      const at = outcome.kind === 'CATEGORY' ? outcome.levels.indexOf(value ?? '') : 0;
      if (at < 0) {
        const zero = new Float64Array(samples);
        const standardised = standardAt < 0 ? null : { estimate: 0, replicates: zero };
        return { estimate: estimates ? 0 : null, chain: zero, tree: zero, standardised };
      }
      const variable = variables[at];
      const standard =
        standardAt >= 0 && sites && variable
          ? standardizedEstimate(variable, weights, sites, rowsHavingAnswer(variable))
          : null;
      return {
        estimate: estimates?.[at] ?? null,
        chain: chain?.figures[at] ?? none,
        tree: tree?.figures[at] ?? none,
        standardised:
          standard === null
            ? null
            : { estimate: standard, replicates: chain?.figures[standardAt * width + at] ?? none },
      };
    },
  };
}

const between = (a: Float64Array, b: Float64Array, confidence: number): Interval =>
  isVarying(a) || isVarying(b) ? differenceInterval(a, b, confidence) : null;

/** Replicates that are all equal give no interval. */
function isVarying(values: Float64Array): boolean {
  const [first] = values;
  return first !== undefined && values.some((value) => Math.abs(value - first) > 1e-12);
}

function boundsOf(replicates: Float64Array, confidence: number): Interval {
  if (!isVarying(replicates)) return null;
  const sorted = replicates.slice().sort();
  return percentileInterval(sorted, confidence);
}
