/**
 * Background work: sending interviews, renewing the session, and keeping the device ready for offline work. All of it
 * belongs to the workspace and ends with it.
 */

import { unverifiedTokenClaims } from '../device/claims.ts';
import { isOlderThan, monotonicNow } from '../device/clock.ts';
import { observable } from '../device/observable.ts';
import { currentUserKey, destroyClearKeys, leavePersonKey, loadUserKey } from '../device/person-key.ts';
import { isServiceReachable } from '../device/signal.ts';
import { deleteOldRows } from '../device/store/cleanup.ts';
import { currentSession, type DeviceSession, storeDeviceSession } from '../device/stored-session.ts';
import { currentWorkspace, type PersonScope } from '../device/workspace.ts';
import { incentiveTermsOf } from '../session/incentives.ts';
import { queryKeys } from '../session/query-keys.ts';
import { loadOfflineCopies, newQueryClient, updateChosenSite } from '../session/records.ts';
import { isStillApproved, refreshSession } from '../session/refresh-session.ts';
import type { Study } from '../wire.ts';
import { type RefillOutcome, refillReservedCodes } from './coupons/reserved-codes.ts';
import { deliverForOthers } from './deliver-for-others.ts';
import { startDeviceReports } from './device-report.ts';
import { sendCouponsAddedLater } from './late-coupons.ts';
import { sealStoredRows, unsealUnreadableDrafts } from './seal-rows.ts';
import { renewSendToken, tokenToSendInterviews } from './send-token.ts';
import { type InterviewSender, startInterviewSender } from './sender.ts';
import { finishSignOuts } from './sign-out.ts';

const APPROVAL_POLL_MS = 10_000;
const REFRESH_MS = 5 * 60_000;
/** Coming back to the app twice within this time triggers only one check. */
const MIN_INTERVAL_MS = 3_000;
const REFILL_RETRY_MS = 60_000;
const USUAL_COUPONS = 3;
const DAY_MS = 24 * 3_600_000;

/** The coupons and, if the study pays, a walk-in's claim number. */
function codesPerInterview(study: Study | undefined): number {
  const coupons = study?.couponsPerSurvey ?? USUAL_COUPONS;
  return incentiveTermsOf(study) ? coupons + 1 : coupons;
}

/** Result of the last refill of the device's block of codes. */
export const lastRefillOutcomeOf = (_: PersonScope) => observable<RefillOutcome>('enough');

interface Background {
  sender: InterviewSender;
  refillCodes(): Promise<RefillOutcome>;
}

export function sendInterviewsNow(): void {
  currentWorkspace.get().getOrCreate(background).sender.kick();
  void sendCouponsAddedLater();
}

export const refillCodes = (): Promise<RefillOutcome> =>
  currentWorkspace.get().getOrCreate(background).refillCodes();

/** Starts background work for the current person, and again for each next one. */
export function startOfflineWork(): void {
  const start = () => {
    const mine = currentWorkspace.get();
    void mine.getOrCreate(background);
    void destroyClearKeys((owner) => owner !== mine.owner).catch(() => undefined);
  };
  currentWorkspace.watch(() => {
    start();
    void loadOfflineCopies().catch(() => undefined);
  });
  start();
  // Someone may have signed in while this module loaded.
  void loadOfflineCopies().catch(() => undefined);
  cleanUpDaily();
}

