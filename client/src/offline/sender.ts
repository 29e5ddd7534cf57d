/**
 * Sends the outbox in order, one request at a time, from one tab at a time, until the service replies. The clientId
 * makes repeated requests harmless, so it doesn't matter whether an earlier one arrived.
 */
import { callAfter, monotonicNow } from '../device/clock.ts';
import { deviceDb, isStorageFullError, type OutboxRow } from '../device/store/store.ts';
import { currentSession } from '../device/stored-session.ts';
import { withTabLock } from '../device/tab-lock.ts';
import { PersonChanged, type PersonScope } from '../device/workspace.ts';
import { NoSignal, RequestRefusal, request } from '../session/api.ts';
import type { SentSurveyReply } from '../wire.ts';
import { dropStaleCodesFromDevice } from './coupons/reserved-codes.ts';
import { applyOutboxRowEvent, requeueAbandonedSends } from './outbox.ts';
import { retryPauseLeft, startRetryPause } from './retry-after.ts';
import { flagCodesOf, MAX_RETRY_MS, msUntilSendable } from './row-states.ts';
import { resealWithCurrentKey, sealStoredRows } from './seal-rows.ts';
import { bodyToSend, isRowUnencrypted } from './sealed-rows.ts';
import { dropSendToken, isSendToken, tokenToSendInterviews } from './send-token.ts';

const MIN_WAIT_MS = 400;

/** Half of the wait is random, so that many phones don't come back at the same moment. */
function backoff(failures: number): number {
  const max = Math.min(MIN_WAIT_MS * 2 ** Math.min(failures, 10), MAX_RETRY_MS);
  return max / 2 + (Math.random() * max) / 2;
}

type Outcome = 'sent' | 'set-aside' | 'stop';

export interface InterviewSenderHooks {
  /** Called when interviews have arrived. */
  onSent(): void;
  /** After a 403: refreshes the session, and resolves to whether the account is approved. */
  stillApproved(): Promise<boolean>;
}

type Sending = Pick<PersonScope, 'owner' | 'ended' | 'onEnd'>;

export interface InterviewSender {
  /** Checks at once, because something may have changed. */
  kick(): void;
}

/**
 * Sends this person's finished interviews until the workspace ends, with the session's token or else the send token
 * stored on this device.
 */
