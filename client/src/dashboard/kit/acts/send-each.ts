/** One action on many records through a route for single records. Each one succeeds or fails separately. */
import { NoSignal, Refusal } from '../../../session/api.ts';

interface Outcome<T, R> {
  done: { item: T; result: R }[];
  failed: { item: T; error: unknown }[];
  /** Not tried any more, since someone stopped it. */
  untried: T[];
}

interface Watch {
  /** After each of them. */
  onStep?(tried: number): void;
  /** Seconds that the service asks to wait for; null once it goes on. */
  onWait?(seconds: number | null): void;
  stopped?: AbortSignal;
  /** Ends at once where it is stopped. */
  wait?(seconds: number, stopped: AbortSignal): Promise<void>;
}

/** Few at a time: the service and the connection have others to serve. */
const MAX_CONCURRENT = 4;
/** The limit of requests counts anew each minute. What asks for more than that is refused for another reason. */
const MAX_WAIT_SECONDS = 90;

/** Seconds, where the service asks for no more than to be slower. */
function restAfter(error: unknown): number | null {
  const isSlower = error instanceof Refusal && error.status === 429;
  return isSlower && error.retryAfter && error.retryAfter <= MAX_WAIT_SECONDS ? error.retryAfter : null;
}

export async function forEachLimited<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  { onStep, onWait, stopped = new AbortController().signal, wait = pause }: Watch = {},
): Promise<Outcome<T, R>> {
  const outcome: Outcome<T, R> = { done: [], failed: [], untried: [] };
  const queue = [...items];
  let silence: NoSignal | null = null;
  let rest: Promise<void> | null = null;
  // One rest for all of them, however many were asked to.
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
      const seconds = restAfter(error);
      if (seconds !== null) {
        // It was not done and not refused for itself: its turn comes again.
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
      // Without a signal each would wait as long for nothing as the first did.
      else if (silence) outcome.failed.push({ item, error: silence });
      else await tryOne(item);
      onStep?.(outcome.done.length + outcome.failed.length);
      await rest;
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
  return outcome;
}

function pause(seconds: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stopped.aborted) return resolve();
    const timer = setTimeout(resolve, seconds * 1_000);
    stopped.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