function background(mine: PersonScope): Background {
  const { owner, ended } = mine;
  const queries = mine.getOrCreate(newQueryClient);
  const lastRefill = mine.getOrCreate(lastRefillOutcomeOf);
  const isApproved = () => {
    const now = currentSession.get();
    return now?.user.id === owner && !now.expired && now.user.approvalStatus === 'APPROVED';
  };
  let lastRefillAt = 0;
  const refillMine = async (): Promise<RefillOutcome> => {
    const token = await tokenToSendInterviews(owner);
    if (!token) return 'refused';
    const study = queries.getQueryData<Study>(queryKeys.study);
    lastRefillAt = monotonicNow();
    const outcome = await refillReservedCodes(owner, codesPerInterview(study), token).catch(
      () => 'no-signal' as const,
    );
    lastRefill.set(outcome);
    return outcome;
  };
  const refillSoon = () => {
    if (monotonicNow() - lastRefillAt > REFILL_RETRY_MS) void refillMine();
  };
  let lastRefresh = Number.NEGATIVE_INFINITY;
  const refresh = async (): Promise<void> => {
    const now = currentSession.get();
    if (!now || now.expired || ended.aborted || monotonicNow() - lastRefresh < MIN_INTERVAL_MS) return;
    lastRefresh = monotonicNow();
    const after = await refreshSession();
    if (after && after.user.approvalStatus !== now.user.approvalStatus) await queries.invalidateQueries();
    await renewSendToken();
  };
  const seal = () => sealStoredRows(owner).catch(() => undefined);
  const refreshQuietly = () => void refresh().catch(() => undefined);
  const report = startDeviceReports(mine);
  const sender = startInterviewSender(mine, {
    onSent: () => {
      report();
      lastRefresh = Number.NEGATIVE_INFINITY;
      refreshQuietly();
      void queries.invalidateQueries({ queryKey: queryKeys.allSurveys });
      void sendCouponsAddedLater();
      void refillMine();
    },
    stillApproved: isStillApproved,
  });
  mine.onEnd(() => leavePersonKey(owner));
  let ready = false;
  let last = currentSession.get();
  const onSession = () => {
    const now = currentSession.get();
    if (now?.user.id === owner) {
      const [before, after] = [last?.currentLocation ?? null, now.currentLocation ?? null];
      void updateChosenSite(owner, before, after, last?.refreshedAt ?? 0).catch(() => undefined);
      last = now;
    }
    if (now?.user.id === owner) void handleSessionRefusal(now).catch(() => undefined);
    const was = ready;
    ready = isApproved();
    if (!ready || was) return;
    void queries.refetchQueries().then(seal).then(refillMine);
    void renewSendToken().catch(() => undefined);
    void unsealUnreadableDrafts(owner).catch(() => undefined);
  };
  const onSignal = () => {
    if (!isServiceReachable.get()) return;
    sendInterviewsNow();
    refreshQuietly();
    void refillMine();
    void finishSignOuts().catch(() => undefined);
  };
  const onVisible = () => {
    if (document.visibilityState === 'visible') refreshQuietly();
  };
  const tick = () => {
    if (navigator.onLine) void finishSignOuts().catch(() => undefined);
    void sendCouponsAddedLater();
    if (lastRefill.get() === 'refused') refillSoon();
    const now = currentSession.get();
    if (!now || document.visibilityState !== 'visible') return;
    // One failed request doesn't mean that the phone is offline.
    const mayBeBack = !isServiceReachable.get() && navigator.onLine;
    const isPending = now.user.approvalStatus === 'PENDING';
    if (mayBeBack || isPending || isOlderThan(now.refreshedAt, REFRESH_MS)) refreshQuietly();
  };
  // Once the key is loaded, and whenever it is unlocked.
  const onKey = () => currentUserKey.get()?.owner === owner && void seal();
  const unwatch = [
    currentSession.watch(onSession),
    isServiceReachable.watch(onSignal),
    currentUserKey.watch(onKey),
  ];
  document.addEventListener('visibilitychange', onVisible);
  const ticking = setInterval(tick, APPROVAL_POLL_MS);
  mine.onEnd(() => {
    for (const stop of unwatch) stop();
    document.removeEventListener('visibilitychange', onVisible);
    clearInterval(ticking);
  });
  if (owner) void loadUserKey(owner).catch(() => undefined);
  onSession();
  refreshQuietly();
  void finishSignOuts().catch(() => undefined);
  void deliverForOthers(mine).catch(() => undefined);
  return { sender, refillCodes: refillMine };
}

/** If the session was ended elsewhere, also deletes the unencrypted key; if it merely expired, keeps it. */
async function handleSessionRefusal({ token, user, refusedAt }: DeviceSession): Promise<void> {
  if (!refusedAt) return;
  const { exp = 0 } = unverifiedTokenClaims(token);
  if (exp * 1000 > Date.parse(refusedAt)) await destroyClearKeys((owner) => owner === user.id);
  const now = currentSession.get();
  if (now?.token === token) storeDeviceSession({ ...now, refusedAt: undefined });
}

/** Waits a few seconds, so that it doesn't slow down opening the app. */
function cleanUpDaily(): void {
  const clear = () => void deleteOldRows().catch(() => undefined);
  setTimeout(clear, 3_000);
  setInterval(clear, DAY_MS);
}
