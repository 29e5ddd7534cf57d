/**
 * Runs something in one tab at a time. Browsers have locks for this, but not on plain http and not in older versions;
 * there we use a lease in the device's store.
 */
import { now, timeLeft } from './clock.ts';
import { THIS_TAB } from './editor.ts';
import { deviceDb } from './store/store.ts';

interface Lease {
  tab: string;
  until: number;
}

/** How long other tabs wait for a tab that is gone; longer than one request may take. */
const LEASE_MS = 30_000;
const RENEW_MS = 8_000;
const RETRY_MS = 400;

export function withTabLock<T>(name: string, act: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined;
  return locks ? locks.request(name, act) : withLease(`lock-${name}`, act);
}

async function withLease<T>(key: string, act: () => Promise<T>): Promise<T> {
  while (!(await takeLease(key))) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  const renewing = setInterval(() => void takeLease(key).catch(() => undefined), RENEW_MS);
  const leave = () => void releaseLease(key).catch(() => undefined);
  addEventListener('pagehide', leave);
  try {
    return await act();
  } finally {
    removeEventListener('pagehide', leave);
    clearInterval(renewing);
    await releaseLease(key);
  }
}

function takeLease(key: string): Promise<boolean> {
  return deviceDb.transaction('rw', deviceDb.kept, async () => {
    const lease = (await deviceDb.kept.get(key))?.value as Lease | undefined;
    if (lease && lease.tab !== THIS_TAB && timeLeft(lease.until, LEASE_MS) > 0) return false;
    await deviceDb.kept.put({ key, value: { tab: THIS_TAB, until: now() + LEASE_MS } satisfies Lease });
    return true;
  });
}

function releaseLease(key: string): Promise<void> {
  return deviceDb.transaction('rw', deviceDb.kept, async () => {
    if (((await deviceDb.kept.get(key))?.value as Lease | undefined)?.tab === THIS_TAB)
      await deviceDb.kept.delete(key);
  });
}
