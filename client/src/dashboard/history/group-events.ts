/** Groups events that one action caused on many records, such as the coupons of a voided batch. */
import type { AuditEvent } from '../kit/data/desk-wire.ts';
import { eventKindOf, isShownChange } from './event-kind.ts';

/** What was done within so many milliseconds to one and the next is taken for one act. */
const SAME_ACTION_MS = 3_000;

export interface EventGroup extends AuditEvent {
  /** Those that came with it, in the order of the list. */
  others?: AuditEvent[];
}

const whatWasDone = (event: AuditEvent) =>
  JSON.stringify([
    eventKindOf(event),
    event.by,
    event.reason,
    event.hidden,
    event.changes.filter(isShownChange).map(({ path, before, after }) => [path, before, after]),
  ]);

/** Of a list by time, whichever way. What was made or deleted is told one by one. */
export function groupEvents(events: AuditEvent[]): EventGroup[] {
  const acts: (EventGroup & { others: AuditEvent[] })[] = [];
  for (const event of events) {
    const last = acts.at(-1);
    const before = last && (last.others.at(-1) ?? last);
    const isSame =
      before &&
      event.action === 'update' &&
      whatWasDone(before) === whatWasDone(event) &&
      Math.abs(Date.parse(before.at) - Date.parse(event.at)) <= SAME_ACTION_MS;
    if (isSame) last.others.push(event);
    else acts.push({ ...event, others: [] });
  }
  return acts;
}
