/** One action on many records. */
import './browser.ts';
import { forEachLimited } from '../../client/src/dashboard/kit/acts/send-each.ts';
import { Refusal } from '../../client/src/session/api.ts';

const tooMany = (seconds: number) => new Refusal(429, { code: 'RATE_LIMITED' }, seconds);

/** Accepts this many requests, then requires a wait, as the service does per minute. */
function limited(points: number) {
  let left = points;
  const waits: number[] = [];
  return {
    waits,
    act: async (item: number) => {
      if (left === 0) throw tooMany(42);
      left -= 1;
      return item;
    },
    wait: async (seconds: number) => {
      waits.push(seconds);
      left = points;
    },
  };
}

const items = Array.from({ length: 50 }, (_, at) => at);

test('after a 429 all items wait as long as asked, and none is lost', async () => {
  const { act, wait, waits } = limited(20);
  const said: (number | null)[] = [];
  const {
    done,
    failed,
    untried: left,
  } = await forEachLimited(items, act, {
    wait,
    onWait: (seconds) => said.push(seconds),
  });
  expect(done.map(({ item }) => item).sort((one, other) => one - other)).toEqual(items);
  expect([failed, left]).toEqual([[], []]);
  expect(waits).toEqual([42, 42]);
  expect(said).toEqual([42, null, 42, null]);
});

test('a run can be stopped while waiting, and the rest is left as not attempted', async () => {
  const { act } = limited(20);
  const stop = new AbortController();
  const {
    done,
    failed,
    untried: left,
  } = await forEachLimited(items, act, {
    stopped: stop.signal,
    onWait: () => queueMicrotask(() => stop.abort()),
  });
  expect([done.length, failed.length, left.length]).toEqual([20, 0, 30]);
});

test('an item with a very long Retry-After fails', async () => {
  const { failed } = await forEachLimited([1], () => Promise.reject(tooMany(3_600)));
  expect(failed).toHaveLength(1);
});
