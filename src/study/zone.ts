/**
 * The time zone that decides what a day is: the study's, or where it names none, the one of the environment. Each
 * request asks for it, so a process keeps it for a second: that long a change takes to reach all processes.
 */
import mongoose from 'mongoose';
import { study } from './model.ts';

const KEPT_MS = 1_000;
let kept: { store: string; until: number; zone: Promise<string | null> } | null = null;

export async function zoneOf({ timeZone }: { timeZone: string }): Promise<string> {
  const store = mongoose.connection.name;
  if (!kept || kept.store !== store || performance.now() >= kept.until) {
    const zone = study().then((one) => one.timeZone);
    // A read that failed is not kept: the next request asks again.
    zone.catch(forgetZone);
    kept = { store, until: performance.now() + KEPT_MS, zone };
  }
  return (await kept.zone) ?? timeZone;
}

/** After a change, so that this process follows at once. */
export function forgetZone(): void {
  kept = null;
}
