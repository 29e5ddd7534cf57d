/**
 * The only place that reads the time. A phone's clock can change at any moment, by a day or by years. So waits are
 * measured by `monotonicNow`, which nobody can set, and a stored time counts for no longer than its wait can last: a later
 * one was written while the clock was wrong.
 */
export interface Clock {
  /** The time of day as the phone has it, in milliseconds. */
  now(): number;
  /** Milliseconds since the page began; never set back. */
  ticks(): number;
}

const ofThePhone: Clock = { now: () => Date.now(), ticks: () => performance.now() };
let clock = ofThePhone;

/** For tests: another clock, or without one the phone's own again. */
export function setClock(next: Clock = ofThePhone): void {
  clock = next;
}

export const now = (): number => clock.now();
export const monotonicNow = (): number => clock.ticks();
export const nowText = (): string => new Date(clock.now()).toISOString();

/** How long it is until a stored moment, which was at most `longest` ahead when it was stored. */
export function timeLeft(until: number, longest: number): number {
  const remainingMs = until - clock.now();
  return remainingMs > 0 && remainingMs <= longest ? remainingMs : 0;
}

/** Whether a stored moment is longer ago than `than` milliseconds. One far in the future counts as old: another clock wrote it. */
export const isOlderThan = (moment: number, than: number): boolean => Math.abs(clock.now() - moment) > than;

/** Browsers take a longer wait than 24 days for none at all; nobody minds being looked after once an hour. */
const MAX_TIMER_MS = 3_600_000;

export const callAfter = (milliseconds: number, act: () => void): ReturnType<typeof setTimeout> =>
  setTimeout(act, Math.min(Math.max(milliseconds, 0), MAX_TIMER_MS));
