/** A warning about a proxy that is not in the settings, and security headers for this host only. */
import pino from 'pino';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import type { Config } from '../../src/platform/config.ts';
import { worldOfFile } from '../people.ts';

const world = worldOfFile();

function service(config: Partial<Config>) {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const app = createApp({ ...world.deps, log, config: { ...world.deps.config, ...config } });
  /** Whether clients were slow in the last five minutes is of the process, not of these tests. */
  const warnings = async (from?: string): Promise<string[]> => {
    const asking = request(app).get('/api/health/ready');
    const { body } = await (from ? asking.set('X-Forwarded-For', from) : asking).expect(200);
    return (body.warnings ?? []).filter((warning: string) => warning !== 'SLOW_CLIENTS');
  };
  return { app, lines, warnings };
}

test('without TRUST_PROXY the first request from a proxy is warned about once, in the log and health check', async () => {
  const { warnings, lines } = service({ trustProxy: undefined });
  expect(await warnings()).toEqual([]);
  for (let time = 0; time < 3; time += 1) await warnings('198.51.100.1');
  expect(await warnings()).toEqual(['TRUST_PROXY_UNSET']);
  expect(lines.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(1);
  expect(lines.join()).not.toContain('198.51.100.1');
});

test('in production the health check warns immediately', async () => {
  const { warnings } = service({ trustProxy: undefined, production: true });
  expect(await warnings()).toEqual(['TRUST_PROXY_UNSET']);
});

test.each([false, true, 1])('TRUST_PROXY=%s gives no warning', async (trustProxy) => {
  const { warnings, lines } = service({ trustProxy, production: true });
  await warnings('198.51.100.1');
  expect(await warnings()).toEqual([]);
  expect(lines).toEqual([]);
});

test('HSTS applies to this host without subdomains', async () => {
  const { app } = service({ publicUrl: 'https://survey.example.org' });
  const { headers } = await request(app).get('/api/health/live');
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
});

test.each(['/metrics', '/.env', '/wp-login.php', '/app.js.map', '/api/nothing'])(
  '%s is 404 for browsers too',
  async (path) => {
    const { app } = service({});
    const reply = await request(app).get(path).set('Accept', 'text/html,*/*').expect(404);
    expect(reply.headers['content-type']).toContain('application/json');
  },
);
