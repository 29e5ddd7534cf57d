/**
 * The difference between the phone's clock and the service's. Every reply has the service's time. A phone that starts
 * offline still knows the last one, and that it can't be earlier now.
 */
import { now } from './clock.ts';
import { readLocalSetting, storeLocalSetting } from './local-settings.ts';
import { observable } from './observable.ts';

/** Smaller differences are harmless: coupon dates are whole days, and a connection may be slow. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** Replies that took longer than this are too imprecise. */
const MAX_TRIP_MS = 60_000;
const KEY = 'service-time';
const STORE_INTERVAL_MS = 60_000;

/** Milliseconds by which the phone's clock is ahead (negative: behind), or 0 within the tolerance. */
export const clockOffsetMs = observable(0);

const offsetIfLarge = (offsetMs: number): number => (Math.abs(offsetMs) > CLOCK_TOLERANCE_MS ? offsetMs : 0);

let latestReplyMs: number | null = null;

/** The service's time in its latest reply; before the first reply, the phone's time. */
export const latestServiceTime = (): string => new Date(latestReplyMs ?? now()).toISOString();

export function learnServiceTime(date: string | null, took: number): void {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return;
  latestReplyMs = time;
  if (took > MAX_TRIP_MS) return;
  clockOffsetMs.set(offsetIfLarge(Math.round((now() - took / 2 - time) / 60_000) * 60_000));
  if (Math.abs(time - storedTime()) > STORE_INTERVAL_MS) storeLocalSetting(KEY, String(time));
}

const storedTime = (): number => Number(readLocalSetting(KEY)) || 0;

/** Before the first reply. */
export function guessClockOffset(): void {
  clockOffsetMs.set(Math.min(0, offsetIfLarge(now() - storedTime())));
}
