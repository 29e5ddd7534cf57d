/** The order of queued work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type HeldCapacity, WorkQueue } from '../../src/platform/http/limits/work-queue.ts';

const ROOM = {
  capacity: 4,
  each: 2,
  maxWaiting: 10,
  maxWaitingEach: 5,
  overloadProblem: 'SENDING_TOO_MUCH',
} as const;

/** Enters when it may, and records it. */
function entering(queue: WorkQueue, by: string, size = 1, order: string[] = []): Promise<HeldCapacity> {
  const place = queue.enterNow(by, size);
  const entered = place ? Promise.resolve(place) : queue.enter(by, size);
  return entered.then((one) => {
    order.push(by);
    return one;
  });
}

test('one caller cannot use more than their share', () => {
  const queue = new WorkQueue(ROOM);
  expect(['a', 'a', 'a', 'b'].map((by) => queue.enterNow(by, 1) !== null)).toEqual([true, true, false, true]);
});

test('the caller with the least work in progress is next, then the first to arrive', async () => {
  const queue = new WorkQueue({ ...ROOM, each: 4 });
  const order: string[] = [];
  const places = await Promise.all(['a', 'a', 'a', 'b'].map((by) => entering(queue, by)));
  for (const by of ['a', 'b', 'c', 'd']) void entering(queue, by, 1, order);
  for (const place of places) {
    place.leave();
    await sleep(0);
  }
  expect(order).toEqual(['c', 'd', 'a', 'b']);
});

test('a caller with a long queue takes turns with others who come later', async () => {
  const queue = new WorkQueue({ ...ROOM, capacity: 1, each: 1 });
  const order: string[] = [];
  const first = await entering(queue, 'a');
  const all = ['a', 'a', 'a', 'b', 'b'].map((by) =>
    entering(queue, by, 1, order).then(async (place) => {
      await sleep(0);
      place.leave();
    }),
  );
  first.leave();
  await Promise.all(all);
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a']);
});

test('releasing part of a place lets the next one in', async () => {
  const queue = new WorkQueue({ ...ROOM, each: 4 });
  const place = await entering(queue, 'a', 4);
  const next = entering(queue, 'b', 3);
  place.keep(1);
  await next;
  expect(queue.enterNow('c', 1)).toBeNull();
});

test('large work leaves room for small work', () => {
  const queue = new WorkQueue({ ...ROOM, capacity: 8, each: 8, small: 1 });
  expect([4, 3, 2, 1, 1].map((size) => queue.enterNow('a', size) !== null)).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
});

test('rejects callers who waited too long or have too much waiting', async () => {
  const queue = new WorkQueue({ ...ROOM, capacity: 1, maxWaitingEach: 1, maxWaitMs: 20 });
  queue.enterNow('a', 1);
  const late = queue.enter('b', 1);
  await expect(queue.enter('b', 1)).rejects.toMatchObject({ name: 'RATE_LIMITED', status: 429 });
  await expect(late).rejects.toMatchObject({ name: 'UNAVAILABLE', status: 503 });
  expect(queue.isCrowded).toBe(false);
});
