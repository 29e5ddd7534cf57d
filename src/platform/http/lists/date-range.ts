/** `from` and `to` of a list's query: days in the study's time zone, or instants. */
import { dayBounds } from '../../lib/day.ts';
import { fieldError } from '../problems/error-codes.ts';
import { queryParameterProblem } from '../problems/problem.ts';

interface DateRangeQuery {
  from?: string | Date | undefined;
  to?: string | Date | undefined;
}

/** In milliseconds, `to` exclusive; unlimited if not given. A day includes the whole day. */
export function parseTimeRange(
  { from, to }: DateRangeQuery,
  zone: string,
  names = { from: 'from', to: 'to' },
): { from: number; to: number } {
  const time = (at: Date) => at.getTime();
  const range = {
    from:
      from instanceof Date ? time(from) : from ? time(requireDay(names.from, from, zone).start) : -Infinity,
    to: to instanceof Date ? time(to) + 1 : to ? time(requireDay(names.to, to, zone).end) : Infinity,
  };
  // An empty list would look as if nothing had happened.
  if (range.from >= range.to) throw queryParameterProblem(fieldError(names.to, 'DAYS_REVERSED'));
  return range;
}

/** A filter on `field`. */
export function dateFilter(field: string, ...args: Parameters<typeof parseTimeRange>): object {
  const { from, to } = parseTimeRange(...args);
  const range = {
    ...(Number.isFinite(from) && { $gte: new Date(from) }),
    ...(Number.isFinite(to) && { $lt: new Date(to) }),
  };
  return Object.keys(range).length > 0 ? { [field]: range } : {};
}

function requireDay(path: string, day: string, zone: string): { start: Date; end: Date } {
  const bounds = dayBounds(day, zone);
  if (!bounds) throw queryParameterProblem(fieldError(path, 'NO_DAY'));
  return bounds;
}
