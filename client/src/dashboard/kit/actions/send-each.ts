/** One action on many records through a route for single records. Each one succeeds or fails separately. */
import { NoSignal, RequestRefusal } from '../../../session/api.ts';

interface Outcome<T, R> {
  done: { item: T; result: R }[];
  failed: { item: T; error: unknown }[];
  /** Not tried, because the user stopped. */
  untried: T[];
}

interface Watch {
  /** Called after each record. */
  onStep?(tried: number): void;
  /** Called with the seconds the service asked to wait, and with null once requests resume. */
  onWait?(seconds: number | null): void;
  stopped?: AbortSignal;
  /** Resolves early when `stopped` is aborted. */
  wait?(seconds: number, stopped: AbortSignal): Promise<void>;
}

/** Low, to leave room for other requests. */
const MAX_CONCURRENT = 4;
/** The rate limit resets every minute. A longer wait than this is treated as an error. */
const MAX_WAIT_SECONDS = 90;

/** Seconds to wait if the request was rate limited; null for any other error. */
function retryAfterSeconds(error: unknown): number | null {
  const isSlower = error instanceof RequestRefusal && error.status === 429;
  return isSlower && error.retryAfter && error.retryAfter <= MAX_WAIT_SECONDS ? error.retryAfter : null;
}

export async function forEachLimited<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  { onStep, onWait, stopped = new AbortController().signal, wait = waitSeconds }: Watch = {},
): Promise<Outcome<T, R>> {
  const outcome: Outcome<T, R> = { done: [], failed: [], untried: [] };
  const queue = [...items];
  let silence: NoSignal | null = null;
  let rest: Promise<void> | null = null;
  // All workers share one pause.
  const restFor = (seconds: number) => {
    if (rest) return;
    onWait?.(seconds);
    rest = wait(seconds, stopped).finally(() => {
      rest = null;
      onWait?.(null);
    });
  };
  const tryOne = async (item: T) => {
    try {
      outcome.done.push({ item, result: await act(item) });
    } catch (error) {
      const seconds = retryAfterSeconds(error);
      if (seconds !== null) {
        // Rate limited, so it goes back to the front of the queue.
        queue.unshift(item);
        restFor(seconds);
        return;
      }
      if (error instanceof NoSignal) silence = error;
      outcome.failed.push({ item, error });
    }
  };
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      if (stopped.aborted) outcome.untried.push(item);
      // Once one request failed for lack of a connection, the rest would only time out too.
      else if (silence) outcome.failed.push({ item, error: silence });
      else await tryOne(item);
      onStep?.(outcome.done.length + outcome.failed.length);
      await rest;
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
  return outcome;
}

function waitSeconds(seconds: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stopped.aborted) return resolve();
    const timer = setTimeout(resolve, seconds * 1_000);
    stopped.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
