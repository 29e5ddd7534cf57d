/** Until when the service asked clients to wait (Retry-After), in every tab and after a reload. */
import { now, timeLeft } from './clock.ts';
import { keepSetting, readSetting } from './local-settings.ts';

const KEY = 'send-after';
/** A service that says more than this is asked again all the same. */
const LONGEST = 15 * 60_000;

/** How much longer, in milliseconds. */
export const pauseLeft = (): number => timeLeft(Number(readSetting(KEY)) || 0, LONGEST);

export function pauseFor(milliseconds: number): void {
  const wait = Math.min(milliseconds, LONGEST);
  if (wait > pauseLeft()) keepSetting(KEY, String(now() + wait));
}
