/** The change of a population count between two rounds. */
import { fieldError } from '../../platform/http/problems/error-codes.ts';
import { queryParameterProblem } from '../../platform/http/problems/problem.ts';
import { requestedRound } from '../../study/rounds/requested.ts';
import type { PopulationCountRecord } from '../counts/model.ts';
import {
  type CountTablesResult,
  estimateCountTables,
  isEverythingHidden,
  isRevealing,
} from '../counts/tables/count-tables.ts';
import type { FigureWithBounds, PopulationUnit } from '../estimators/households/totals.ts';
import { percentileIntervalOrNull } from '../estimators/quantile.ts';
import type { ResultsReader } from '../sample/right.ts';
import { loadComparedRound, roundComparisonFactsOf, roundIdAndName } from './change.ts';
import { comparabilityOf } from './comparability.ts';
import type { CountComparison, CountTotalChange } from './schema.ts';
import { countChangeSentence } from './sentence.ts';

const CONFIDENCE = 0.95;
const NOTHING = { estimate: null, low: null, high: null };
const HIDDEN: CountTotalChange = {
  ...{ from: NOTHING, to: NOTHING, difference: NOTHING, ratio: NOTHING },
  sentence: null,
};

/** `to` is the later count. */
export async function changeBetweenCounts(
  from: PopulationCountRecord,
  to: PopulationCountRecord,
  reader: ResultsReader,
  now: Date,
): Promise<CountComparison> {
  // Two counts of the same sample aren't independent.
  if (from.round.equals(to.round)) throw queryParameterProblem(fieldError('with', 'SAME_ROUND'));
  // A count of one site can't be compared with another site's or the whole study's.
  if (String(from.location) !== String(to.location))
    throw queryParameterProblem(fieldError('with', 'OTHER_SITE'));
  const [before, after] = [
    await estimateCountTables(from, reader, now),
    await estimateCountTables(to, reader, now),
  ];
  const isHidden = isEverythingHidden(from, before) || isEverythingHidden(to, after);
  const [earlier, later] = [
    await loadComparedRound(reader, from.outcome, await requestedRound(from.round.toHexString()), now),
    await loadComparedRound(reader, to.outcome, await requestedRound(to.round.toHexString()), now),
  ];
  const rounds = { from: roundIdAndName(earlier), to: roundIdAndName(later) };
  const changeOfTotal = (total: PopulationUnit): CountTotalChange | null => {
    const [a, b] = [before, after].map(({ estimates }) => wholeNumbers(estimates.totals[total])) as [
      Total,
      Total,
    ];
    if (!a || !b || isHidden || isRevealing(before, total) || isRevealing(after, total)) return null;
    const compared = (of: (from: number, to: number) => number) =>
      a.estimate === null || b.estimate === null
        ? NOTHING
        : {
            estimate: of(a.estimate, b.estimate),
            ...boundsOf(before.estimates.replicates[total], after.estimates.replicates[total], of),
          };
    const difference = wholeNumbers(compared((one, other) => other - one));
    const { estimate, low, high } = difference;
    const named = { from: rounds.from.name, to: rounds.to.name, low, high, confidence: CONFIDENCE };
    const sentence =
      estimate === null ? null : countChangeSentence(WORDS[total], { ...named, difference: estimate });
    return { from: a, to: b, difference, ratio: compared((one, other) => other / one), sentence };
  };
  const adults = changeOfTotal('ADULTS') ?? HIDDEN;
  const methodOf = ({ estimates, method }: CountTablesResult) => (estimates.hasIntervals ? method : null);
  return {
    ...adults,
    rounds,
    from: { count: from._id.toHexString(), total: adults.from },
    to: { count: to._id.toHexString(), total: adults.to },
    persons: changeOfTotal('PERSONS'),
    households: changeOfTotal('HOUSEHOLDS'),
    method: { from: methodOf(before), to: methodOf(after) },
    comparability: comparabilityOf(roundComparisonFactsOf(earlier), roundComparisonFactsOf(later)),
  };
}

type Total = FigureWithBounds | null;

/** Totals are published as integers, and their difference must match what is published. */
const wholeNumbers = <Of extends Total>(figure: Of): Of => {
  const whole = (one: number | null) => (one === null ? null : Math.round(one));
  return (
    figure && {
      ...figure,
      estimate: whole(figure.estimate),
      low: whole(figure.low),
      high: whole(figure.high),
    }
  );
};

const WORDS: Record<PopulationUnit, string> = {
  ADULTS: 'adults',
  PERSONS: 'persons',
  HOUSEHOLDS: 'households',
};

/** Percentiles over pairs of replicates; an infinite bound is null. */
function boundsOf(a: Float64Array, b: Float64Array, of: (from: number, to: number) => number) {
  const samples = Math.min(a.length, b.length);
  const sorted = Float64Array.from({ length: samples }, (_, at) => of(a[at]!, b[at]!))
    .filter((one) => !Number.isNaN(one))
    .sort();
  return percentileIntervalOrNull(sorted, CONFIDENCE);
}
