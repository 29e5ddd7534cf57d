/**
 * The states of a finished interview on this device, and all transitions between them:
 *
 *   held ── released, or the hold expired ──▶ waiting ── send ──▶ sending ── arrived ──▶ sent
 *                                                ▲  ◀── no reply, failed ─────┘ │           ▲
 *                                                └── retry ── attention ◀── refused ── settle ┘
 *
 * Pure apart from the time (clock.ts): a row and an event give the change to store, or null if the event doesn't apply
 * in the row's current state.
 */
import { isOlderThan, now, nowText, timeLeft } from '../device/clock.ts';
import type { OutboxRow, OutboxRowRefusal, OutboxState } from '../device/store/store.ts';
import type { SentSurveyReply } from '../wire.ts';

/** `attention`: someone has to deal with it. */
export type OutboxRowState = 'held' | 'waiting' | 'sending' | 'sent' | 'attention';

export type OutboxRowEvent =
  /** The coupon page is still open. */
  | { type: 'hold' }
  /** The coupons are handed out. */
  | { type: 'release' }
  /** The user wants it sent now. */
  | { type: 'sendNow' }
  | { type: 'send' }
  /** No definite reply, so it may or may not have arrived. */
  | { type: 'noReply' }
  /** The service failed on it, so other interviews go first. */
  | { type: 'failed'; wait: number }
  | { type: 'refused'; refused: OutboxRowRefusal }
  | { type: 'arrived'; survey: SentSurveyReply }
  /** Send it again, unchanged or with another site. */
  | { type: 'retry'; location?: string }
  /** The service has two versions and keeps both, so nothing is left to do here. */
  | { type: 'settle' };

/**
 * While its coupon page is open, a finished interview is held back, because the codes are sent with it. The page
 * renews the hold; once the page is gone, for whatever reason, the interview is sent within a minute.
 */
const HOLD_MS = 60_000;
const MAX_HOLD_MS = 10 * 60_000;
export const RENEW_HOLD_MS = 20_000;
/** The longest wait after the service failed on an interview. */
export const MAX_RETRY_MS = 60_000;

export const outboxHoldEnd = (moment: number): number => moment + HOLD_MS;

export const outboxRowStateOf = (row: OutboxRow): OutboxRowState =>
  row.state === 'waiting' && timeLeft(row.heldUntil, HOLD_MS) > 0 ? 'held' : row.state;

/** Milliseconds until this row may be sent, even if the clock changed meanwhile. */
export const msUntilSendable = (row: OutboxRow): number =>
  Math.max(timeLeft(row.heldUntil, HOLD_MS), timeLeft(row.retryAt, MAX_RETRY_MS));

/** Whether codes can still be sent with the interview. After the first request, the service may already have it. */
export const canSendCodesWithInterview = (row: OutboxRow): boolean =>
  row.state === 'waiting' && row.attempts === 0;

/** Paper coupons not yet reported to the service. */
export const unreportedCoupons = ({ late = [], lateRefused = [] }: OutboxRow): string[] =>
  late.filter((code) => !lateRefused.some((one) => one.code === code));

/** The state shown to the user: for a sent interview, that of its coupons. */
export function shownState(row: OutboxRow): OutboxState {
  if (row.state !== 'sent') return row.state;
  if (row.lateRefused?.length) return 'attention';
  return unreportedCoupons(row).length > 0 ? 'waiting' : 'sent';
}

type Change = Partial<OutboxRow>;
type EventOf<Type> = Extract<OutboxRowEvent, { type: Type }>;
type Transition<Type> = { from: OutboxRowState[]; to(row: OutboxRow, event: EventOf<Type>): Change | null };

const TRANSITIONS: { [Type in OutboxRowEvent['type']]: Transition<Type> } = {
  hold: {
    from: ['held', 'waiting'],
    to: ({ heldUntil, finishedAt }) =>
      heldUntil > 0 && !isOlderThan(Date.parse(finishedAt), MAX_HOLD_MS)
        ? { heldUntil: now() + HOLD_MS }
        : null,
  },
  // `sending` too, so that it isn't held again if it comes back.
  release: { from: ['held', 'waiting', 'sending'], to: () => ({ heldUntil: 0 }) },
  sendNow: { from: ['held', 'waiting'], to: () => ({ heldUntil: 0, retryAt: 0 }) },
  send: {
    from: ['waiting'],
    to: (row) =>
      row.body && msUntilSendable(row) === 0 ? { state: 'sending', attempts: row.attempts + 1 } : null,
  },
  noReply: { from: ['sending'], to: () => ({ state: 'waiting' }) },
  failed: {
    from: ['sending'],
    to: (_, { wait }) => ({ state: 'waiting', retryAt: now() + Math.min(wait, MAX_RETRY_MS) }),
  },
  refused: { from: ['sending'], to: (_, { refused }) => ({ state: 'attention', refused }) },
  // In any state, whatever another window did meanwhile: the service has the interview.
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

/** The answers are deleted once the service has confirmed them. */
function arrived({ printed = [], late = [] }: OutboxRow, survey: SentSurveyReply): Change {
  // Coupons scanned during the request, or refused with it, are reported separately.
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
    flags: flagCodesOf(survey),
  };
}

/** Replies to a send token have flags as plain codes. */
export const flagCodesOf = ({ flags }: SentSurveyReply): string[] =>
  flags.map((flag) => (typeof flag === 'string' ? flag : flag.code));

/** Replies to a send token lack the claim number, so the known one is kept. */
function claimNumberOf(survey: SentSurveyReply): Pick<OutboxRow, 'claimNumber'> {
  if (!('referralCode' in survey)) return {};
  return { claimNumber: survey.takesPart === false ? null : (survey.referralCode ?? null) };
}

export function outboxRowChangeFor(row: OutboxRow, event: OutboxRowEvent): Change | null {
  const { from, to } = TRANSITIONS[event.type] as Transition<OutboxRowEvent['type']>;
  return from.includes(outboxRowStateOf(row)) ? to(row, event) : null;
}
