/**
 * Each command as the first one on a machine that has only Node: no mongod, an empty home folder, an empty DATA_DIR.
 * MongoDB's archive comes from a server of the test, with a script in it that starts the tests' own mongod.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
// @ts-expect-error: plain JavaScript
import { ensure } from '../../scripts/ensure.mjs';
import { findFreePort } from '../free-port.ts';
import { type Ended, openFolder, SLOW } from './kit.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
/** The lines of package.json that run a command. */
const COMMANDS = new Map(
  Object.entries(scripts).filter(([, line]) => /scripts\/(run|start)\.mjs\b/.test(line)),
);

let folder: Awaited<ReturnType<typeof openFolder>>;
let server: Server;
beforeAll(async () => {
  await ensure({ dev: true });
  folder = await openFolder();
  const bin = folder.path('bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, `${bin}/node`);
  for (const name of ['env', 'sh', 'ps'])
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), `${bin}/${name}`);
  const packed = folder.path('mongodb-linux');
  mkdirSync(`${packed}/bin`, { recursive: true });
  const real = process.env.TEST_MONGOD_BINARY ?? '';
  writeFileSync(`${packed}/bin/mongod`, `#!/bin/sh\nexec '${real}' "$@"\n`, { mode: 0o755 });
  const archive = execFileSync('tar', ['-czf', '-', '-C', folder.path('.'), 'mongodb-linux']);
  server = createServer((_req, res) => res.setHeader('Content-Length', archive.length).end(archive));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  writeFileSync(
    folder.path('graph.csv'),
    'id,recruiter.id,network.size,color\n1,,3,red\n2,1,4,blue\n3,1,2,red\n',
  );
  writeFileSync(folder.path('password'), 'x');
}, 3 * SLOW);
afterAll(async () => {
  server.close();
  await folder.remove();
});

/** The line of package.json, as npm runs it. */
async function first(name: string, args: string[], stopAt?: RegExp): Promise<Ended> {
  const home = folder.path(name);
  mkdirSync(home);
  const { port } = server.address() as AddressInfo;
  const child = spawn('sh', ['-c', [COMMANDS.get(name), ...args].join(' ')], {
    env: {
      PATH: folder.path('bin'),
      HOME: home,
      TMPDIR: home,
      DATA_DIR: `${home}/data`,
      INIT_CWD: home,
      PORT: String(await findFreePort()),
      MONGOMS_DOWNLOAD_URL: `http://127.0.0.1:${port}/mongodb-linux-x86_64-ubuntu2204-8.2.6.tgz`,
      MONGOMS_USE_HTTP: 'true',
      MONGOMS_MD5_CHECK: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  const hear = () => {
    if (stopAt?.test(out + err)) child.kill('SIGTERM');
  };
  child.stdout.on('data', (text) => {
    out += String(text);
    hear();
  });
  child.stderr.on('data', (text) => {
    err += String(text);
    hear();
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

const SMALL_STUDY = ['--respondents', '10', '--days', '1'];
/** What each is run with, and its exit code; a study without sites and interviews has nothing to print or analyse. */
const FIRST: Record<string, { args: string[]; code: number; stopAt?: RegExp }> = {
  start: { args: [], code: 0, stopAt: /The service is up/ },
  'generate-seeds': { args: ['--dry-run'], code: 1 },
  'generate-coupons': { args: ['--list'], code: 0 },
  users: { args: ['list'], code: 0 },
  locations: { args: ['list'], code: 0 },
  surveys: { args: ['erase', '0123456789abcdef01234567', '--reason', 'x'], code: 1 },
  questionnaires: { args: ['list'], code: 0 },
  study: { args: ['show'], code: 0 },
  cards: { args: ['summary'], code: 0 },
  export: { args: ['--out', 'study.csv'], code: 0 },
  analyse: { args: [], code: 2 },
  backup: { args: ['--out', 'study.archive'], code: 0 },
  restore: { args: ['--from', '../backup/study.archive'], code: 0 },
  retention: { args: ['--dry-run'], code: 0 },
  simulate: { args: SMALL_STUDY, code: 0 },
  demo: { args: SMALL_STUDY, code: 0, stopAt: /Ctrl-C to stop/ },
};
/** They need no database, so they download none. */
const WITHOUT_DATABASE: Record<string, { args: string[]; code: number }> = {
  doctor: { args: [], code: 1 },
  'replica-set': { args: ['--admin-password-file', '../password'], code: 1 },
  'coverage-study': { args: ['--samples', '2', '--replicates', '2', '--design', '1'], code: 0 },
};

test('no command is missing here', () => {
  expect(Object.keys({ ...FIRST, ...WITHOUT_DATABASE }).sort()).toEqual([...COMMANDS.keys()].sort());
});

test.each(Object.entries(FIRST))(
  'npm run %s downloads a mongod',
  async (name, { args, code, stopAt }) => {
    const ended = await first(name, args, stopAt);
    expect(ended).toMatchObject({ code, err: expect.not.stringContaining('Could not download') });
    expect(ended.out + ended.err).toContain(`mongod was saved to ${resolve(folder.path(name), '.cache')}`);
  },
  SLOW,
);

test.each(Object.entries(WITHOUT_DATABASE))(
  'npm run %s downloads nothing',
  async (name, { args, code }) => {
    const ended = await first(name, args);
    expect(ended).toMatchObject({ code, err: expect.not.stringContaining('mongod') });
  },
  SLOW,
);
