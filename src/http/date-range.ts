/** `from` and `to` of a list's query: days in the study's time zone, or instants. */
import { dayBounds } from '../lib/day.ts';
import { fieldError } from './error-codes.ts';
import { problem } from './problem.ts';

interface DateRangeQuery {
  from?: string | Date | undefined;
  to?: string | Date | undefined;
}

/**
 * A filter on `createdAt` from `from` to `to`, both inclusive; a day means all of it. 400 if they are reversed, because an
 * empty list would look as if nothing had happened.
 */
export const createdAtRange = (asked: DateRangeQuery, zone: string) => dateRange('createdAt', asked, zone);

/** The same for the time by which an interview is counted. */
export const heldAtRange = (asked: DateRangeQuery, zone: string) => dateRange('heldAt', asked, zone);

/** The same for when an incentive was paid. */
export const paidAtRange = (asked: DateRangeQuery, zone: string) => dateRange('paidAt', asked, zone);

/** The same where `from` and `to` are other dates. */
export const paidBetween = (
  { paidFrom, paidTo }: { paidFrom?: string | Date | undefined; paidTo?: string | Date | undefined },
  zone: string,
) =>
  dateRange(
    'paidAt',
    // The index has only what was paid, and is used only for a query that says so.
    { from: paidFrom ?? (paidTo && new Date(1)), to: paidTo },
    zone,
    { from: 'paidFrom', to: 'paidTo' },
  );

/** The same for when something was found. */
export const atRange = (asked: DateRangeQuery, zone: string) => dateRange('at', asked, zone);

function dateRange<Field extends string>(
  field: Field,
  { from, to }: DateRangeQuery,
  zone: string,
  names = { from: 'from', to: 'to' },
): { [F in Field]?: Record<string, Date> } {
  const range: { $gte?: Date; $lte?: Date; $lt?: Date } = {};
  if (from !== undefined) range.$gte = from instanceof Date ? from : requireDay(names.from, from, zone).start;
  if (to instanceof Date) range.$lte = to;
  else if (to !== undefined) range.$lt = requireDay(names.to, to, zone).end;
  const { $gte, $lte, $lt } = range;
  if ($gte && (($lte && $gte > $lte) || ($lt && $gte >= $lt)))
    throw problem('INVALID_QUERY', { errors: [fieldError(names.to, 'DAYS_REVERSED')] });
  return (Object.keys(range).length > 0 ? { [field]: range } : {}) as { [F in Field]?: Record<string, Date> };
}

function requireDay(path: string, day: string, zone: string): { start: Date; end: Date } {
  const bounds = dayBounds(day, zone);
  if (!bounds) throw problem('INVALID_QUERY', { errors: [fieldError(path, 'NO_DAY')] });
  return bounds;
}
