import type { Estimates, Run, RunLevel } from './results-wire.ts';

/** Gile's interval of these estimates: successive sampling gives another one for each size of the population. */
export const gileIntervals = (
  runs: readonly Run[],
  { outcome, sample }: Pick<Estimates, 'outcome' | 'sample'>,
): RunLevel[] | null =>
  runs
    .find(
      ({ state, request: { method, populationSize } }) =>
        method === 'GILE' && state === 'DONE' && populationSize === sample.populationSize,
    )
    ?.result?.outcomes.find(({ name }) => name === outcome)?.levels ?? null;
