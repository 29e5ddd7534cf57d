/** One action on many records. */
import './browser.ts';
import { forEachLimited } from '../../client/src/dashboard/kit/actions/send-each.ts';
import { RequestRefusal } from '../../client/src/session/api.ts';

const tooMany = (seconds: number) => new RequestRefusal(429, { code: 'RATE_LIMITED' }, seconds);

/** Accepts this many requests, then requires a wait, as the service does per minute. */
function limited(points: number) {
  let remaining = points;
  const waits: number[] = [];
  return {
    waits,
    act: async (item: number) => {
      if (remaining === 0) throw tooMany(42);
      remaining -= 1;
      return item;
    },
    wait: async (seconds: number) => {
      waits.push(seconds);
      remaining = points;
    },
  };
}

const items = Array.from({ length: 50 }, (_, at) => at);

test('after a 429 all items wait as long as asked, and none is lost', async () => {
  const { act, wait, waits } = limited(20);
  const waitsShown: (number | null)[] = [];
  const {
    done: successes,
    failed,
    untried: remaining,
  } = await forEachLimited(items, act, {
    wait,
    onWait: (seconds) => waitsShown.push(seconds),
  });
  expect(successes.map(({ item }) => item).sort((one, other) => one - other)).toEqual(items);
  expect([failed, remaining]).toEqual([[], []]);
  expect(waits).toEqual([42, 42]);
  expect(waitsShown).toEqual([42, null, 42, null]);
});

test('a run can be stopped while waiting, and the rest is left as not attempted', async () => {
  const { act } = limited(20);
  const stop = new AbortController();
  const {
    done: successes,
    failed,
    untried: remaining,
  } = await forEachLimited(items, act, {
    stopped: stop.signal,
    onWait: () => queueMicrotask(() => stop.abort()),
  });
  expect([successes.length, failed.length, remaining.length]).toEqual([20, 0, 30]);
});

test('an item with a very long Retry-After fails', async () => {
  const { failed } = await forEachLimited([1], () => Promise.reject(tooMany(3_600)));
  expect(failed).toHaveLength(1);
});
