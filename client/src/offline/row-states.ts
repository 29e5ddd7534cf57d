/**
 * The states of a finished interview on this device, and the only ways from one to the next:
 *
 *   held ── released, or its time is over ──▶ waiting ── send ──▶ sending ── arrived ──▶ sent
 *                                                ▲  ◀── not reached, failed ──┘ │           ▲
 *                                                └── retry ── attention ◀── refused ── settle ┘
 *
 * Pure: a row and an event make the change to be stored, or null where the event has come too late. The time is that of
 * clock.ts, whatever anybody sets it to.
 */
import { isOlderThan, now, nowText, timeLeft } from '../device/clock.ts';
import type { OutboxRow, OutboxState, RefusedRow } from '../device/store/store.ts';
import type { ArrivedSurvey } from '../wire.ts';

/** `attention`: it needs a person. */
export type RowState = 'held' | 'waiting' | 'sending' | 'sent' | 'attention';

export type RowEvent =
  /** The page of its coupons is still open. */
  | { type: 'hold' }
  /** The coupons are handed out. */
  | { type: 'release' }
  /** The person wants it sent at once. */
  | { type: 'sendNow' }
  | { type: 'send' }
  /** Nobody knows whether it arrived: no answer, or not now. */
  | { type: 'noReply' }
  /** The service failed on it: the others go first. */
  | { type: 'failed'; wait: number }
  | { type: 'refused'; refused: RefusedRow }
  | { type: 'arrived'; survey: ArrivedSurvey }
  /** Once more, as it is or with another site. */
  | { type: 'retry'; location?: string }
  /** The service has it in two versions and keeps both: here there is nothing left to do. */
  | { type: 'settle' };

/**
 * While the page of its coupons is open, a finished interview is held back, since the codes travel with it. The page
 * renews the hold; where the page is gone, by whatever cause, the interview is on its way within a minute.
 */
const HOLD_MS = 60_000;
const MAX_HOLD_MS = 10 * 60_000;
export const RENEW_HOLD_MS = 20_000;
/** The longest that one which upset the service waits. */
export const MAX_RETRY_MS = 60_000;

export const holdUntil = (moment: number): number => moment + HOLD_MS;

export const stateOf = (row: OutboxRow): RowState =>
  row.state === 'waiting' && timeLeft(row.heldUntil, HOLD_MS) > 0 ? 'held' : row.state;

/** How long until this row may go out, whatever the clock did meanwhile. */
export const waitMs = (row: OutboxRow): number =>
  Math.max(timeLeft(row.heldUntil, HOLD_MS), timeLeft(row.retryAt, MAX_RETRY_MS));

/** Whether the codes can still travel with the interview: once a request went out, the service may have it already. */
export const travelsWithInterview = (row: OutboxRow): boolean =>
  row.state === 'waiting' && row.attempts === 0;

/** Printed coupons that the service still has to be told of. */
export const unreportedCoupons = ({ late = [], lateRefused = [] }: OutboxRow): string[] =>
  late.filter((code) => !lateRefused.some((one) => one.code === code));

/** The state that people see: of an interview that was sent, that of its coupons. */
export function shownState(row: OutboxRow): OutboxState {
  if (row.state !== 'sent') return row.state;
  if (row.lateRefused?.length) return 'attention';
  return unreportedCoupons(row).length > 0 ? 'waiting' : 'sent';
}

type Change = Partial<OutboxRow>;
type EventOf<Type> = Extract<RowEvent, { type: Type }>;
type Transition<Type> = { from: RowState[]; to(row: OutboxRow, event: EventOf<Type>): Change | null };

const TRANSITIONS: { [Type in RowEvent['type']]: Transition<Type> } = {
  hold: {
    from: ['held', 'waiting'],
    to: ({ heldUntil, finishedAt }) =>
      heldUntil > 0 && !isOlderThan(Date.parse(finishedAt), MAX_HOLD_MS)
        ? { heldUntil: now() + HOLD_MS }
        : null,
  },
  // One that is on its way is not held when it comes back.
  release: { from: ['held', 'waiting', 'sending'], to: () => ({ heldUntil: 0 }) },
  sendNow: { from: ['held', 'waiting'], to: () => ({ heldUntil: 0, retryAt: 0 }) },
  send: {
    from: ['waiting'],
    to: (row) => (row.body && waitMs(row) === 0 ? { state: 'sending', attempts: row.attempts + 1 } : null),
  },
  noReply: { from: ['sending'], to: () => ({ state: 'waiting' }) },
  failed: {
    from: ['sending'],
    to: (_, { wait }) => ({ state: 'waiting', retryAt: now() + Math.min(wait, MAX_RETRY_MS) }),
  },
  refused: { from: ['sending'], to: (_, { refused }) => ({ state: 'attention', refused }) },
  // Whatever another window made of it meanwhile: the service has it.
  arrived: {
    from: ['held', 'waiting', 'sending', 'attention'],
    to: (row, { survey }) => arrived(row, survey),
  },
  retry: {
    from: ['attention'],
    to: ({ body: before }, { location }) => {
      if (!before) return null;
      const body = location ? { ...before, location } : before;
      return { state: 'waiting', retryAt: 0, heldUntil: 0, refused: null, body, location: body.location };
    },
  },
  settle: {
    from: ['attention'],
    to: () => ({ state: 'sent', body: null, refused: null, sentAt: nowText() }),
  },
};

/** The answers leave the device with the service's word that it has them. */
function arrived({ printed = [], late = [] }: OutboxRow, survey: ArrivedSurvey): Change {
  // Scanned while the request was on its way, or refused with it: the service is told of them by themselves.
  const without = [...late, ...printed].filter((code) => !survey.issuedCodes.includes(code));
  return {
    state: 'sent',
    body: null,
    refused: null,
    sentAt: nowText(),
    survey: survey.id,
    ...claimNumberOf(survey),
    issuedCodes: survey.issuedCodes,
    late: [...new Set(without)],
    flags: flagCodes(survey),
  };
}

/** In a reply to a send token, flags are codes. */
export const flagCodes = ({ flags }: ArrivedSurvey): string[] =>
  flags.map((flag) => (typeof flag === 'string' ? flag : flag.code));

/** A reply to a send token doesn't say it: the one that the phone knows stays. */
function claimNumberOf(survey: ArrivedSurvey): Pick<OutboxRow, 'claimNumber'> {
  if (!('referralCode' in survey)) return {};
  return { claimNumber: survey.takesPart === false ? null : (survey.referralCode ?? null) };
}

export function transition(row: OutboxRow, event: RowEvent): Change | null {
  const { from, to } = TRANSITIONS[event.type] as Transition<RowEvent['type']>;
  return from.includes(stateOf(row)) ? to(row, event) : null;
}
