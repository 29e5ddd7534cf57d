/**
 * Sends the outbox: in order, one request at a time, one tab at a time, again until the service has answered. The
 * clientId makes a repeated request harmless, so "did it arrive?" never has to be known here.
 */
import { NoSignal, Refusal, request } from '../api.ts';
import type { Survey } from '../wire.ts';
import { exclusively } from './exclusively.ts';
import { session } from './kept-session.ts';
import { pausedUntil, pauseFor } from './pause.ts';
import { db, isStorageFull, type OutboxRow } from './store.ts';

const SHORTEST_WAIT = 400;
const LONGEST_WAIT = 60_000;

/** Half of it is chance, so that many phones do not come back in the same instant. */
function backoff(failures: number): number {
  const most = Math.min(SHORTEST_WAIT * 2 ** Math.min(failures, 10), LONGEST_WAIT);
  return most / 2 + (Math.random() * most) / 2;
}

type Outcome = 'sent' | 'set-aside' | 'stop';

export interface SenderHooks {
  /** Some interviews arrived. */
  onSent(): void;
  /** The service says "not you": asks it anew who the person is, and answers whether the account is approved. */
  stillApproved(): Promise<boolean>;
}

/** The owner whose work may be sent now. */
function maySend(): { owner: string; token: string } | null {
  const now = session.get();
  if (!now || now.expired || now.user.approvalStatus !== 'APPROVED') return null;
  return { owner: now.user.id, token: now.token };
}

const sendingAs = (): string => JSON.stringify(maySend());

export interface Sender {
  /** Something may have changed: look at once. */
  kick(): void;
  stop(): void;
}

export function startSender(hooks: SenderHooks): Sender {
  let running = false;
  let again = false;
  let failures = 0;
  let notBefore = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** A change may end our own waiting; what the service itself asked for holds. */
  const kick = () => {
    notBefore = 0;
    run();
  };
  const earliest = () => Math.max(notBefore, pausedUntil());

  function run(): void {
    clearTimeout(timer);
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
      .catch(() => undefined);
  }

  async function schedule(): Promise<void> {
    running = false;
    if (again) return run();
    const wakeAt = await nextWake();
    if (wakeAt !== null) timer = setTimeout(run, Math.max(wakeAt, earliest()) - Date.now() + 5);
  }

  async function pump(): Promise<void> {
    const first = maySend();
    if (!first) return;
    let sent = 0;
    await exclusively(`outbox-${first.owner}`, async () => {
      // Only the holder of the lock sends, so these are left over from a tab that is gone.
      await db.outbox.where({ owner: first.owner, state: 'sending' }).modify({ state: 'waiting' });
      while (earliest() <= Date.now()) {
        const who = maySend();
        if (who?.owner !== first.owner) return;
        const row = await nextRow(who.owner);
        if (!row) return;
        const outcome = await send(row, who.token);
        if (outcome === 'sent') sent += 1;
        if (outcome === 'stop') return;
      }
    });
    if (sent > 0) hooks.onSent();
  }

  async function send(row: OutboxRow, token: string): Promise<Outcome> {
    if (!row.body) return 'set-aside';
    const attempts = row.attempts + 1;
    await db.outbox.update(row.seq, { state: 'sending', attempts });
    try {
      const survey = await request<Survey>('POST', '/api/surveys', { body: row.body, token });
      failures = 0;
      await markSent(row, survey);
      return 'sent';
    } catch (error) {
      return await refused(row, attempts, error);
    }
  }

  async function refused(row: OutboxRow, attempts: number, error: unknown): Promise<Outcome> {
    const back = (change: Partial<OutboxRow> = {}) =>
      db.outbox.update(row.seq, { state: 'waiting', ...change });
    if (error instanceof Refusal && error.status === 500) {
      // This one may be what upsets the service: the others go first.
      await back({ retryAt: Date.now() + backoff(attempts + 3) });
      return 'set-aside';
    }
    const fault = error instanceof Refusal && error.status >= 400 && error.status < 500;
    if (fault && error.status !== 401 && error.status !== 429) {
      if (error.status === 403 && !(await hooks.stillApproved())) {
        await back();
        return 'stop';
      }
      const { status, code, message, errors } = error;
      await back({ state: 'attention', refused: { status, code, message, errors } });
      return 'set-aside';
    }
    // Before the row is back, so that whoever looks at it sees both.
    if (error instanceof Refusal && error.retryAfter) pauseFor(error.retryAfter * 1000);
    await back();
    if (fault && error.status === 401) return 'stop';
    if (!(error instanceof NoSignal || error instanceof Refusal || isStorageFull(error))) throw error;
    wait();
    return 'stop';
  }

  function wait(): void {
    notBefore = Date.now() + backoff(failures);
    failures += 1;
  }

  async function nextWake(): Promise<number | null> {
    const who = maySend();
    if (!who) return null;
    const rows = await waiting(who.owner).toArray();
    if (rows.length === 0) return null;
    return Math.min(...rows.map((row) => Math.max(row.heldUntil, row.retryAt)));
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
  let last = sendingAs();
  const unwatch = session.watch(() => {
    const now = sendingAs();
    if (now === last) return;
    last = now;
    kick();
  });
  kick();
  return {
    kick,
    stop: () => {
      clearTimeout(timer);
      unwatch();
      removeEventListener('online', onOnline);
      document.removeEventListener('visibilitychange', onVisible);
    },
  };
}

const waiting = (owner: string) => db.outbox.where({ owner, state: 'waiting' });

function nextRow(owner: string): Promise<OutboxRow | undefined> {
  const now = Date.now();
  return waiting(owner)
    .filter((row) => row.heldUntil <= now && row.retryAt <= now)
    .first();
}

/** The answers leave the device with the service's word that it has them. */
function markSent(row: OutboxRow, survey: Survey): Promise<void> {
  return db.transaction('rw', db.outbox, async () => {
    const { printed = [], late = [] } = (await db.outbox.get(row.seq)) ?? row;
    // Scanned while the request was on its way, or refused with it: the service is told of them by themselves.
    const without = printed.filter((code) => !survey.issuedCodes.includes(code));
    await db.outbox.update(row.seq, {
      state: 'sent',
      body: null,
      refused: null,
      sentAt: new Date().toISOString(),
      survey: survey.id,
      issuedCodes: survey.issuedCodes,
      late: [...new Set([...late, ...without])],
      flags: survey.flags.map((flag) => flag.code),
    });
  });
}
