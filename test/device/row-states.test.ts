/** Every state of a finished interview with every event, under any clock: only the state machine, without a browser. */

import { setClock } from '../../client/src/device/clock.ts';
import type { OutboxRow } from '../../client/src/device/store/store.ts';
import {
  canSendCodesWithInterview,
  flagCodesOf,
  msUntilSendable,
  type OutboxRowEvent,
  type OutboxRowState,
  outboxHoldEnd,
  outboxRowChangeFor,
  outboxRowStateOf,
  shownState,
  unreportedCoupons,
} from '../../client/src/offline/row-states.ts';
import { refusalReason } from '../../client/src/phone/outbox/refusal-reason.ts';
import { outboxRowsToShow } from '../../client/src/phone/outbox/rows-to-show.ts';
import type { Survey } from '../../client/src/wire.ts';
import fc from '../fast-check.ts';

const MINUTE = 60_000;
const time = { now: 0 };
const START = Date.parse('2026-03-01T10:00:00Z');

beforeEach(() => {
  time.now = START;
  setClock({ now: () => time.now, ticks: () => 0 });
});
afterAll(() => setClock());

const REFUSED = { status: 400, code: null, message: 'no', errors: [] };
const SURVEY = {
  id: 'b'.repeat(24),
  issuedCodes: ['ONE'],
  flags: [{ code: 'SECOND_COPY' }],
} as unknown as Survey;

/** The row as it is stored when the interview is finished. */
const finished = (): OutboxRow =>
  ({
    clientId: 'one',
    state: 'waiting',
    body: { location: 'here' },
    location: 'here',
    issuedCodes: [],
    finishedAt: new Date(time.now).toISOString(),
    heldUntil: outboxHoldEnd(time.now),
    attempts: 0,
    retryAt: 0,
    refused: null,
    sentAt: null,
    survey: null,
    flags: [],
  }) as unknown as OutboxRow;

const EVENTS: { [Type in OutboxRowEvent['type']]: Extract<OutboxRowEvent, { type: Type }> } = {
  hold: { type: 'hold' },
  release: { type: 'release' },
  sendNow: { type: 'sendNow' },
  send: { type: 'send' },
  noReply: { type: 'noReply' },
  failed: { type: 'failed', wait: 30_000 },
  refused: { type: 'refused', refused: REFUSED },
  arrived: { type: 'arrived', survey: SURVEY },
  retry: { type: 'retry', location: 'there' },
  settle: { type: 'settle' },
};

function after(row: OutboxRow, ...events: OutboxRowEvent['type'][]): OutboxRow {
  let now = row;
  for (const type of events) {
    const change = outboxRowChangeFor(now, EVENTS[type]);
    if (change) now = { ...now, ...change };
  }
  return now;
}

/** How each state is reached. */
const IN: Record<OutboxRowState, () => OutboxRow> = {
  held: finished,
  waiting: () => after(finished(), 'release'),
  sending: () => after(finished(), 'release', 'send'),
  sent: () => after(finished(), 'release', 'send', 'arrived'),
  attention: () => after(finished(), 'release', 'send', 'refused'),
};

/** The resulting state; without an entry, the event comes too late and changes nothing. */
const TABLE: Record<OutboxRowState, Partial<Record<OutboxRowEvent['type'], OutboxRowState>>> = {
  held: { hold: 'held', release: 'waiting', sendNow: 'waiting', arrived: 'sent' },
  waiting: { release: 'waiting', sendNow: 'waiting', send: 'sending', arrived: 'sent' },
  sending: {
    release: 'sending',
    noReply: 'waiting',
    failed: 'waiting',
    refused: 'attention',
    arrived: 'sent',
  },
  sent: {},
  attention: { retry: 'waiting', settle: 'sent', arrived: 'sent' },
};

for (const [state, ways] of Object.entries(TABLE) as [OutboxRowState, (typeof TABLE)[OutboxRowState]][]) {
  test(`from "${state}" an interview can change only to: ${Object.keys(ways).join(', ') || 'nowhere'}`, () => {
    const row = IN[state]();
    expect(outboxRowStateOf(row)).toBe(state);
    for (const event of Object.values(EVENTS)) {
      const change = outboxRowChangeFor(row, event);
      const to = change && outboxRowStateOf({ ...row, ...change });
      expect([event.type, to]).toEqual([event.type, ways[event.type] ?? null]);
    }
  });
}

test('a hold renewed by the page lasts at most ten minutes; otherwise it ends within one', () => {
  let row = finished();
  for (let renewed = 0; renewed < 29; renewed += 1) {
    time.now += 20_000;
    row = after(row, 'hold');
    expect(outboxRowStateOf(row)).toBe('held');
  }
  time.now += 20_000;
  expect(outboxRowChangeFor(row, EVENTS.hold)).not.toBeNull();
  time.now += 20_000;
  expect(outboxRowChangeFor(row, EVENTS.hold)).toBeNull();
  time.now += MINUTE;
  expect(outboxRowStateOf(row)).toBe('waiting');
  // An interview whose coupons are handed out is not held again.
  expect(outboxRowChangeFor(IN.waiting(), EVENTS.hold)).toBeNull();
});

