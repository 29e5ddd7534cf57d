/** The change of outcomes from an earlier sample, as the results pages calculate it. */
import {
  type ChangeFigures,
  estimateChange,
  estimateFigures,
  levelsOfBoth,
  type RoundEstimate,
  type RoundSample,
} from '../src/statistics/change/job.ts';
import { changeSentence } from '../src/statistics/change/sentence.ts';
import { type SiteShares, sitePopulationsOf } from '../src/statistics/change/site-shares.ts';
import { type BoundedFigure, differenceOfIntervals } from '../src/statistics/estimators/difference.ts';
import { randomSeedOf } from '../src/statistics/estimators/draws/random.ts';
import type { CategoryOutcome, OutcomeAnswers } from '../src/statistics/estimators/outcome.ts';
import type { Sample } from '../src/statistics/estimators/sample/sample.ts';

export interface ChangeSample {
  title: string;
  sample: Sample;
  outcomes: Record<string, OutcomeAnswers>;
  site: CategoryOutcome | null;
}

export interface Change {
  /** Whose interval of the difference comes first: TREE's if it does in either sample. */
  first: 'CHAIN' | 'TREE' | null;
  levels: Record<string, LevelChange>;
}

export interface LevelChange {
  from: ChangeFigures;
  to: ChangeFigures;
  difference: ChangeFigures;
  /** From the two intervals of CHAIN alone. */
  fromIntervals: { low: number; high: number } | null;
  standardised: { estimate: number; low: number | null; high: number | null } | null;
  sentence: string | null;
}

interface ChangeOptions {
  shares: SiteShares | null;
  samples: number;
  confidence: number;
  randomSeed: number;
}

/** By outcome and level; a number has one, `mean`. */
export function changesFrom(
  earlier: ChangeSample,
  later: ChangeSample,
  { shares, samples, confidence, randomSeed }: ChangeOptions,
): Map<string, Change> {
  return new Map(
    Object.entries(later.outcomes).map(([name, outcome]) => {
      const before = earlier.outcomes[name];
      if (before?.kind !== outcome.kind)
        throw new Error(`${name} is a number in one of the samples only. Say which with --kind.`);
      const sampleFor = ({ sample, site }: ChangeSample, of: OutcomeAnswers, which: string): RoundSample => ({
        recruiters: sample.recruiters,
        reportedSizes: sample.reportedSizes,
        outcome: of,
        sites: sitePopulationsOf(site, shares?.people ?? null),
        seed: randomSeedOf(['change', name, which, randomSeed]),
      });
      const values = levelsOfBoth(before, outcome);
      const { first, levels } = estimateChange({
        from: sampleFor(earlier, before, 'earlier'),
        to: sampleFor(later, outcome, 'later'),
        ...{ values, samples, confidence },
      });
      const levelChanges = levels.map(({ from, to, difference, standardised }, at): [string, LevelChange] => [
        values[at] ?? 'mean',
        {
          from: estimateFigures(from),
          to: estimateFigures(to),
          difference: estimateFigures(difference),
          fromIntervals: fromIntervals(from, to),
          standardised: standardised && {
            estimate: standardised.estimate,
            low: standardised.interval?.low ?? null,
            high: standardised.interval?.high ?? null,
          },
          sentence:
            difference.estimate === null
              ? null
              : changeSentence({
                  ...{ kind: outcome.kind, from: earlier.title, to: later.title },
                  ...{ difference: difference.estimate, confidence },
                  low: (first === 'TREE' ? difference.tree : difference.chain)?.low ?? null,
                  high: (first === 'TREE' ? difference.tree : difference.chain)?.high ?? null,
                }),
        },
      ]);
      return [name, { first, levels: Object.fromEntries(levelChanges) }];
    }),
  );
}

function fromIntervals(from: RoundEstimate, to: RoundEstimate): LevelChange['fromIntervals'] {
  const whole = ({ estimate, chain }: RoundEstimate): BoundedFigure | null =>
    estimate === null || !chain ? null : { estimate, ...chain };
  const [before, after] = [whole(from), whole(to)];
  if (!before || !after) return null;
  const { low, high } = differenceOfIntervals(before, after);
  return { low, high };
}
