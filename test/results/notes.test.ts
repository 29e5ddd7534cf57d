/** Why a number has no value. */
import type { OutcomeEstimate } from '../../src/statistics/results/estimate.ts';
import { missingFigureNotesOf } from '../../src/statistics/results/missing-figures.ts';

const POPULATION = { size: 500, low: 400, high: 600 };

const homophilyNotes = (transitions: number[][]) =>
  missingFigureNotesOf(
    {
      ...{ known: 4, noRds1: null, counts: [1, 3] },
      transitions: { counts: transitions },
      homophily: { recruitment: null, population: [null, null] },
    } as unknown as OutcomeEstimate,
    4,
    POPULATION,
    null,
  ).map(({ estimator, code }) => [estimator, code]);

test('missing homophily is NOBODY_KNOWN only if no recruiter and recruit both answered', () => {
  const none = [
    [0, 0],
    [0, 0],
  ];
  const across = [
    [0, 3],
    [0, 0],
  ];
  expect(homophilyNotes(none)).toEqual([['HOMOPHILY', 'NOBODY_KNOWN']]);
  expect(homophilyNotes(across)).toEqual([['HOMOPHILY', 'NOT_CONNECTED']]);
});
