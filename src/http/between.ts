/** `from` and `to` of a list's query: days in the service's time zone, or instants. */
import { boundsOfDay } from '../lib/day.ts';
import { fieldError } from './faults.ts';
import { problem } from './problem.ts';

interface Between {
  from?: string | Date | undefined;
  to?: string | Date | undefined;
}

/**
 * `from` and `to` as a range of createdAt, both inclusive: a day means all of it, in the service's time zone. 400 where
 * they are reversed: an empty answer would look as if nothing had happened.
 */
export const createdWithin = (asked: Between, zone: string) => within('createdAt', asked, zone);

/** The same of the time by which an interview is counted. */
export const heldWithin = (asked: Between, zone: string) => within('heldAt', asked, zone);

function within<Field extends string>(
  field: Field,
  { from, to }: Between,
  zone: string,
): { [F in Field]?: Record<string, Date> } {
  const range: { $gte?: Date; $lte?: Date; $lt?: Date } = {};
  if (from !== undefined) range.$gte = from instanceof Date ? from : dayOrRefuse('from', from, zone).start;
  if (to instanceof Date) range.$lte = to;
  else if (to !== undefined) range.$lt = dayOrRefuse('to', to, zone).end;
  const { $gte, $lte, $lt } = range;
  if ($gte && (($lte && $gte > $lte) || ($lt && $gte >= $lt)))
    throw problem('INVALID_QUERY', { errors: [fieldError('to', 'DAYS_REVERSED')] });
  return (Object.keys(range).length > 0 ? { [field]: range } : {}) as { [F in Field]?: Record<string, Date> };
}

function dayOrRefuse(path: string, day: string, zone: string): { start: Date; end: Date } {
  const bounds = boundsOfDay(day, zone);
  if (!bounds) throw problem('INVALID_QUERY', { errors: [fieldError(path, 'NO_DAY')] });
  return bounds;
}
