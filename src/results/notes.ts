/** Why a figure has no value. */
import type { z } from 'zod';
import type { Estimated, Sizes } from './estimate.ts';
import type { Interval } from './intervals.ts';
import type { Note as NoteShape } from './schema.ts';

export type Note = z.input<typeof NoteShape>;

const ALL = ['MEAN', 'RDS_I', 'RDS_II', 'SS', 'TRIMMED'] as const;

export function notesOf(
  found: Estimated,
  n: number,
  population: Sizes,
  intervals: readonly (Interval | null)[] | null,
): Note[] {
  if (found.known === 0)
    return ALL.map((estimator) => ({
      estimator,
      code: 'NOBODY_KNOWN',
      message: 'Nobody of the sample gave an answer.',
    }));
  return [...ofRds1(found), ...ofIntervals(intervals), ...ofSs(n, population), ...ofGroups(found)];
}

function ofIntervals(intervals: readonly (Interval | null)[] | null): Note[] {
  if (!intervals?.some((one) => one?.low === null)) return [];
  return [{ estimator: 'RDS_II', code: 'NO_VARIATION', message: NO_VARIATION }];
}

export const NO_VARIATION =
  'All replicates of the tree bootstrap are the same, so that there is no interval.';

function ofRds1({ noRds1 }: Estimated): Note[] {
  if (noRds1 === null) return [];
  const message =
    noRds1 === 'NOT_CONNECTED'
      ? 'There are groups that never recruit each other: how large each is cannot be told from who recruits whom.'
      : 'Recruitment goes strictly back and forth between groups, and never settles.';
  return [{ estimator: 'RDS_I', code: noRds1, message }];
}

function ofSs(n: number, { size, low, high }: Sizes): Note[] {
  const unknown =
    size === null
      ? 'It needs the size of the population, which is not known.'
      : low === null || high === null
        ? 'It is of one size of the population: between which two that lies is not known, so that there is no lowest or highest figure.'
        : null;
  const below = [size, low, high].find((one) => one !== null && one < n);
  return [
    ...(below === undefined
      ? []
      : [
          {
            estimator: 'SS' as const,
            code: 'POPULATION_BELOW_SAMPLE' as const,
            message: `A population of ${below} is smaller than the sample of ${n}.`,
          },
        ]),
    ...(unknown === null
      ? []
      : [{ estimator: 'SS' as const, code: 'NO_POPULATION_SIZE' as const, message: unknown }]),
  ];
}

function ofGroups({ homophily, counts }: Estimated): Note[] {
  if (!homophily) return [];
  if (counts.length !== 1) return ofHomophily(homophily);
  const message =
    'All gave the same answer, so that there are no groups to compare; the estimate itself is 1.';
  return (['HOMOPHILY', 'DIFFERENTIAL_ACTIVITY'] as const).map((estimator) => ({
    estimator,
    code: 'ONE_LEVEL',
    message,
  }));
}

function ofHomophily({ recruitment, population }: NonNullable<Estimated['homophily']>): Note[] {
  if (recruitment !== null && !population.includes(null)) return [];
  if (recruitment === null) {
    const message = 'Of nobody are both the own answer and that of a recruit known.';
    return [{ estimator: 'HOMOPHILY', code: 'NOBODY_KNOWN', message }];
  }
  const message =
    'Of a group nobody whose recruits are all known recruited, or none of these recruits across.';
  return [{ estimator: 'HOMOPHILY', code: 'NOT_CONNECTED', message }];
}
