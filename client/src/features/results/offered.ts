/** Asked for before the pages of results are there: apart from what those read. */
import type { OutcomeChoice } from './results-wire.ts';

export const OUTCOMES = '/api/analysis/outcomes';
/** Without how many answered: at once, however many they are. */
export const OFFERED = `${OUTCOMES}?counted=false`;
export type OutcomeChoices = { data: OutcomeChoice[] };
