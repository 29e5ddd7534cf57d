/** Requests made before the results pages are loaded, separate from what those pages read. */
import type { OutcomeChoice } from './results-wire.ts';

export const OUTCOMES_PATH = '/api/analysis/outcomes';
/** Without how many answered: at once, however many they are. */
export const UNCOUNTED_OUTCOMES_PATH = `${OUTCOMES_PATH}?counted=false`;
export type OutcomeChoices = { data: OutcomeChoice[] };
