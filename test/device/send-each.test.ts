/** One act on many records. */
import './browser.ts';
import { Refusal } from '../../client/src/api.ts';
import { inTurn } from '../../client/src/desk/send-each.ts';

const tooMany = (seconds: number) => new Refusal(429, { code: 'RATE_LIMITED' }, seconds);

/** Takes so many requests until someone has waited, as the service does in a minute. */
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

test('if the service asks for fewer requests, all wait as long as it says and none is lost', async () => {
  const { act, wait, waits } = limited(20);
  const said: (number | null)[] = [];
  const { done, failed, left } = await inTurn(items, act, { wait, onWait: (seconds) => said.push(seconds) });
  expect(done.map(({ item }) => item).sort((one, other) => one - other)).toEqual(items);
  expect([failed, left]).toEqual([[], []]);
  expect(waits).toEqual([42, 42]);
  expect(said).toEqual([42, null, 42, null]);
});

test('it can be stopped while it waits, and the rest counts as not tried', async () => {
  const { act } = limited(20);
  const stop = new AbortController();
  const { done, failed, left } = await inTurn(items, act, {
    stopped: stop.signal,
    onWait: () => queueMicrotask(() => stop.abort()),
  });
  expect([done.length, failed.length, left.length]).toEqual([20, 0, 30]);
});

test('who is told to come back much later is refused', async () => {
  const { failed } = await inTurn([1], () => Promise.reject(tooMany(3_600)));
  expect(failed).toHaveLength(1);
});
