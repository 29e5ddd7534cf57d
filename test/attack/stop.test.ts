/** SIGTERM: what runs is finished, and nothing is waited for beyond it. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PORT = 41_640;

function startService() {
  const uri = new URL(process.env.TEST_MONGO_URI ?? '');
  uri.pathname = `/t_${randomUUID().slice(0, 8)}`;
  return spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_ENV: 'test',
      MONGO_URI: String(uri),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'stop-')),
      PORT: String(PORT),
      OTP_PROVIDER: 'console',
      RATE_LIMITS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('a request under way is answered, and its connection, kept alive, does not hold up the end', async () => {
  const service = startService();
  const ended = once(service, 'exit');
  try {
    for await (const text of service.stdout) if (String(text).includes('The service is up')) break;
    const body = JSON.stringify({ phone: '+12065550100' });
    const socket = connect(PORT, '127.0.0.1');
    const answer: Buffer[] = [];
    socket.on('data', (bytes) => answer.push(bytes));
    const head = 'POST /api/auth/send-otp-login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
    await new Promise((done) => setTimeout(done, 500));
    service.kill('SIGTERM');
    await new Promise((done) => setTimeout(done, 500));
    const begin = Date.now();
    socket.write(body.slice(5));
    expect(await ended).toEqual([0, null]);
    expect(String(Buffer.concat(answer))).toMatch(/^HTTP\/1\.1 200 /);
    expect(Date.now() - begin).toBeLessThan(3_500);
  } finally {
    service.kill('SIGKILL');
  }
}, 60_000);
