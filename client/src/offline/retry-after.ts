/** How long the service asked a person's app to wait (Retry-After). Shared by all tabs, and kept across reloads. */
import { now, timeLeft } from '../device/clock.ts';
import { readLocalSetting, storeLocalSetting } from '../device/local-settings.ts';

const keyOf = (owner: string) => `send-after-${owner}`;
/** The longest wait that is respected. */
const MAX_PAUSE_MS = 15 * 60_000;

/** Milliseconds left to wait. */
export const retryPauseLeft = (owner: string): number =>
  timeLeft(Number(readLocalSetting(keyOf(owner))) || 0, MAX_PAUSE_MS);

export function startRetryPause(owner: string, milliseconds: number): void {
  const wait = Math.min(milliseconds, MAX_PAUSE_MS);
  if (wait > retryPauseLeft(owner)) storeLocalSetting(keyOf(owner), String(now() + wait));
}
