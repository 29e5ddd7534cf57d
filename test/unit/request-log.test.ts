import mongoose from 'mongoose';
import { pino } from 'pino';
import supertest from 'supertest';
import { consoleOtp } from '../../src/access/auth/otp/otp-console.ts';
import { createApp } from '../../src/app.ts';
import { apiRoutes } from '../../src/routes.ts';
import { testConfig } from '../people.ts';

const DEBUG = 20;
const INFO = 30;

/** The log lines of this request; no request here needs the database. */
async function linesOf(path: string): Promise<string[]> {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const app = createApp({ config: testConfig(), log, otp: consoleOtp(() => {}), now: () => new Date() });
  await supertest(app).get(path);
  return lines;
}

async function levelOf(path: string): Promise<number | undefined> {
  const lines = (await linesOf(path)).map((line): { level: number; req?: { path: string } } =>
    JSON.parse(line),
  );
  return lines.find((line) => line.req?.path === path)?.level;
}

test.each([
  ['/api/no-such-path', INFO],
  ['/api/users', INFO],
  ['/documentation/', DEBUG],
  ['/documentation/swagger-ui.css', DEBUG],
  ['/assets/no-such-file.js', DEBUG],
])('the log has API requests at info and pages and files at debug: %s', async (path, level) => {
  expect(await levelOf(path)).toBe(level);
});

test('the log contains no code from a path', async () => {
  const code = /:(code|secret)/;
  const paths = [...apiRoutes.map(({ path }) => path), '/c/:code', '/c/:code/x', '/s/:secret'].filter(
    (path) => code.test(path),
  );
  expect(paths.length).toBeGreaterThan(6);
  for (const path of paths) {
    const lines = await linesOf(path.replace(code, 'ABCDEFGC'));
    expect(lines.join('')).toContain(path.replace(code, '…'));
    expect(lines.join('')).not.toContain('ABCDEFGC');
  }
});

test('a request without a token is rejected without a database query', async () => {
  const collections: string[] = [];
  const tell = ({ collectionName }: { collectionName: string }) => collections.push(collectionName);
  mongoose.connection.on('buffer', tell);
  await levelOf('/api/users');
  await new Promise((turn) => setImmediate(turn));
  mongoose.connection.off('buffer', tell);
  expect(collections).toEqual([]);
});
