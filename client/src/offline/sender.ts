/**
 * Sends the outbox in order, one request at a time, from one tab at a time, until the service has replied. The
 * clientId makes a repeated request harmless, so we never need to know whether the first one arrived.
 */
import { callAfter, monotonicNow } from '../device/clock.ts';
import { db, isStorageFull, type OutboxRow } from '../device/store/store.ts';
import { currentSession } from '../device/stored-session.ts';
import { withTabLock } from '../device/tab-lock.ts';
import { PersonLeft, type Workspace } from '../device/workspace.ts';
import { NoSignal, Refusal, request } from '../session/api.ts';
import type { ArrivedSurvey } from '../wire.ts';
import { dropUnknownCodes } from './coupons/reserved-codes.ts';
import { applyRowEvent, requeueAbandoned } from './outbox.ts';
import { retryPauseLeft, setRetryPause } from './retry-after.ts';
import { flagCodes, MAX_RETRY_MS, waitMs } from './row-states.ts';
import { renewFieldKey, sealRows } from './seal-rows.ts';
import { bodyToSend, isRowUnencrypted } from './sealed-rows.ts';
import { dropSendToken, isSendToken, tokenToSend } from './send-token.ts';

const MIN_WAIT_MS = 400;

/** Half of it is chance, so that many phones do not come back in the same instant. */
function backoff(failures: number): number {
  const most = Math.min(MIN_WAIT_MS * 2 ** Math.min(failures, 10), MAX_RETRY_MS);
  return most / 2 + (Math.random() * most) / 2;
}

type Outcome = 'sent' | 'set-aside' | 'stop';

export interface SenderHooks {
  /** Some interviews arrived. */
  onSent(): void;
  /** The service says "not you": asks it anew who the person is, and answers whether the account is approved. */
  stillApproved(): Promise<boolean>;
}

type Sending = Pick<Workspace, 'owner' | 'ended' | 'onEnd'>;

export interface Sender {
  /** Something may have changed: look at once. */
  kick(): void;
}

/**
 * Sends what this person finished, until the workspace ends: with the session, or else with the send token that this
 * device keeps for them.
 */
export function startSender({ owner, ended, onEnd }: Sending, hooks: SenderHooks): Sender {
  let running = false;
  let again = false;
  let failures = 0;
  /** The service did not know coupons that were handed out here. */
  let codesRefused = false;
  /** An interview on its way is not sealed: that is made up for once there is a reply. */
  let sentInClear = false;
  /** By the clock that nobody can set. */
  let notBefore = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** A change may end our own waiting; what the service itself asked for holds. */
  const kick = () => {
    notBefore = 0;
    run();
  };
  const pause = () => Math.max(notBefore - monotonicNow(), retryPauseLeft(owner), 0);

  /** The token to send with now, if anything may be sent. */
  const token = async (): Promise<string | null> => (ended.aborted ? null : await tokenToSend(owner));

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
      // A store without room, perhaps: later, and not at once again and again.
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
      // Only the holder of the lock sends, so these are left over from a tab that is gone.
      await requeueAbandoned(owner);
      while (pause() === 0) {
        const row = await nextRow();
        const mine = await token();
        if (!row || !mine) return;
        const outcome = await send(row, mine);
        if (outcome === 'sent') sentCount += 1;
        if (outcome === 'stop') return;
      }
    });
    if (codesRefused) await dropUnknownCodes(owner).catch(() => undefined);
    codesRefused = false;
    if (sentInClear) await sealRows(owner).catch(() => undefined);
    sentInClear = false;
    if (sentCount > 0) hooks.onSent();
  }

  async function send({ clientId }: OutboxRow, token: string): Promise<Outcome> {
    // As it is now: its coupons may have changed since it was looked for.
    const row = await applyRowEvent(clientId, { type: 'send' });
    if (!row) return 'set-aside';
    sentInClear ||= isRowUnencrypted(row);
    try {
      const body = await bodyToSend(row);
      const survey = await request<ArrivedSurvey>('POST', '/api/surveys', { body, token });
      failures = 0;
      codesRefused ||= flagCodes(survey).includes('ISSUED_CODE_REFUSED');
      await applyRowEvent(clientId, { type: 'arrived', survey });
      return 'sent';
    } catch (error) {
      return await refused(row, error, token);
    }
  }

  async function refused({ clientId, attempts }: OutboxRow, error: unknown, token: string): Promise<Outcome> {
    // Whether it arrived is known when its person is back.
    if (error instanceof PersonLeft || ended.aborted) return 'stop';
    const back = () => applyRowEvent(clientId, { type: 'noReply' });
    if (error instanceof Refusal && error.status === 500) {
      // This one may be what upsets the service: the others go first.
      await applyRowEvent(clientId, { type: 'failed', wait: backoff(attempts + 3) });
      return 'set-aside';
    }
    if (error instanceof Refusal && error.reason === 'FIELD_KEY_UNKNOWN') {
      await applyRowEvent(clientId, { type: 'failed', wait: backoff(attempts + 3) });
      await renewFieldKey(owner).catch(() => undefined);
      return 'set-aside';
    }
    const fault = error instanceof Refusal && error.status >= 400 && error.status < 500;
    if (fault && error.status === 403 && isSendToken(token)) {
      // Only a session could find out why.
      await applyRowEvent(clientId, { type: 'failed', wait: MAX_RETRY_MS });
      return 'set-aside';
    }
    if (fault && error.status !== 401 && error.status !== 429) {
      if (error.status === 403 && !(await hooks.stillApproved())) {
        await back();
        // The account may well be approved, while the service is too busy to say so.
        wait();
        return 'stop';
      }
      const { status, code, reason, params, message, errors } = error;
      const refused = { status, code, reason, params, message, errors };
      await applyRowEvent(clientId, { type: 'refused', refused });
      return 'set-aside';
    }
    // Before the row is back, so that whoever looks at it sees both.
    if (error instanceof Refusal && error.retryAfter) setRetryPause(owner, error.retryAfter * 1000);
    await back();
    if (fault && error.status === 401) {
      if (isSendToken(token)) await dropSendToken(owner, token);
      return 'stop';
    }
    if (!(error instanceof NoSignal || error instanceof Refusal || isStorageFull(error))) throw error;
    wait();
    return 'stop';
  }

  function wait(): void {
    notBefore = monotonicNow() + backoff(failures);
    failures += 1;
  }

  const waiting = () => db.outbox.where({ owner, state: 'waiting' }).filter((row) => row.body !== null);
  const nextRow = () =>
    waiting()
      .filter((row) => waitMs(row) === 0)
      .first();

  /** Null where nothing waits, or nothing may be sent. */
  async function nextWait(): Promise<number | null> {
    if (!(await token())) return null;
    let least: number | null = null;
    await waiting().each((row) => {
      least = Math.min(least ?? Number.POSITIVE_INFINITY, waitMs(row));
    });
    return least;
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
  // Not for each renewal of what is known already: the one that follows a sending would end our waiting.
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
