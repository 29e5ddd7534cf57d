/** Stopping the service as npm, systemd and a person at a terminal do: real processes with their own mongod. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentityOf } from '../../src/platform/db/embedded/process-identity.ts';
import { endProcess, newFolder, type ServiceProcess, startProcess } from './service-process.ts';

const dataDir = newFolder();
let service: ServiceProcess;
afterEach(() => endProcess(service));

async function start(command?: string[]): Promise<void> {
  service = await startProcess({ dataDir, ...(command ? { command } : {}) });
  await service.until('The service is up');
}

/** The process that serves, which is not always the one that was started. */
function servingPid(): number {
  const users = readdirSync(join(dataDir, 'mongod-users')).map((name) => Number.parseInt(name, 10));
  return users.find((pid) => processIdentityOf(pid)) ?? 0;
}

async function endOf(pid: number): Promise<void> {
  while (processIdentityOf(pid)) await sleep(20);
}

/** The process of its database, once it runs. */
async function mongodBegun(): Promise<number> {
  for (;;) {
    try {
      const pid = service.mongodPid();
      if (pid && processIdentityOf(pid)) return pid;
    } catch {}
    await sleep(20);
  }
}

/** A request of which the service has half: its response so far, and a function to send the rest. */
async function halfARequest(): Promise<{ socket: Socket; answer(): string; finish(): void }> {
  const body = JSON.stringify({ phone: '+12065550100' });
  const socket = connect(service.port, '127.0.0.1');
  const heard: Buffer[] = [];
  socket.on('data', (bytes) => heard.push(bytes));
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = 'POST /api/auth/send-otp-login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
  await sleep(500);
  return {
    socket,
    answer: () => String(Buffer.concat(heard)),
    finish: () => void socket.write(body.slice(5)),
  };
}

test.each([
  ['to all processes of npm start', ['npm', 'start'], (pid: number) => -pid],
  ['to the service process only', undefined, (pid: number) => pid],
] as const)(
  'SIGTERM %s, three times: running requests are answered and the database stopped, without further delay',
  async (_what, command, whom) => {
    await start(command && [...command]);
    const mongod = service.mongodPid();
    const request = await halfARequest();
    for (let time = 0; time < 3; time++) {
      process.kill(whom(service.child.pid ?? 0), 'SIGTERM');
      await sleep(300);
    }
    await expect(fetch(`${service.url}/api/health/live`)).rejects.toThrow();
    const begin = Date.now();
    request.finish();
    // npm itself may exit with the signal's number.
    const [code, signal] = await service.ended;
    if (!command) expect([code, signal]).toEqual([0, null]);
    expect(request.answer()).toMatch(/^HTTP\/1\.1 200 /);
    expect(Date.now() - begin).toBeLessThan(8_000);
    expect(processIdentityOf(mongod)).toBeNull();
  },
  60_000,
);

test.each(['SIGTERM', 'SIGINT'] as const)(
  'no shell stands between npm and the service: %s to npm alone stops it and its database',
  async (signal) => {
    await start(['npm', 'start']);
    const [mongod, serving] = [service.mongodPid(), servingPid()];
    // So that the C library does not hold on to freed memory.
    expect(readFileSync(`/proc/${serving}/environ`, 'utf8').split('\0')).toContain('MALLOC_ARENA_MAX=2');
    service.child.kill(signal);
    await endOf(serving);
    expect(processIdentityOf(mongod)).toBeNull();
  },
  60_000,
);

test('Ctrl-C, which npm sends twice, waits for running requests; a second Ctrl-C does not, but stops the database', async () => {
  await start();
  const mongod = service.mongodPid();
  const request = await halfARequest();
  const closed = once(request.socket, 'close');
  for (const pause of [0, 100]) {
    await sleep(pause);
    service.child.kill('SIGINT');
  }
  await sleep(1_500);
  expect(service.child.exitCode).toBeNull();
  const begin = Date.now();
  service.child.kill('SIGINT');
  await closed;
  expect(Date.now() - begin).toBeLessThan(2_000);
  expect(await service.ended).toEqual([0, null]);
  expect(processIdentityOf(mongod)).toBeNull();
}, 60_000);

test('stopping during startup also stops the database', async () => {
  service = await startProcess({ dataDir });
  const mongod = await mongodBegun();
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
  expect(processIdentityOf(mongod)).toBeNull();
}, 60_000);

test('startup messages are JSON lines without a terminal, plain text with one', async () => {
  await start();
  process.kill(service.child.pid ?? 0, 'SIGTERM');
  await service.ended;
  const lines = service.said().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).msg)).toContain(
    `The service is up: http://localhost:${service.port}`,
  );

  // `script` gives it a terminal.
  await start(['script', '-qec', `${process.execPath} scripts/start.mjs`, '/dev/null']);
  await service.until('/setup#token=');
  const text = service.said();
  expect(text).toMatch(/^The service is up: http/m);
  expect(text).toMatch(/^Create the first super-admin here \(the link works once\): http.*\/setup#token=/m);
  // `script` also gives it a session, so that it does not end with the others.
  process.kill(servingPid(), 'SIGTERM');
  await service.ended;
}, 60_000);

test('a port in use is reported in one sentence, and no database is left running', async () => {
  const other = createServer().listen(0);
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  service = await startProcess({ dataDir, port });
  const mongod = await mongodBegun();
  expect(await service.ended).toEqual([1, null]);
  other.close();
  const logLines = service.said().trim().split('\n');
  expect(JSON.parse(logLines.at(-1) ?? '').msg).toBe(
    `The service could not start: port ${port} is in use. Stop the program that uses it, or set PORT.`,
  );
  expect(processIdentityOf(mongod)).toBeNull();
}, 60_000);
