import { localeTagOf } from '../../../texts/i18n.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago, in the largest unit that fits. */
export function relativeTime(at: string, language: string, now = Date.now()): string {
  const past = new Date(at).getTime() - now;
  const [unit, length] = UNITS.find(([, one]) => Math.abs(past) >= one) ?? UNITS[2];
  // Elapsed days are not calendar days, so "yesterday" could be wrong.
  const numeric = unit === 'day' ? 'always' : 'auto';
  return new Intl.RelativeTimeFormat(localeTagOf(language), { numeric }).format(
    Math.trunc(past / length),
    unit,
  );
}
