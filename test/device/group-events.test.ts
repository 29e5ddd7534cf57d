/** Events of the history that are shown as one action. */
import { groupEvents } from '../../client/src/dashboard/history/group-events.ts';

type Event = Parameters<typeof groupEvents>[0][number];

const event = (second: number, more: Partial<Event> = {}): Event =>
  ({
    id: String(second),
    at: new Date(Date.UTC(2026, 10, 23, 9, 0, second)).toISOString(),
    by: 'ana',
    subject: 'User',
    record: `person ${second}`,
    action: 'update',
    location: null,
    reason: null,
    changes: [{ path: 'location', before: 'harbor', after: 'chapel' }],
    names: {},
    ...more,
  }) as Event;
const groupsOf = (events: Event[]) => groupEvents(events).map(({ id, others = [] }) => [id, others.length]);

test('the same change to several records within seconds is grouped as one', () => {
  expect(groupsOf([event(3), event(2), event(1)])).toEqual([['3', 2]]);
});

test('changes with another value, person, reason or time are not grouped; with another site they are', () => {
  const from = { changes: [{ path: 'location', before: 'mission', after: 'chapel' }] };
  const to = { changes: [{ path: 'location', before: 'harbor', after: 'mission' }] };
  for (const other of [from, to, { by: 'rosa' }, { reason: 'wet' }])
    expect(groupsOf([event(2), event(1, other)])).toEqual([
      ['2', 0],
      ['1', 0],
    ]);
  expect(groupsOf([event(9), event(1)])).toHaveLength(2);
  expect(groupsOf([event(2), event(1, { location: 'harbor' })])).toEqual([['2', 1]]);
});
