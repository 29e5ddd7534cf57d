/** Events of the history that are told as one act. */
import { actsOf } from '../../client/src/features/history/group-events.ts';

type Event = Parameters<typeof actsOf>[0][number];

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
const told = (events: Event[]) => actsOf(events).map(({ id, others = [] }) => [id, others.length]);

test('what was done to several within seconds, from the same to the same, is one act', () => {
  expect(told([event(3), event(2), event(1)])).toEqual([['3', 2]]);
});

test('another value before or after, another person, reason or moment is another act; another site is not', () => {
  const from = { changes: [{ path: 'location', before: 'mission', after: 'chapel' }] };
  const to = { changes: [{ path: 'location', before: 'harbor', after: 'mission' }] };
  for (const other of [from, to, { by: 'rosa' }, { reason: 'wet' }])
    expect(told([event(2), event(1, other)])).toEqual([
      ['2', 0],
      ['1', 0],
    ]);
  expect(told([event(9), event(1)])).toHaveLength(2);
  expect(told([event(2), event(1, { location: 'harbor' })])).toEqual([['2', 1]]);
});
