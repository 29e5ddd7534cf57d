/** Until when the service asked a person's app to wait (Retry-After), in every tab and after a reload. */
import { now, timeLeft } from '../device/clock.ts';
import { readSetting, storeSetting } from '../device/local-settings.ts';

const keyOf = (owner: string) => `send-after-${owner}`;
/** A service that says more than this is asked again all the same. */
const MAX_PAUSE_MS = 15 * 60_000;

/** How much longer, in milliseconds. */
export const retryPauseLeft = (owner: string): number =>
  timeLeft(Number(readSetting(keyOf(owner))) || 0, MAX_PAUSE_MS);

export function setRetryPause(owner: string, milliseconds: number): void {
  const wait = Math.min(milliseconds, MAX_PAUSE_MS);
  if (wait > retryPauseLeft(owner)) storeSetting(keyOf(owner), String(now() + wait));
}
