/** Requests made before the results pages are loaded, separate from what those pages read. */
import type { OutcomeChoice } from './results-wire.ts';

export const OUTCOMES = '/api/analysis/outcomes';
/** Without how many answered: at once, however many they are. */
export const OFFERED = `${OUTCOMES}?counted=false`;
export type OutcomeChoices = { data: OutcomeChoice[] };
