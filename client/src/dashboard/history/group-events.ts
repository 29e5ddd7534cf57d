/** Groups events that one action caused on many records, such as the coupons of a voided batch. */
import type { AuditEvent } from '../kit/data/dashboard-wire.ts';
import { eventKindOf, isShownChange } from './event-kind.ts';

/** Changes at most this far apart count as one action. */
const SAME_ACTION_MS = 3_000;

export interface EventGroup extends AuditEvent {
  /** The other events of the same action, in list order. */
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

/** Expects events in order of time, ascending or descending. Only updates are grouped. */
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
