/**
 * The only place that reads the time. A phone's clock can jump at any moment, by a day or by years. So waits are
 * measured with `monotonicNow`, which nobody can set, and a stored deadline further away than its wait can last is
 * ignored: it was written while the clock was wrong.
 */
export interface Clock {
  /** Time of day by the phone's clock, in milliseconds. */
  now(): number;
  /** Milliseconds since the page loaded; never goes back. */
  ticks(): number;
}

const phoneClock: Clock = { now: () => Date.now(), ticks: () => performance.now() };
let clock = phoneClock;

/** For tests: replaces the clock, or restores the phone's. */
export function setClock(next: Clock = phoneClock): void {
  clock = next;
}

export const now = (): number => clock.now();
export const monotonicNow = (): number => clock.ticks();
export const nowText = (): string => new Date(clock.now()).toISOString();

/** Time left until a stored deadline that was at most `longest` ahead when it was stored. */
export function timeLeft(until: number, longest: number): number {
  const remainingMs = until - clock.now();
  return remainingMs > 0 && remainingMs <= longest ? remainingMs : 0;
}

/**
 * Whether a stored time is more than `than` milliseconds ago. A time far in the future also counts as old, because
 * another clock setting wrote it.
 */
export const isOlderThan = (moment: number, than: number): boolean => Math.abs(clock.now() - moment) > than;

/** Browsers fire timers longer than 24 days at once. Checking again after an hour is harmless. */
const MAX_TIMER_MS = 3_600_000;

export const callAfter = (milliseconds: number, act: () => void): ReturnType<typeof setTimeout> =>
  setTimeout(act, Math.min(Math.max(milliseconds, 0), MAX_TIMER_MS));
