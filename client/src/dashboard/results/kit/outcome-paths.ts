/** Requests made before the results pages load, in a file without those pages' dependencies. */
import type { ListedOutcome } from './results-wire.ts';

export const OUTCOMES_PATH = '/api/analysis/outcomes';
/** Without the counts of answers: fast, no matter how many interviews there are. */
export const FAST_OUTCOMES_PATH = `${OUTCOMES_PATH}?counted=false`;
export type OutcomeChoices = { data: ListedOutcome[] };
