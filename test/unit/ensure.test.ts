/** The lock of `npm start` and the commands while they install packages and build. */
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
// @ts-expect-error: plain JavaScript
import { alone, lockFile } from '../../scripts/ensure.mjs';

const ROOT = '/nowhere/ensure-test';
const file = lockFile(ROOT);
const { write } = process.stderr;
afterEach(() => {
  process.stderr.write = write;
  rmSync(file, { force: true });
});

/** Another process that runs. */
const OTHER = String(process.ppid);

test.each([
  ['its number is our own', String(process.pid), 0],
  ['no process has its number', String(2 ** 30), 0],
  ['it is older than 30 minutes', OTHER, 31],
])('takes over a lock if %s', async (_when, pid, minutes) => {
  writeFileSync(file, pid);
  const then = Date.now() / 1000 - minutes * 60;
  utimesSync(file, then, then);
  let runs = 0;
  await alone(ROOT, () => runs++);
  expect(runs).toBe(1);
  expect(existsSync(file)).toBe(false);
});

test('waits for another process and says so once', async () => {
  writeFileSync(file, OTHER);
  let said = '';
  process.stderr.write = (text: string | Uint8Array) => {
    said += text;
    return true;
  };
  let runs = 0;
  const done = alone(ROOT, () => runs++);
  await sleep(1_200);
  expect(runs).toBe(0);
  rmSync(file);
  await done;
  expect(runs).toBe(1);
  expect(said.match(/Waiting for another process/g)).toHaveLength(1);
});

test('each user has their own lock', () => {
  expect(file).toContain(`-${process.getuid?.() ?? 0}-`);
});