test('an interview waits after a service error, and its coupons can no longer change with it', () => {
  const row = after(IN.sending(), 'failed');
  expect([
    msUntilSendable(row),
    canSendCodesWithInterview(row),
    canSendCodesWithInterview(IN.waiting()),
  ]).toEqual([30_000, false, true]);
  expect(outboxRowChangeFor(row, EVENTS.send)).toBeNull();
  expect(outboxRowStateOf(after(row, 'sendNow', 'send'))).toBe('sending');
  time.now += 30_001;
  expect(outboxRowStateOf(after(row, 'send'))).toBe('sending');
});

test('a received interview keeps no answers, and coupons printed meanwhile are still to be sent', () => {
  const row = after({ ...IN.sending(), printed: ['ONE', 'TWO'] }, 'arrived');
  expect(row).toMatchObject({ body: null, survey: SURVEY.id, issuedCodes: ['ONE'], late: ['TWO'] });
  expect(row.flags).toEqual(['SECOND_COPY']);
});

test('coupons go with an interview only before its first request', () => {
  expect(canSendCodesWithInterview(finished())).toBe(true);
  expect(canSendCodesWithInterview(IN.sending())).toBe(false);
  expect(canSendCodesWithInterview({ ...IN.attention(), attempts: 0 })).toBe(false);
});

test('of the coupons added late, those that the service has not refused are still to be sent', () => {
  const lateRefused = [{ code: 'TWO', status: 409, message: 'no' }];
  expect(unreportedCoupons(finished())).toEqual([]);
  expect(unreportedCoupons({ ...finished(), late: ['ONE', 'TWO'] })).toEqual(['ONE', 'TWO']);
  expect(unreportedCoupons({ ...finished(), late: ['ONE', 'TWO'], lateRefused })).toEqual(['ONE']);
});

test('the claim number is the code of a person who takes part; a reply without one changes nothing', () => {
  const claimNumberIn = (more: object) =>
    outboxRowChangeFor(IN.sending(), { type: 'arrived', survey: { ...SURVEY, ...more } as Survey })
      ?.claimNumber;
  expect(claimNumberIn({ referralCode: 'CODE' })).toBe('CODE');
  expect(claimNumberIn({ referralCode: 'CODE', takesPart: true })).toBe('CODE');
  expect(claimNumberIn({ referralCode: 'CODE', takesPart: false })).toBeNull();
  expect(claimNumberIn({ referralCode: null })).toBeNull();
  expect(outboxRowChangeFor(IN.sending(), EVENTS.arrived)).not.toHaveProperty('claimNumber');
});

test('flags are read as records and as codes', () => {
  expect(flagCodesOf({ flags: [{ code: 'SECOND_COPY' }] } as Survey)).toEqual(['SECOND_COPY']);
  expect(flagCodesOf({ flags: ['SECOND_COPY'] } as never)).toEqual(['SECOND_COPY']);
});

test('an interview without its answers can not be sent again', () => {
  expect(outboxRowChangeFor({ ...IN.attention(), body: null }, EVENTS.retry)).toBeNull();
});

test('sent interviews with rejected or unsent coupons are always listed before other sent ones', () => {
  const sentRow = IN.sent();
  const [refused, late] = [
    { ...sentRow, clientId: 'refused' },
    { ...sentRow, clientId: 'late' },
  ];
  refused.late = late.late = ['TWO'];
  refused.lateRefused = [{ code: 'TWO', status: 400, message: 'no' }];
  const rows = [late, refused, ...Array.from({ length: 60 }, () => sentRow)];
  expect([refused, late, sentRow].map(shownState)).toEqual(['attention', 'waiting', 'sent']);
  const listed = outboxRowsToShow(rows);
  expect(listed.slice(0, 2)).toEqual([refused, late]);
  expect(listed).toHaveLength(52);
});

test('a second version of an interview is compared only if the service saved it; otherwise it can be rescued', () => {
  const conflict = { ...REFUSED, status: 409, code: 'EDIT_CONFLICT' };
  expect(refusalReason({ ...conflict, reason: 'COPY_KEPT' })).toBe('conflict');
  expect(refusalReason(conflict)).toBe('conflict');
  expect(refusalReason({ ...conflict, reason: 'COPY_NOT_KEPT' })).toBe('other');
});

test('retrying with another site changes the site in the interview', () => {
  expect(after(IN.attention(), 'retry')).toMatchObject({ location: 'there', body: { location: 'there' } });
});

test('with any order of events and any clock, answers stay until sent and wait at most a minute', () => {
  const types = Object.keys(EVENTS) as OutboxRowEvent['type'][];
  const step = fc.record({ type: fc.constantFrom(...types), clock: fc.integer({ min: -4e9, max: 4e9 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      time.now = START;
      let row = finished();
      for (const { type, clock } of steps) {
        time.now += clock;
        const before = row;
        row = after(row, type);
        expect(row.body === null).toBe(row.state === 'sent');
        expect(row.attempts).toBeGreaterThanOrEqual(before.attempts);
        expect(msUntilSendable(row)).toBeLessThanOrEqual(MINUTE);
        if (before.state === 'sent') expect(row).toBe(before);
      }
      // From every resulting state, a person and the service can finish it.
      expect(outboxRowStateOf(after(row, 'retry', 'noReply', 'sendNow', 'send', 'arrived'))).toBe('sent');
    }),
  );
});
