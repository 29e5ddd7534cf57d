/** How long ago, in the largest unit that fits. */
import { tagOf } from '../i18n.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

export function ageOf(at: string, language: string): string {
  const format = new Intl.RelativeTimeFormat(tagOf(language), { numeric: 'auto' });
  const past = new Date(at).getTime() - Date.now();
  for (const [unit, length] of UNITS) {
    if (Math.abs(past) >= length) return format.format(Math.trunc(past / length), unit);
  }
  return format.format(0, 'minute');
}
