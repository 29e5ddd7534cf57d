/** Tests whether chains differ by more than recruitment by chance explains. */
import jstat from 'jstat';
import { type OutcomeVariable, rowsHavingAnswer } from './outcome.ts';
import type { SampleTree } from './sample/sample.ts';

export interface ChainDifferenceTest {
  /** The weighted sum of squared deviations of the chains' estimates, in units of the squared standard error. */
  statistic: number;
  /** Degrees of freedom: the number of chains with answers minus 1. */
  degrees: number;
  /** The p-value: the probability of a larger statistic if all chains were alike. */
  chance: number;
}

/**
 * `weights` [n] of RDS-II; `standardError` of CHAIN with classes by answer alone. Null with fewer than two chains, or
 * without a standard error.
 */
export function testChainDifference(
  variable: OutcomeVariable,
  { seedOf }: SampleTree,
  weights: Float64Array,
  standardError: number | null,
): ChainDifferenceTest | null {
  const trees = new Map<number, { count: number; sum: number; total: number }>();
  const rows = rowsHavingAnswer(variable);
  for (const row of rows) {
    const one = trees.get(seedOf[row]!) ?? { count: 0, sum: 0, total: 0 };
    one.count++;
    one.sum += weights[row]! * variable.values[row]!;
    one.total += weights[row]!;
    trees.set(seedOf[row]!, one);
  }
  const degrees = trees.size - 1;
  if (degrees < 1 || !standardError) return null;
  const chains = [...trees.values()].map(({ count, sum, total }) => ({
    share: count / rows.length,
    figure: sum / total,
  }));
  const middle = chains.reduce((sum, { share, figure }) => sum + share * figure, 0);
  const squares = chains.reduce((sum, { share, figure }) => sum + share * (figure - middle) ** 2, 0);
  const statistic = squares / standardError ** 2;
  return { statistic, degrees, chance: 1 - jstat.chisquare.cdf(statistic, degrees) };
}
