import { gileIntervals } from '../../client/src/dashboard/results/kit/gile-intervals.ts';

type Runs = Parameters<typeof gileIntervals>[0];
type Estimates = Parameters<typeof gileIntervals>[1];

const run = (populationSize: number, low: number) => ({
  state: 'DONE',
  request: { method: 'GILE', populationSize },
  result: { outcomes: [{ name: 'veteran', levels: [{ value: 'yes', low }] }] },
});
const runs = [run(900, 0.1), run(400, 0.2)] as unknown as Runs;
const lowFor = (populationSize: number | null) =>
  gileIntervals(runs, { outcome: 'veteran', sample: { populationSize } } as Estimates)?.[0]?.low;

test('Gile’s interval is the one calculated for the population size of the estimate', () => {
  expect([900, 400].map(lowFor)).toEqual([0.1, 0.2]);
});

test('an estimate of another population size, or of none, has no interval by Gile', () => {
  expect(lowFor(500)).toBeUndefined();
  expect(lowFor(null)).toBeUndefined();
});
