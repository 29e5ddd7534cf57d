/** Names of the answers that have estimates. */
import { useStudy } from '../../../session/records.ts';
import { useResultsPageText } from '../results-text.ts';
import { titleIn } from './format-figures.ts';
import type { EstimateLevel, Estimates } from './results-wire.ts';

/** With two answers, the headline is about "yes": the other share is the complement. */
const YES_LEVEL = /^(yes|true|1)$/i;

/** The answers for the headline: "yes", or the most frequent ones. */
export function headlineLevels({ levels }: Pick<Estimates, 'levels'>): EstimateLevel[] {
  if (levels.length === 2) {
    const yes = levels.find(({ value }) => YES_LEVEL.test(value ?? ''));
    if (yes) return [yes];
  }
  return levels
    .filter(({ hidden }) => !hidden)
    .toSorted((a, b) => (b.rds2 ?? 0) - (a.rds2 ?? 0))
    .slice(0, 3);
}

/** The interval to show first. */
export const mainInterval = ({ first }: Pick<Estimates, 'first'>, { interval, cautious }: EstimateLevel) =>
  first === 'TREE' ? cautious : interval;

export function useLevelTitle() {
  const { t, language } = useResultsPageText();
  return ({ value, title }: { value: string | null; title?: EstimateLevel['title'] }) =>
    value === null ? t('mean') : titleIn(title, language, value);
}

/** Shown instead of figures that would reveal individual people. */
export function useSuppressedFigureText(): string {
  const { t } = useResultsPageText();
  const min = useStudy()?.smallestCell ?? 5;
  return t('hidden', { number: min });
}
