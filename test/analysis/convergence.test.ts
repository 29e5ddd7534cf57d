/** The running estimates for the first k respondents are the estimates of those alone. */

import {
  type ConvergenceEstimate,
  estimatesByOrder,
  estimatesByWave,
} from '../../src/statistics/estimators/convergence.ts';
import { type OutcomeAnswers, toCategoryOutcome } from '../../src/statistics/estimators/outcome.ts';
import { analyseSample } from '../../src/statistics/estimators/results.ts';
import { recruitmentTree, type Sample } from '../../src/statistics/estimators/sample/sample.ts';
import fc from '../fast-check.ts';
import { QUESTION } from './kit.ts';

/** For any order of rows: a recruit may come before the recruiter. */
const samples = fc
  .array(
    fc.record({
      recruiter: fc.double({ min: 0, max: 1, noNaN: true }),
      isSeed: fc.boolean(),
      size: fc.option(fc.integer({ min: 0, max: 40 })),
      answer: fc.option(fc.integer({ min: 0, max: 3 })),
      rank: fc.integer(),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((people) => ({
    sample: {
      ids: people.map((_, row) => String(row)),
      recruiters: Int32Array.from(people, ({ recruiter, isSeed }, row) =>
        row === 0 || isSeed ? -1 : Math.floor(recruiter * row * 0.999),
      ),
      reportedSizes: Float64Array.from(people, ({ size }) => size ?? Number.NaN),
      order: Int32Array.from(people.keys()).sort((a, b) => people[a]!.rank - people[b]!.rank),
    },
    answers: people.map(({ answer }) => answer),
  }));

/** The same for a sample without the other rows; a recruiter who is missing makes a seed. */
function alone(
  sample: Sample,
  answers: (number | null)[],
  rows: number[],
  isNumber: boolean,
): ConvergenceEstimate {
  const at = new Map(rows.map((row, k) => [row, k]));
  const part: Sample = {
    ids: rows.map((row) => sample.ids[row]!),
    recruiters: Int32Array.from(rows, (row) => at.get(sample.recruiters[row]!) ?? -1),
    reportedSizes: Float64Array.from(rows, (row) => sample.reportedSizes[row]!),
    order: Int32Array.from(rows.keys()),
  };
  const partAnswers = rows.map((row) => answers[row]!);
  const y = analyseSample('', part, { y: outcomeOf(partAnswers, isNumber) }, QUESTION).outcomes.y!;
  const figures = (by: Record<string, number | null> | null | undefined) =>
    y.known > 0 && by ? ['0', '1', '2', '3'].map((level) => by[isNumber ? 'mean' : level] ?? 0) : null;
  return { known: y.known, figures: figures(y.rdsII), rds1: y.rdsI?.mean === null ? null : figures(y.rdsI) };
}

const outcomeOf = (answers: (number | null)[], isNumber: boolean): OutcomeAnswers =>
  isNumber
    ? { kind: 'NUMBER', values: Float64Array.from(answers, (one) => one ?? Number.NaN) }
    : toCategoryOutcome(answers.map((one) => (one === null ? null : String(one))));

test('each point of a convergence plot equals the estimate of its rows alone, by order and by wave', () => {
  fc.assert(
    fc.property(samples, fc.boolean(), ({ sample, answers }, isNumber) => {
      const outcome = outcomeOf(answers, isNumber);
      const levels = outcome.kind === 'CATEGORY' ? outcome.levels.map(Number) : [0, 0, 0, 0];
      const wide = (values: number[] | null) =>
        values && ['0', '1', '2', '3'].map((_, at) => values[isNumber ? 0 : levels.indexOf(at)] ?? 0);
      const same = (estimate: ConvergenceEstimate, rows: number[]) => {
        const reference = alone(sample, answers, rows, isNumber);
        expect(estimate.known).toBe(reference.known);
        for (const [a, b] of [
          [wide(estimate.figures), reference.figures],
          [wide(estimate.rds1), reference.rds1],
        ]) {
          expect(a === null).toBe(b === null);
          a?.forEach((value, k) => {
            expect(value).toBeCloseTo(b![k]!, 10);
          });
        }
      };
      const n = answers.length;
      const rows = [...sample.order];
      estimatesByOrder(outcome, sample, 7).forEach((estimate, at) => {
        same(estimate, rows.slice(0, (at + 1) * 7));
      });
      const tree = recruitmentTree(sample.recruiters);
      estimatesByWave(outcome, sample, tree).forEach((estimate, wave) => {
        same(
          estimate,
          [...Array(n).keys()].filter((row) => tree.waves[row]! <= wave),
        );
      });
    }),
    { numRuns: 100 },
  );
});
