/**
 * Hundreds of clients that send, read or wait as slowly as they may, each from a network of its own and without an
 * account: others are answered meanwhile, and the process stays small.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { administrator, ask, endProcess, type ServiceProcess, startProcess } from './service-process.ts';

const BOUND_MB = 400;
const SLOW = 200;
let service: ServiceProcess;
let token: string;
let site: string;
let open: Socket[] = [];

beforeAll(async () => {
  const env = { MALLOC_ARENA_MAX: '2', TRUST_PROXY: '1' };
  service = await startProcess({ command: [process.execPath, 'dist/src/main.js'], env });
  await service.until('The service is up');
  ({ token, site } = await administrator(service.dataDir, '+12065550101'));
}, 90_000);
afterEach(() => {
  for (const socket of open) socket.destroy();
  open = [];
});
afterAll(() => endProcess(service));

interface Client {
  socket: Socket;
  /** Everything that it was sent. */
  said(): string;
  ended: Promise<void>;
}

/** From the network 10.1.at.0. */
function client(at: number, request: string[], headers: string[] = []): Client {
  const socket = connect(service.port, '127.0.0.1');
  open.push(socket);
  let heard = '';
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    heard += String(piece);
  });
  const [first, ...rest] = request;
  const network = `X-Forwarded-For: 10.1.${at % 250}.${Math.floor(at / 250)}`;
  socket.write([first, 'Host: x', network, ...headers, ...rest].join('\r\n'));
  return { socket, said: () => heard, ended: new Promise((done) => socket.once('close', () => done())) };
}

const SEND_CODE = 'POST /api/auth/send-otp-login HTTP/1.1';
const JSON_TYPE = 'Content-Type: application/json';
const announcing = (bytes: number) => [JSON_TYPE, `Content-Length: ${bytes}`, '', ''];
const half = (bytes: number) => `{"phone":"${'1'.repeat(Math.floor(bytes / 2))}`;
const trickle = (socket: Socket, piece = '1') =>
  setInterval(() => socket.writable && socket.write(piece), 5_000).unref();

const written = (socket: Socket, text: string) =>
  new Promise<void>((done) => socket.write(text, () => done()));

const clearPeak = () => writeFileSync(`/proc/${service.child.pid}/clear_refs`, '5');
const peak = () =>
  Math.round(
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1]) / 1024,
  );

/** What others get: a small request without an account, one of each kind with an account, and a large body. */
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
const ANSWERED = [200, 200, 201, 400];

async function attacked(name: string, start: (at: number) => Promise<void>, count = SLOW): Promise<void> {
  if (existsSync('/proc/self/clear_refs')) clearPeak();
  await Promise.all(Array.from({ length: count }, (_, at) => start(at)));
  const begin = performance.now();
  for (let times = 0; times < 3; times++) expect(await others()).toEqual(ANSWERED);
  const each = (performance.now() - begin) / 3;
  if (!existsSync('/proc/self/clear_refs')) return;
  console.log(`${count} ${name}: others answered within ${Math.round(each)} ms; peak ${peak()} MB`);
  expect(peak()).toBeLessThan(BOUND_MB);
}

test.each([
  ['bodies of 64 to 85 kB of which half has arrived', (at: number) => 64_000 + 105 * at],
  ['bodies of 1 MB of which half has arrived', () => 1_000_000],
])(
  '%s hold up nobody else',
  async (name, size) => {
    await attacked(name, (at) => {
      const { socket } = client(at, [SEND_CODE, ...announcing(size(at))]);
      trickle(socket);
      return written(socket, half(size(at)));
    });
  },
  60_000,
);

test.each([
  ['bodies of which nothing arrives', [SEND_CODE, ...announcing(85_000)]],
  ['bodies that wait for 100 Continue', [SEND_CODE, 'Expect: 100-continue', ...announcing(85_000)]],
  ['chunked bodies of tiny chunks', [SEND_CODE, JSON_TYPE, 'Transfer-Encoding: chunked', '', '1\r\n{\r\n']],
  ['headers that never end', [SEND_CODE, 'X-Slow: 1']],
  ['connections that only stay open', ['']],
])(
  '%s hold up nobody else',
  async (name, request) => {
    await attacked(name, (at) => {
      const { socket } = client(at, request);
      trickle(socket, '1\r\n1\r\n');
      return written(socket, '');
    });
  },
  60_000,
);

test('bodies that are broken off halfway hold up nobody else', async () => {
  await attacked('bodies broken off', (at) => {
    const { socket } = client(at, [SEND_CODE, ...announcing(1_000_000)]);
    return written(socket, half(900_000)).then(() => void socket.destroy());
  });
}, 60_000);

test('a body that stops is refused as too slow', async () => {
  const slow = client(1, [SEND_CODE, ...announcing(20_000)]);
  slow.socket.write(half(8_000));
  await slow.ended;
  expect(slow.said()).toContain('HTTP/1.1 503 ');
  expect(slow.said()).toContain('too slowly');
}, 120_000);