export function startInterviewSender(
  { owner, ended, onEnd }: Sending,
  hooks: InterviewSenderHooks,
): InterviewSender {
  let running = false;
  let again = false;
  let failures = 0;
  /** The service didn't know some coupons handed out here. */
  let codesRefused = false;
  /** An unencrypted row was sent. Rows aren't encrypted while being sent, so this is done after the reply. */
  let sentInClear = false;
  /** By the monotonic clock. */
  let notBefore = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Ends our own backoff. A pause requested by the service still applies. */
  const kick = () => {
    notBefore = 0;
    run();
  };
  const pause = () => Math.max(notBefore - monotonicNow(), retryPauseLeft(owner), 0);

  /** The token to send with now, or null if nothing may be sent. */
  const token = async (): Promise<string | null> =>
    ended.aborted ? null : await tokenToSendInterviews(owner);

  function run(): void {
    clearTimeout(timer);
    if (ended.aborted) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    again = false;
    pump()
      // The store may be full: tries again later instead of looping.
      .catch(wait)
      .then(schedule)
      .catch(() => {
        timer = callAfter(MAX_RETRY_MS, run);
      });
  }

  async function schedule(): Promise<void> {
    running = false;
    if (again) return run();
    const wait = await nextWait();
    if (wait !== null && !ended.aborted) timer = callAfter(Math.max(wait, pause()) + 5, run);
  }

  async function pump(): Promise<void> {
    if (!(await token())) return;
    let sentCount = 0;
    await withTabLock(`outbox-${owner}`, async () => {
      if (!(await token())) return;
      // Only the holder of the lock sends, so these are left over from a closed tab.
      await requeueAbandonedSends(owner);
      while (pause() === 0) {
        const row = await nextRow();
        const mine = await token();
        if (!row || !mine) return;
        const outcome = await send(row, mine);
        if (outcome === 'sent') sentCount += 1;
        if (outcome === 'stop') return;
      }
    });
    if (codesRefused) await dropStaleCodesFromDevice(owner).catch(() => undefined);
    codesRefused = false;
    if (sentInClear) await sealStoredRows(owner).catch(() => undefined);
    sentInClear = false;
    if (sentCount > 0) hooks.onSent();
  }

  async function send({ clientId }: OutboxRow, token: string): Promise<Outcome> {
    // Reads the row again: its coupons may have changed since.
    const row = await applyOutboxRowEvent(clientId, { type: 'send' });
    if (!row) return 'set-aside';
    sentInClear ||= isRowUnencrypted(row);
    try {
      const body = await bodyToSend(row);
      const survey = await request<SentSurveyReply>('POST', '/api/surveys', { body, token });
      failures = 0;
      codesRefused ||= flagCodesOf(survey).includes('ISSUED_CODE_REFUSED');
      await applyOutboxRowEvent(clientId, { type: 'arrived', survey });
      return 'sent';
    } catch (error) {
      return await refused(row, error, token);
    }
  }

  async function refused({ clientId, attempts }: OutboxRow, error: unknown, token: string): Promise<Outcome> {
    // Whether it arrived becomes known when the person is back.
    if (error instanceof PersonChanged || ended.aborted) return 'stop';
    const back = () => applyOutboxRowEvent(clientId, { type: 'noReply' });
    if (error instanceof RequestRefusal && error.status === 500) {
      // This interview may be the cause of the failure, so the others go first.
      await applyOutboxRowEvent(clientId, { type: 'failed', wait: backoff(attempts + 3) });
      return 'set-aside';
    }
    if (error instanceof RequestRefusal && error.reason === 'FIELD_KEY_UNKNOWN') {
      await applyOutboxRowEvent(clientId, { type: 'failed', wait: backoff(attempts + 3) });
      await resealWithCurrentKey(owner).catch(() => undefined);
      return 'set-aside';
    }
    const fault = error instanceof RequestRefusal && error.status >= 400 && error.status < 500;
    if (fault && error.status === 403 && isSendToken(token)) {
      // A send token can't find out the reason.
      await applyOutboxRowEvent(clientId, { type: 'failed', wait: MAX_RETRY_MS });
      return 'set-aside';
    }
    if (fault && error.status !== 401 && error.status !== 429) {
      if (error.status === 403 && !(await hooks.stillApproved())) {
        await back();
        // The account may be approved, but the service too busy to confirm it.
        wait();
        return 'stop';
      }
      const { status, code, reason, params, message, errors } = error;
      const refused = { status, code, reason, params, message, errors };
      await applyOutboxRowEvent(clientId, { type: 'refused', refused });
      return 'set-aside';
    }
    // Set before the row changes, so that anyone reading the row also sees the pause.
    if (error instanceof RequestRefusal && error.retryAfter) startRetryPause(owner, error.retryAfter * 1000);
    await back();
    if (fault && error.status === 401) {
      if (isSendToken(token)) await dropSendToken(owner, token);
      return 'stop';
    }
    if (!(error instanceof NoSignal || error instanceof RequestRefusal || isStorageFullError(error)))
      throw error;
    wait();
    return 'stop';
  }

  function wait(): void {
    notBefore = monotonicNow() + backoff(failures);
    failures += 1;
  }

  const waiting = () => deviceDb.outbox.where({ owner, state: 'waiting' }).filter((row) => row.body !== null);
  const nextRow = () =>
    waiting()
      .filter((row) => msUntilSendable(row) === 0)
      .first();

  /** Null if nothing is waiting, or nothing may be sent. */
  async function nextWait(): Promise<number | null> {
    if (!(await token())) return null;
    let min: number | null = null;
    await waiting().each((row) => {
      min = Math.min(min ?? Number.POSITIVE_INFINITY, msUntilSendable(row));
    });
    return min;
  }

  const onOnline = () => {
    failures = 0;
    kick();
  };
  const onVisible = () => {
    if (document.visibilityState === 'visible') kick();
  };
  addEventListener('online', onOnline);
  document.addEventListener('visibilitychange', onVisible);
  // Ignores session updates that change nothing here: the refresh after each send would end our backoff.
  const state = () => {
    const { token, user, expired } = currentSession.get() ?? {};
    return `${token} ${user?.id} ${user?.approvalStatus} ${expired}`;
  };
  let last = state();
  const unwatch = currentSession.watch(() => {
    const current = state();
    if (current === last) return;
    last = current;
    kick();
  });
  onEnd(() => {
    clearTimeout(timer);
    unwatch();
    removeEventListener('online', onOnline);
    document.removeEventListener('visibilitychange', onVisible);
  });
  kick();
  return { kick };
}
