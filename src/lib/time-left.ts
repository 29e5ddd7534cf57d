/**
 * By when the request at work is answered, whatever happens. What waits on its behalf looks here, so that all waits
 * together stay within that time. Operators' commands and work that outlives its request have no end.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const ends = new AsyncLocalStorage<number>();

/** `end` by `performance.now()`. */
export const endingAt = <T>(end: number, work: () => T): T => ends.run(end, work);

/** Milliseconds. */
export const timeLeft = (): number => (ends.getStore() ?? Number.POSITIVE_INFINITY) - performance.now();
