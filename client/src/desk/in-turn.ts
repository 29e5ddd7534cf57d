/** One act on many records by the route of one: each is answered by itself, and what failed fails alone. */
import { NoSignal } from '../api.ts';

interface Outcome<T, R> {
  done: { item: T; result: R }[];
  failed: { item: T; error: unknown }[];
  /** Not tried any more, since someone stopped it. */
  left: T[];
}

interface Watch {
  /** After each of them. */
  onStep?(tried: number): void;
  isStopped?(): boolean;
}

/** Few at a time: the service and the connection have others to serve. */
const AT_ONCE = 4;

export async function inTurn<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  { onStep, isStopped }: Watch = {},
): Promise<Outcome<T, R>> {
  const outcome: Outcome<T, R> = { done: [], failed: [], left: [] };
  const waiting = [...items];
  let silence: NoSignal | null = null;
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      if (isStopped?.()) outcome.left.push(item);
      // Without a signal each would wait as long for nothing as the first did.
      else if (silence) outcome.failed.push({ item, error: silence });
      else {
        const now = item;
        await act(now).then(
          (result) => outcome.done.push({ item: now, result }),
          (error: unknown) => {
            if (error instanceof NoSignal) silence = error;
            outcome.failed.push({ item: now, error });
          },
        );
      }
      onStep?.(outcome.done.length + outcome.failed.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcome;
}
