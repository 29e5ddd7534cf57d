/**
 * Hundreds of clients that send as slowly as they may, each from a network of its own and without an account: others are
 * answered meanwhile, and the process stays small. Through Caddy: attacks.ts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { administrator, ask, endProcess, type ServiceProcess, startProcess } from './service-process.ts';
import { announcing, halfOf, openClient, openSlow, SEND_CODE, SLOW_CONNECTIONS } from './slow-connections.ts';

const BOUND_MB = 400;
const COUNT = 200;
let service: ServiceProcess;
let token: string;
let site: string;

beforeAll(async () => {
  const env = { MALLOC_ARENA_MAX: '2', TRUST_PROXY: '1' };
  service = await startProcess({ command: [process.execPath, 'dist/src/main.js'], env });
  await service.until('The service is up');
  ({ token, site } = await administrator(service.dataDir, '+12065550101'));
}, 90_000);
afterAll(() => endProcess(service));

const isMeasurable = existsSync('/proc/self/clear_refs');
const peak = () =>
  Math.round(
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1]) / 1024,
  );

/** What others get: a sign-in code, a list, a seed, and a body of 90 kB that is refused for its answers. */
async function others(): Promise<number[]> {
  const responses = { comment: 'x'.repeat(90_000) };
  const replies = await Promise.all([
    ask(service, 'POST', '/api/auth/send-otp-login', { body: { phone: '+12065550102' } }),
    ask(service, 'GET', '/api/surveys', { token }),
    ask(service, 'POST', '/api/seeds', { token, body: { location: site } }),
    ask(service, 'POST', '/api/surveys', { token, body: { location: site, responses } }),
  ]);
  return replies.map(({ status }) => status);
}

test.each(SLOW_CONNECTIONS)(
  '200 connections delay nobody else: $name',
  async (slow) => {
    if (isMeasurable) writeFileSync(`/proc/${service.child.pid}/clear_refs`, '5');
    const close = await openSlow(slow, service.port, COUNT);
    try {
      const begin = performance.now();
      for (let times = 0; times < 3; times++) expect(await others()).toEqual([200, 200, 201, 400]);
      const ms = Math.round((performance.now() - begin) / 3);
      if (!isMeasurable) return;
      console.log(
        `${COUNT} connections with ${slow.name}: others answered within ${ms} ms; peak ${peak()} MB`,
      );
      expect(peak()).toBeLessThan(BOUND_MB);
    } finally {
      close();
    }
  },
  60_000,
);

test('a body that stops is refused as too slow', async () => {
  const slow = openClient(service.port, 1, [SEND_CODE, ...announcing(20_000)]);
  slow.socket.write(halfOf(8_000));
  await slow.ended;
  expect(slow.said()).toContain('HTTP/1.1 503 ');
  expect(slow.said()).toContain('too slowly');
}, 120_000);
