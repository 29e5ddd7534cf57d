/** What `npm start` and the commands do before anything else: install packages and build, one process at a time. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
// @ts-expect-error: plain JavaScript
import { alone, ensure, lockFile } from '../../scripts/ensure.mjs';

const ROOT = '/nowhere/ensure-test';
const file = lockFile(ROOT);
const { write } = process.stderr;
afterEach(() => {
  process.stderr.write = write;
  rmSync(file, { force: true });
});

function hearSteps(): () => string[] {
  let output = '';
  process.stderr.write = (text: string | Uint8Array) => {
    output += text;
    return true;
  };
  return () =>
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
}

/** A project whose compilers only note that they ran. */
function makeProject(): { root: string; write(name: string, text: string): void; runs(): string } {
  const root = mkdtempSync(join(tmpdir(), 'ensure-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const compiler = (name: string, output: string) => `
    const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
    appendFileSync('runs', '${name} ');
    mkdirSync(require('node:path').dirname('${output}'), { recursive: true });
    writeFileSync('${output}', '');`;
  write('package-lock.json', '{"packages":{}}');
  write('node_modules/.package-lock.json', '{"packages":{}}');
  write('node_modules/typescript/bin/tsc', compiler('tsc', 'dist/src/main.js'));
  write('node_modules/vite/bin/vite.js', compiler('vite', 'client-dist/index.html'));
  write('dist/scripts/check-questionnaire.js', '');
  write('src/main.ts', '');
  write('client/index.html', '');
  return { root, write, runs: () => readFileSync(join(root, 'runs'), 'utf8').trim() };
}

test('each part is built once, and again only if its sources have changed; each step says how long it took', async () => {
  const { root, write, runs } = makeProject();
  const steps = hearSteps();
  await ensure({ root });
  await ensure({ root });
  expect(runs()).toBe('tsc vite');
  expect(steps()).toEqual([
    'Building the service...',
    expect.stringMatching(/^Building the service: done in \d+\.\d s$/),
    'Building the client...',
    expect.stringMatching(/^Building the client: done in \d+\.\d s$/),
  ]);
  write('client/index.html', 'changed');
  await ensure({ root });
  expect(runs()).toBe('tsc vite vite');
  rmSync(root, { recursive: true });
});

/** An npm that only notes how it was called, and records as installed what it was to install. */
const NPM = `
  const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
  const [command, ...args] = process.argv.slice(2);
  appendFileSync('npm-calls', [command, ...args.filter((one) => /^--(no-save|omit|include)/.test(one))].join(' ') + '\\n');
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  // It is for another system.
  delete packages['node_modules/fsevents'];
  if (args.includes('--omit=dev')) delete packages['node_modules/vitest'];
  for (const path of Object.keys(packages)) mkdirSync(path || '.', { recursive: true });
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));`;

test('npm start installs what runs and builds the service, and npm test adds its own packages', async () => {
  const { root, write } = makeProject();
  rmSync(join(root, 'node_modules/.package-lock.json'));
  write('npm-cli.js', NPM);
  const optional = { version: '1.0.0', optional: true };
  const locked = {
    '': { optionalDependencies: { vite: '1.0.0' } },
    'node_modules/express': { version: '1.0.0' },
    'node_modules/vite': optional,
    'node_modules/fsevents': optional,
    'node_modules/vitest': { version: '1.0.0', dev: true },
  };
  const lock = (packages: object) => write('package-lock.json', JSON.stringify({ packages }));
  const calls = () => readFileSync(join(root, 'npm-calls'), 'utf8').trim().split('\n');
  const { npm_execpath } = process.env;
  process.env.npm_execpath = join(root, 'npm-cli.js');
  hearSteps();
  try {
    lock(locked);
    await ensure({ root });
    await ensure({ root });
    expect(calls()).toEqual(['ci --include=optional --omit=dev']);
    await ensure({ root, dev: true });
    await ensure({ root });
    expect(calls().slice(1)).toEqual(['install --no-save --include=optional --include=dev']);
    // A newer version of a package, also of one for the build.
    lock({ ...locked, 'node_modules/vite': { ...optional, version: '1.0.1' } });
    await ensure({ root });
    expect(calls().slice(2)).toEqual(['install --no-save --include=optional --include=dev']);
    rmSync(root, { recursive: true });
  } finally {
    if (npm_execpath === undefined) delete process.env.npm_execpath;
    else process.env.npm_execpath = npm_execpath;
  }
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
  let output = '';
  process.stderr.write = (text: string | Uint8Array) => {
    output += text;
    return true;
  };
  let runs = 0;
  const second = alone(ROOT, () => runs++);
  await sleep(1_200);
  expect(runs).toBe(0);
  rmSync(file);
  await second;
  expect(runs).toBe(1);
  expect(output.match(/Waiting for another process/g)).toHaveLength(1);
});

test('each user has their own lock', () => {
  expect(file).toContain(`-${process.getuid?.() ?? 0}-`);
});
