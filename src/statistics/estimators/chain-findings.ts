/** What `npm run analyse` prints with CHAIN's intervals: which interval comes first and why, with figures. */
import jstat from 'jstat';
import type { ChainDifferenceTest } from './chains-differ.ts';
import { type ErrorByChainDistance, errorByChainDistance } from './distance.ts';
import { reasonToShowTreeInterval } from './first-interval.ts';
import { chainIntervalExtras, type SiteStandardizedEstimate } from './intervals.ts';
import { type OutcomeAnswers, outcomeVariablesOf } from './outcome.ts';
import type { SampleTree } from './sample/sample.ts';
import type { SitePopulations } from './standardized.ts';
import type { ReasonForTreeInterval } from './tree-reasons.ts';

export interface ChainFindings {
  first: 'CHAIN' | 'TREE';
  firstReason: ReasonForTreeInterval | null;
  /** By level; null if nothing varies. */
  errorByDistance: Record<string, (ErrorByChainDistance & { low: number; high: number }) | null>;
  /** By level; null for a single chain. */
  chainsDiffer: Record<string, ChainDifferenceTest | null>;
  /** By level; only if site sizes are known. */
  standardised?: Record<string, SiteStandardizedEstimate | null>;
}

export interface ChainFindingsInput {
  tree: SampleTree;
  sites: SitePopulations | null;
  /** [levels] */
  names: readonly string[];
  outcome: OutcomeAnswers;
  /** [n] RDS-II weights. */
  weights: Float64Array;
  /** The replicates' figures, see `chainMethodVariants`. */
  figures: readonly Float64Array[];
  confidence: number;
}

export function chainDiagnostics(of: ChainFindingsInput): ChainFindings {
  const { tree, sites, names, outcome, weights, figures, confidence } = of;
  const ofLevel = chainIntervalExtras({ tree, sites }, outcome, weights, figures);
  const levels = names.map((_, at) => ofLevel(at, confidence));
  const firstReason = reasonToShowTreeInterval(levels.flatMap(({ reasons }) => reasons ?? []));
  const byName = <T>(value: (at: number) => T): Record<string, T> =>
    Object.fromEntries(names.map((name, at) => [name, value(at)]));
  const variables = outcomeVariablesOf(outcome);
  return {
    first: firstReason ? 'TREE' : 'CHAIN',
    firstReason,
    errorByDistance: byName((at) => {
      const error = errorByChainDistance(variables[at]!, tree, weights);
      return error && { ...error, ...boundsOf(error, outcome, confidence) };
    }),
    chainsDiffer: byName((at) => levels[at]?.reasons?.chainsDiffer ?? null),
    ...(sites?.people && { standardised: byName((at) => levels[at]?.standardised ?? null) }),
  };
}

/** Shares are limited to [0, 1]. */
function boundsOf(
  { estimate, standardError }: ErrorByChainDistance,
  { kind }: OutcomeAnswers,
  confidence: number,
) {
  const reach = jstat.normal.inv((1 + confidence) / 2, 0, 1) * standardError;
  const [low, high] = [estimate - reach, estimate + reach];
  return kind === 'CATEGORY' ? { low: Math.max(0, low), high: Math.min(1, high) } : { low, high };
}
