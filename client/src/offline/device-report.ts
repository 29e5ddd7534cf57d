/**
 * Tells the service, and thus coordinators, what is still on this device. Sent after contact with the service if
 * something changed, at most once a minute, for each person with work on the device, even after they signed out (with
 * their send token).
 */
import { VERSION } from '../../../src/platform/lib/version.ts';
import { callAfter, now, timeLeft } from '../device/clock.ts';
import { readLocalSetting, storeLocalSetting } from '../device/local-settings.ts';
import { randomId } from '../device/random-id.ts';
import { isServiceReachable } from '../device/signal.ts';
import { storageHealth } from '../device/store/storage-health.ts';
import { deviceDb } from '../device/store/store.ts';
import { withTabLock } from '../device/tab-lock.ts';
import type { PersonScope } from '../device/workspace.ts';
import { RequestRefusal, request } from '../session/api.ts';
import { freeCodesOf } from './coupons/reserved-codes.ts';
import { ownersWithSendToken, tokenToSendInterviews } from './send-token.ts';

/** Lets the first interviews arrive after the app starts. */
const FIRST_LOOK_MS = 10_000;
const REPORT_AT_MOST_EVERY_MS = 60_000;
const INSTALLATION = 'installation';
const keyOf = (owner: string) => `device-report-${owner}`;

interface LastReport {
  text: string;
  at: number;
}

function installation(): string {
  const existing = readLocalSetting(INSTALLATION);
  if (existing) return existing;
  const installationId = randomId();
  storeLocalSetting(INSTALLATION, installationId);
  return installationId;
}

async function reportContent(owner: string) {
  const states = ['waiting', 'sending', 'attention'].map((state) => [owner, state]);
  const [drafts, rows, codesLeft, { persisted }] = await Promise.all([
    deviceDb.drafts.where({ owner }).count(),
    deviceDb.outbox.where('[owner+state]').anyOf(states).toArray(),
    freeCodesOf(owner).count(),
    storageHealth(false),
  ]);
  const refused = rows.filter(({ state }) => state === 'attention').length;
  const oldestUnsentAt = rows.map(({ finishedAt }) => finishedAt).sort()[0] ?? null;
  return { drafts, unsent: rows.length - refused, refused, oldestUnsentAt, codesLeft, persisted };
}

/**
 * Only one tab reports at a time, and the others see what it reported. Returns how many milliseconds too early it is.
 */
async function reportFor(owner: string): Promise<number> {
  const token = await tokenToSendInterviews(owner);
  if (!token) return 0;
  return await withTabLock(`device-report-${owner}`, async () => {
    const last = (await deviceDb.kept.get(keyOf(owner)))?.value as LastReport | undefined;
    const tooEarlyMs = timeLeft((last?.at ?? 0) + REPORT_AT_MOST_EVERY_MS, REPORT_AT_MOST_EVERY_MS);
    if (tooEarlyMs > 0) return tooEarlyMs;
    const body = { device: installation(), appVersion: VERSION, ...(await reportContent(owner)) };
    const text = JSON.stringify(body);
    if (text === last?.text) return 0;
    try {
      await request('POST', '/api/devices/report', { body, token });
    } catch (error) {
      if (!(error instanceof RequestRefusal)) throw error;
      // 429 also happens if the last report arrived but its reply didn't, or if the clock was changed.
      if (error.retryAfter) return error.retryAfter * 1000;
      // An older service doesn't have this route: try again only when something changes.
      if (error.status !== 404) throw error;
    }
    await deviceDb.kept.put({ key: keyOf(owner), value: { text, at: now() } satisfies LastReport });
    return 0;
  });
}

/** Returns the milliseconds until the next check. */
async function reportAll(current: string): Promise<number> {
  const waits = [REPORT_AT_MOST_EVERY_MS];
  for (const owner of new Set([current, ...(await ownersWithSendToken())]))
    waits.push((await reportFor(owner).catch(() => 0)) || REPORT_AT_MOST_EVERY_MS);
  return Math.min(...waits);
}

/**
 * Returns a function that checks for changes, to be called after contact with the service. If it is too early, the
 * current state is reported when the minute is over.
 */
export function startDeviceReports({
  owner,
  ended,
  onEnd,
}: Pick<PersonScope, 'owner' | 'ended' | 'onEnd'>): () => void {
  let running = false;
  let next: ReturnType<typeof setTimeout> | undefined;
  const lookAfter = (milliseconds: number) => {
    clearTimeout(next);
    if (!ended.aborted) next = callAfter(milliseconds, look);
  };
  const look = () => {
    if (running) return;
    if (!isServiceReachable.get() || !navigator.onLine) return lookAfter(REPORT_AT_MOST_EVERY_MS);
    running = true;
    void reportAll(owner)
      .catch(() => REPORT_AT_MOST_EVERY_MS)
      .then((milliseconds) => {
        running = false;
        lookAfter(milliseconds);
      });
  };
  lookAfter(FIRST_LOOK_MS);
  onEnd(() => clearTimeout(next));
  return look;
}
