/**
 * Tells the service what is still on this device, so that coordinators know it: after a contact if something has changed,
 * at most once a minute, for each person whose work is here, also after they signed out (with their send token).
 */
import { VERSION } from '../../../src/platform/lib/version.ts';
import { isOlder, now } from '../device/clock.ts';
import { keepSetting, readSetting } from '../device/local-settings.ts';
import { randomId } from '../device/random-id.ts';
import { signal } from '../device/signal.ts';
import { storageHealth } from '../device/store/storage-health.ts';
import { db } from '../device/store/store.ts';
import { withTabLock } from '../device/tab-lock.ts';
import type { Workspace } from '../device/workspace.ts';
import { Refusal, request } from '../session/api.ts';
import { freeCodes } from './coupons/reserved-codes.ts';
import { ownersWithSendToken, tokenToSend } from './send-token.ts';

/** Enough for the first interviews of a start to arrive. */
const FIRST_LOOK_MS = 10_000;
const REPORT_AT_MOST_EVERY_MS = 60_000;
const INSTALLATION = 'installation';
const keyOf = (owner: string) => `device-report-${owner}`;

interface LastReport {
  text: string;
  at: number;
}

function installation(): string {
  const existing = readSetting(INSTALLATION);
  if (existing) return existing;
  const installationId = randomId();
  keepSetting(INSTALLATION, installationId);
  return installationId;
}

async function contentOf(owner: string) {
  const states = ['waiting', 'sending', 'attention'].map((state) => [owner, state]);
  const [drafts, rows, codesLeft, { persisted }] = await Promise.all([
    db.drafts.where({ owner }).count(),
    db.outbox.where('[owner+state]').anyOf(states).toArray(),
    freeCodes(owner).count(),
    storageHealth(false),
  ]);
  const refused = rows.filter(({ state }) => state === 'attention').length;
  const oldestUnsentAt = rows.map(({ finishedAt }) => finishedAt).sort()[0] ?? null;
  return { drafts, unsent: rows.length - refused, refused, oldestUnsentAt, codesLeft, persisted };
}

/** Only one tab reports at a time, and the others see what it has reported. */
async function reportFor(owner: string): Promise<void> {
  const token = await tokenToSend(owner);
  if (!token) return;
  await withTabLock(`device-report-${owner}`, async () => {
    const last = (await db.kept.get(keyOf(owner)))?.value as LastReport | undefined;
    if (last && !isOlder(last.at, REPORT_AT_MOST_EVERY_MS)) return;
    const body = { device: installation(), appVersion: VERSION, ...(await contentOf(owner)) };
    const text = JSON.stringify(body);
    if (text === last?.text) return;
    try {
      await request('POST', '/api/devices/report', { body, token });
    } catch (error) {
      // An earlier version of the service may answer: not again until something changes.
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
    }
    await db.kept.put({ key: keyOf(owner), value: { text, at: now() } satisfies LastReport });
  });
}

async function reportAll(current: string): Promise<void> {
  for (const owner of new Set([current, ...(await ownersWithSendToken())]))
    await reportFor(owner).catch(() => undefined);
}

/** Returns what looks for changes: after a contact. */
export function startDeviceReports({ owner, onEnd }: Pick<Workspace, 'owner' | 'onEnd'>): () => void {
  let running = false;
  const look = () => {
    if (running || !signal.get() || !navigator.onLine) return;
    running = true;
    void reportAll(owner)
      .catch(() => undefined)
      .finally(() => {
        running = false;
      });
  };
  const first = setTimeout(look, FIRST_LOOK_MS);
  const looking = setInterval(look, REPORT_AT_MOST_EVERY_MS);
  onEnd(() => {
    clearTimeout(first);
    clearInterval(looking);
  });
  return look;
}
