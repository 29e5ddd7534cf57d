/** What goes on without being asked: sending, asking who one is, and keeping the device ready for work offline. */
import { keepSession, session } from './device/kept-session.ts';
import { tellLate } from './device/late-coupons.ts';
import { forgetOld } from './device/outbox.ts';
import { type RefillOutcome, refill } from './device/reserve.ts';
import { type Sender, startSender } from './device/sender.ts';
import { signal } from './device/signal.ts';
import { watched } from './device/watched.ts';
import { queries } from './records.ts';
import { refreshSession } from './session.tsx';
import type { Study } from './wire.ts';

const WAITING_FOR_APPROVAL = 10_000;
const NOW_AND_THEN = 5 * 60_000;
/** Coming back to the app twice in a moment is one reason to ask, not two. */
const AT_MOST_EVERY = 3_000;
const USUAL_COUPONS = 3;

let sender: Sender | undefined;
/** How the last refill of the device's block of codes went. */
export const lastRefill = watched<RefillOutcome>('enough');

export function sendNow(): void {
  sender?.kick();
  void tellLate();
}

export async function refillCodes(): Promise<RefillOutcome> {
  const now = session.get();
  if (!now || now.expired || now.user.approvalStatus !== 'APPROVED') return 'refused';
  const study = queries.getQueryData<Study>(['study']);
  const outcome = await refill(now.user.id, study?.couponsPerSurvey ?? USUAL_COUPONS).catch(
    () => 'no-signal' as const,
  );
  lastRefill.set(outcome);
  return outcome;
}

let lastRefresh = 0;
async function refresh(): Promise<void> {
  const now = session.get();
  if (!now || now.expired || Date.now() - lastRefresh < AT_MOST_EVERY) return;
  lastRefresh = Date.now();
  const after = await refreshSession();
  if (after && after.user.approvalStatus !== now.user.approvalStatus) await queries.invalidateQueries();
}
const refreshQuietly = () => void refresh().catch(() => undefined);

export function startBackground(): void {
  sender = startSender({
    onSent: () => {
      lastRefresh = 0;
      refreshQuietly();
      void queries.invalidateQueries({ queryKey: ['surveys'] });
      void tellLate();
      void refillCodes();
    },
    stillApproved: async () => {
      const after = await refreshSession().catch(() => null);
      return after !== null && after.user.approvalStatus === 'APPROVED';
    },
  });
  let owner = '';
  const onSession = () => {
    const now = session.get();
    const next = now && !now.expired && now.user.approvalStatus === 'APPROVED' ? now.user.id : '';
    if (next === owner) return;
    owner = next;
    if (next) void getReady(next);
  };
  session.watch(onSession);
  onSession();
  signal.watch(() => {
    if (!signal.get()) return;
    sendNow();
    refreshQuietly();
    void refillCodes();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') refreshQuietly();
  });
  refreshQuietly();
  setInterval(tick, WAITING_FOR_APPROVAL);
}

async function getReady(owner: string): Promise<void> {
  await queries.refetchQueries();
  await refillCodes();
  await forgetOld(owner);
}

function tick(): void {
  void tellLate();
  const now = session.get();
  if (!now || document.visibilityState !== 'visible') return;
  const due = now.user.approvalStatus === 'PENDING' || Date.now() - now.refreshedAt > NOW_AND_THEN;
  if (due) refreshQuietly();
}

/** The person leaves. What is not sent stays, under the person's name, until the next sign-in. */
export function leave(): void {
  keepSession(null);
  for (const key of ['study', 'surveys']) queries.removeQueries({ queryKey: [key] });
}
