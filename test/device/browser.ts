/** Stands in for a browser in Node: an in-memory store, a network under the test's control, and a settable clock. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';

/** The response to each request, in order; `sent` has the requests: the clientId, or the path of one without it. */
export const network = {
  sent: [] as string[],
  /** The token of each request, in the same order. */
  tokens: [] as string[],
  answer: (_clientId: string, _body: string): Response | Promise<Response> => stored(),
};

export const answerOf = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'X-Request-Id': 'test', ...headers } });

export const stored = (): Response => answerOf(201, { id: 'b'.repeat(24), issuedCodes: [], flags: [] });

/** Both clocks of a phone: the one that can be set, and the monotonic one. */
export const time = {
  wall: Date.parse('2026-03-01T10:00:00Z'),
  run: 0,
  /** Advances the time and runs due timers in order. */
  async pass(milliseconds: number): Promise<void> {
    const end = time.run + milliseconds;
    for (;;) {
      await settle();
      const [next] = [...timers].sort(([, one], [, other]) => one.at - other.at);
      if (!next || next[1].at > end) break;
      forward(Math.max(0, next[1].at - time.run));
      timers.delete(next[0]);
      next[1].act();
    }
    forward(end - time.run);
    await settle();
  },
  /** Sets the clock, as a user does. */
  set(by: number): void {
    time.wall += by;
  },
};

function forward(milliseconds: number): void {
  time.wall += milliseconds;
  time.run += milliseconds;
}

const timers = new Map<number, { at: number; act: () => void }>();
let lastTimer = 0;

/** As in browsers: a delay too long for 32 bits is zero. */
function setTimer(act: () => void, wait = 0): number {
  lastTimer += 1;
  timers.set(lastTimer, { at: time.run + (wait > 2 ** 31 - 1 ? 0 : Math.max(wait, 1)), act });
  return lastTimer;
}

/** The session of someone who waits for approval, so that nothing is sent. */
export const waiting = (id: string) =>
  ({ user: { id, approvalStatus: 'PENDING' }, rules: [], token: id, expired: false }) as never;

/** The in-memory store responds in real turns of the event loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A closed page leaves no channel open; one in Node would keep its worker from exiting. */
const NodeChannel = globalThis.BroadcastChannel;
class PageChannel extends NodeChannel {
  constructor(name: string) {
    super(name);
    (this as unknown as { unref(): void }).unref();
  }
}

const nothing = () => undefined;
const settings = new Map<string, string>();

Object.assign(globalThis, {
  setTimeout: setTimer,
  clearTimeout: (timer: number) => timers.delete(timer),
  indexedDB: new IDBFactory(),
  IDBKeyRange,
  BroadcastChannel: PageChannel,
  addEventListener: nothing,
  removeEventListener: nothing,
  document: { addEventListener: nothing, removeEventListener: nothing, visibilityState: 'visible' },
  history: { replaceState: nothing },
  localStorage: {
    getItem: (key: string) => settings.get(key) ?? null,
    setItem: (key: string, value: string) => settings.set(key, value),
    removeItem: (key: string) => settings.delete(key),
  },
  fetch: async (
    path: string,
    { body = '{}', headers = {} }: { body?: string; headers?: Record<string, string> },
  ) => {
    const { clientId = path } = JSON.parse(body) as { clientId?: string };
    network.sent.push(clientId);
    network.tokens.push((headers.Authorization ?? '').replace('Bearer ', ''));
    return network.answer(clientId, body);
  },
});
Object.defineProperty(globalThis, 'navigator', {
  value: { onLine: true, languages: ['en'] },
  configurable: true,
});

// The client loads these when it first needs them, which takes real time; `settle` and `time.pass` would not wait for it.
await import('../../client/src/device/sealing.ts');
await import('../../client/src/device/key-rows.ts');
