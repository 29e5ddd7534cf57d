import { dayBounds, dayBoundsAt, isoDateAt } from '../../src/platform/lib/day.ts';
import fc from '../fast-check.ts';

const HOUR = 3_600_000;
const span = (day: string, zone: string) => {
  const bounds = dayBounds(day, zone);
  return bounds && [bounds.start.toISOString(), bounds.end.toISOString()];
};

test.each([
  ['an ordinary day', '2026-06-15', 'America/Los_Angeles', '2026-06-15T07:00:00.000Z', 24],
  ['23 hours', '2026-03-08', 'America/Los_Angeles', '2026-03-08T08:00:00.000Z', 23],
  ['25 hours', '2026-11-01', 'America/Los_Angeles', '2026-11-01T07:00:00.000Z', 25],
  ['24.5 hours', '2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00:00.000Z', 24.5],
  ['midnight comes twice', '2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', 25],
  ['midnight never comes', '2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z', 23],
  ['clocks go back at midnight', '2023-03-25', 'America/Asuncion', '2023-03-25T03:00:00.000Z', 25],
  ['a quarter-hour zone', '2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z', 24],
  ['a date that the time zone skipped', '2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 0],
  ['the date after it', '2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 24],
  ['a leap day', '2028-02-29', 'UTC', '2028-02-29T00:00:00.000Z', 24],
])('%s: %s in %s begins at %s and has %d hours', (_what, day, zone, start, hours) => {
  const end = new Date(Date.parse(start) + hours * HOUR).toISOString();
  expect(span(day, zone)).toEqual([start, end]);
});

test.each(['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '26-01-01', '2026-1-1', '', 'today'])(
  '%j is not a valid day',
  (text) => {
    expect(dayBounds(text, 'UTC')).toBeNull();
  },
);

test.each(['2026-01-01T00:00', ' 2026-01-01', '2026-01-01[u-ca=hebrew]', '+002026-01-01', '20260101'])(
  '%j is not a plain date',
  (text) => {
    expect(dayBounds(text, 'UTC')).toBeNull();
  },
);

test('times just before and after midnight belong to different days', () => {
  const zone = 'America/New_York';
  const before = new Date('2026-07-05T03:55:00Z');
  const after = new Date('2026-07-05T04:05:00Z');
  expect([isoDateAt(before, zone), isoDateAt(after, zone)]).toEqual(['2026-07-04', '2026-07-05']);
  expect(dayBoundsAt(before, zone).end).toEqual(dayBoundsAt(after, zone).start);
  expect(dayBoundsAt(after, zone).start).toEqual(new Date('2026-07-05T04:00:00Z'));
});

test('the end of a day belongs to the next day', () => {
  const zone = 'Europe/Berlin';
  const { end } = dayBoundsAt(new Date('2026-10-25T10:00:00Z'), zone);
  expect(dayBoundsAt(end, zone).start).toEqual(end);
  expect(dayBoundsAt(new Date(end.getTime() - 1), zone).end).toEqual(end);
});

test('when clocks go back over midnight, the new day continues', () => {
  // St. John's, 7 November 2010: at 00:01 clocks went back to 23:01 of the 6th.
  const zone = 'America/St_Johns';
  const start = new Date('2010-11-07T02:30:00Z');
  for (const at of ['2010-11-07T02:30:30Z', '2010-11-07T02:45:00Z', '2010-11-07T04:00:00Z']) {
    expect(dayBoundsAt(new Date('2010-11-06T12:00:00Z'), zone).end).toEqual(start);
    expect([dayBoundsAt(new Date(at), zone).start, isoDateAt(new Date(at), zone)]).toEqual([
      start,
      '2010-11-07',
    ]);
  }
});

test('modifying a returned date does not change later results', () => {
  const at = new Date('2026-07-05T12:00:00Z');
  dayBoundsAt(at, 'UTC').start.setTime(0);
  expect(dayBoundsAt(at, 'UTC').start).toEqual(new Date('2026-07-05T00:00:00Z'));
});

test('an unknown time zone throws', () => {
  expect(() => dayBoundsAt(new Date(), 'Mars/Olympus')).toThrow(RangeError);
});

const ZONES = ['America/Los_Angeles', 'America/Havana', 'Asia/Gaza', 'Asia/Beirut', 'Africa/Cairo'];
const MORE = ['America/Asuncion', 'Australia/Lord_Howe', 'Pacific/Chatham', 'America/Nuuk', 'UTC'];

test('every instant is within its day, whose date gives the same bounds', () => {
  const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2037-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(instants, fc.constantFrom(...ZONES, ...MORE), (at, zone) => {
      const { start, end } = dayBoundsAt(at, zone);
      expect(start <= at && at < end).toBe(true);
      expect(dayBounds(isoDateAt(at, zone), zone)).toEqual({ start, end });
      expect(dayBoundsAt(end, zone).start).toEqual(end);
      expect(isoDateAt(new Date(start.getTime() - 1), zone) < isoDateAt(at, zone)).toBe(true);
    }),
    { numRuns: 1500 },
  );
});

test('dates around every midnight of three years agree with Intl.DateTimeFormat', () => {
  for (const zone of ZONES) {
    const wall = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
    for (let at = Date.parse('2024-01-01'); at < Date.parse('2027-01-01'); at += 24 * HOUR) {
      const { end } = dayBoundsAt(new Date(at), zone);
      for (const minutes of [-30, -1, 0, 1, 30]) {
        const instant = new Date(end.getTime() + minutes * 60_000);
        if (isoDateAt(instant, zone) !== wall.format(instant))
          throw new Error(`${zone} ${instant.toISOString()}`);
      }
    }
  }
});

test('repeated day bounds take less than 20 microseconds', () => {
  const at = new Date();
  dayBoundsAt(at, 'America/Chicago');
  const start = process.cpuUsage();
  for (let i = 0; i < 20_000; i += 1) dayBoundsAt(at, 'America/Chicago');
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 20_000).toBeLessThan(20);
});
