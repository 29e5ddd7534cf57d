/** Why a figure has no value. */
import type { z } from 'zod';
import type { NoEquilibriumReason } from '../estimators/rds1.ts';
import type { OutcomeEstimate, PopulationSizeRange } from './estimate.ts';
import type { EstimateInterval, EstimateNote as NoteShape } from './schema.ts';

export type EstimateNoteInput = z.input<typeof NoteShape>;

const ALL = ['MEAN', 'RDS_I', 'RDS_II', 'SS', 'TRIMMED'] as const;

export function missingFigureNotesOf(
  estimate: OutcomeEstimate,
  n: number,
  population: PopulationSizeRange,
  intervals: readonly (Pick<EstimateInterval, 'low'> | null)[] | null,
): EstimateNoteInput[] {
  if (estimate.known === 0)
    return ALL.map((estimator) => ({
      estimator,
      code: 'NOBODY_KNOWN',
      message: 'No one in the sample answered.',
    }));
  return [
    ...rds1Notes(estimate),
    ...intervalNotes(intervals),
    ...ssNotes(n, population),
    ...groupNotes(estimate),
  ];
}

function intervalNotes(
  intervals: readonly (Pick<EstimateInterval, 'low'> | null)[] | null,
): EstimateNoteInput[] {
  if (!intervals?.some((one) => one?.low === null)) return [];
  return [{ estimator: 'RDS_II', code: 'NO_VARIATION', message: NO_VARIATION_MESSAGE }];
}

export const NO_VARIATION_MESSAGE = 'There is no interval because all bootstrap replicates are the same.';

function rds1Notes({ noRds1 }: OutcomeEstimate): EstimateNoteInput[] {
  if (noRds1 === null) return [];
  return [{ estimator: 'RDS_I', code: noRds1, message: NO_RDS1[noRds1] }];
}

const NO_RDS1: Record<NoEquilibriumReason, string> = {
  NOT_CONNECTED:
    'Some groups never recruit each other, so their sizes can’t be estimated from who recruits whom.',
  PERIODIC: 'Recruitment strictly alternates between groups and never settles.',
  NO_RECRUITS: 'No one is known whose recruiter’s answer is known too, so nothing says who recruits whom.',
};

function ssNotes(n: number, { size, low, high }: PopulationSizeRange): EstimateNoteInput[] {
  const unknown =
    size === null
      ? 'This needs the population size, which is unknown.'
      : low === null || high === null
        ? 'This uses a single population size. The lowest and highest sizes are unknown, so there is no range.'
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

function groupNotes({ homophily, transitions, counts }: OutcomeEstimate): EstimateNoteInput[] {
  if (!homophily || !transitions) return [];
  if (counts.length !== 1) return homophilyNotes(homophily, transitions.counts);
  const message = 'Everyone gave the same answer, so there are no groups to compare. The estimate is 1.';
  return (['HOMOPHILY', 'DIFFERENTIAL_ACTIVITY'] as const).map((estimator) => ({
    estimator,
    code: 'ONE_LEVEL',
    message,
  }));
}

function homophilyNotes(
  { recruitment, population }: NonNullable<OutcomeEstimate['homophily']>,
  transitions: number[][],
): EstimateNoteInput[] {
  if (recruitment !== null && !population.includes(null)) return [];
  if (!transitions.flat().some((count) => count > 0)) {
    const message = 'There is no one whose own answer and a recruit’s answer are both known.';
    return [{ estimator: 'HOMOPHILY', code: 'NOBODY_KNOWN', message }];
  }
  const message =
    recruitment === null
      ? 'No group has both recruiters and recruits, so there is nothing to compare with.'
      : 'One group has no recruiters whose recruits all answered, or none of these recruits are in another group.';
  return [{ estimator: 'HOMOPHILY', code: 'NOT_CONNECTED', message }];
}
