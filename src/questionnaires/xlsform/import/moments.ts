/** Dates and times of spreadsheet cells, and of defaults. Browser-safe. */

const SECOND = 1_000;
/** A cell with only a time of day has the first day of its spreadsheet's calendar, which began in 1900 or 1904. */
const NO_DAY = ['1899-12-30', '1899-12-31'];
const FIRST_DAY_1904 = '1904-01-01';

/**
 * `2026-11-21`, `22:30` or `2026-11-21T14:30`, without a time zone, which cells don't have. Rounded to seconds, because
 * cells store fractions of a day.
 */
export function dateCellText(cell: Date): string {
  if (Number.isNaN(cell.getTime())) return '';
  const [day = '', clock = ''] = new Date(Math.round(cell.getTime() / SECOND) * SECOND)
    .toISOString()
    .replace(/\.000Z$/, '')
    .split('T');
  const time = clock.replace(/:00$/, '');
  if (NO_DAY.includes(day) || (day === FIRST_DAY_1904 && time !== '00:00')) return time;
  return time === '00:00' ? day : `${day}T${time}`;
}

const MOMENT =
  /^(\d{4}-\d\d-\d\d)?(?:(?:^|[T ])(\d\d?:\d\d)(:\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** Formats a text for this type of input: a date, a time, or both. Returned unchanged if it is neither. */
export function formatMomentForInput(kind: 'date' | 'time' | 'datetime', text: string): string {
  const [, day, minutes, seconds = ''] = MOMENT.exec(text.trim()) ?? [];
  if (!day && !minutes) return text;
  const time = `${(minutes ?? '00:00').padStart(5, '0')}${seconds === ':00' ? '' : seconds}`;
  if (kind === 'time') return time;
  if (!day) return text;
  return kind === 'date' ? day : `${day}T${time}`;
}
