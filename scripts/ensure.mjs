/**
 * Makes a fresh clone ready to run: the right Node, the packages of package-lock.json, the built service and client.
 * Does nothing, within a moment, when all of that is there. Plain Node, because no package may be there yet.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What is built, from what, and how; `output` stands for all that a build writes. */
const BUILDS = [
  {
    name: 'service',
    sources: ['src', 'scripts', 'questionnaires', 'locales', 'tsconfig.json', 'tsconfig.build.json'],
    output: 'dist/src/main.js',
    commands: [
      // Types are checked by `npm run typecheck`, which takes ten times as long.
      ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
      ['dist/scripts/check-questionnaire.js'],
    ],
  },
  {
    name: 'client',
    // src as well: the client shares its schemas and the check of referral codes.
    sources: ['client', 'src', 'locales', 'vite.config.ts'],
    output: 'client-dist/index.html',
    commands: [['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']],
  },
];

const LONGEST_SETUP = 30 * 60_000;

/** Plain words in a terminal, a line of JSON elsewhere; beside the answers of commands, never among them. */
export function say(text, level = 30) {
  const { stderr } = process;
  stderr.write(`${stderr.isTTY ? text : JSON.stringify({ level, time: Date.now(), msg: text })}\n`);
}

export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  say(`Node ${version} is too old: 20.19 or newer is needed. See https://nodejs.org`, 60);
  process.exit(1);
}

/**
 * All that `npm start` needs, and `npm test` with `dev`; commands do without the client. A service that was installed without the packages
 * that build it, and came built, stays as it is.
 */
export async function ensure({ root = ROOT, dev = false, client = true } = {}) {
  checkNode();
  const has = (name) => existsSync(join(root, 'node_modules', name));
  // Packages for tests that were installed before are kept up to date.
  const wanted = { dev: dev || has('vitest'), build: true };
  const unfit = () => stale(root).filter(({ name }) => client || name !== 'client');
  if (modulesFit(root, { ...wanted, build: dev || has('typescript') }) && unfit().length === 0) return;
  await alone(root, () => {
    if (!modulesFit(root, wanted)) step('Installing packages', () => install(root, wanted));
    for (const build of unfit()) step(`Building the ${build.name}`, () => make(root, build));
  });
}

/** Whether node_modules holds what package-lock.json asks for, by npm's own record of what it installed. */
function modulesFit(root, wanted) {
  const installed = readJson(recordOf(root))?.packages;
  const locked = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  if (!installed) return false;
  // What builds is optional to npm, as are packages for other systems, which are never there.
  const builds = new Set(
    Object.keys(locked['']?.optionalDependencies ?? {}).map((name) => `node_modules/${name}`),
  );
  return Object.entries(locked).every(([at, { version, optional, devOptional, dev, link }]) => {
    if (at === '' || link || (dev && !wanted.dev)) return true;
    const mayLack = builds.has(at) ? !wanted.build : optional || devOptional;
    return installed[at] ? installed[at].version === version : mayLack;
  });
}

const recordOf = (root) => join(root, 'node_modules/.package-lock.json');

/** Says what is done, and how long it took. */
function step(text, work) {
  say(`${text}...`);
  const begin = Date.now();
  work();
  say(`${text}: done in ${((Date.now() - begin) / 1000).toFixed(1)} s`);
}

/** Adds to what is there, because a service may be running from it. */
function install(root, { dev }) {
  const args = existsSync(recordOf(root)) ? ['install', '--no-save'] : ['ci'];
  // Whatever NODE_ENV says.
  args.push('--include=optional', dev ? '--include=dev' : '--omit=dev');
  args.push('--no-audit', '--no-fund', '--loglevel=error');
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('npm-cli.js')) run(root, process.execPath, [npm, ...args]);
  else run(root, 'npm', args, { shell: process.platform === 'win32' });
}

function make(root, build) {
  const hash = hashOf(root, build);
  const env = { ...process.env, NODE_ENV: 'production' };
  for (const command of build.commands) run(root, process.execPath, command, { env });
  const records = { ...readJson(recordFile(root)), [build.name]: { hash, madeAt: madeAt(root, build) } };
  mkdirSync(dirname(recordFile(root)), { recursive: true });
  writeFileSync(recordFile(root), JSON.stringify(records));
}

/** The builds that don't fit their sources. */
export function stale(root) {
  const records = readJson(recordFile(root)) ?? {};
  return BUILDS.filter((build) => {
    const files = filesOf(root, build);
    const made = madeAt(root, build);
    if (files.length === 0) return false;
    if (made === 0) return true;
    const record = records[build.name];
    // Of a build that this script made the contents are compared, of one made by hand only the times.
    if (record?.madeAt === made) return record.hash !== hashOf(root, build);
    return files.some((file) => statSync(file).mtimeMs > made);
  });
}

const recordFile = (root) => join(root, 'node_modules/.cache/builds.json');

function madeAt(root, { output }) {
  return statSync(join(root, output), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function filesOf(root, { sources }) {
  return sources.flatMap((source) => {
    const at = join(root, source);
    const found = statSync(at, { throwIfNoEntry: false });
    if (!found) return [];
    if (!found.isDirectory()) return [at];
    return readdirSync(at, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? join(entry.parentPath ?? entry.path, entry.name) : [],
    );
  });
}

function hashOf(root, build) {
  const hash = createHash('sha256');
  for (const file of filesOf(root, build).sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function run(root, command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
  if (status === 0) return;
  throw new Error(`\`${[command, ...args].join(' ')}\` failed${error ? `: ${error.message}` : ''}`);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Of one user: nobody can remove another's file from the temporary folder. */
export function lockFile(root) {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(tmpdir(), `field-survey-setup-${process.getuid?.() ?? 0}-${hash}`);
}

/** Two services started at once on a fresh clone must not install over one another. */
export async function alone(root, work) {
  const file = lockFile(root);
  for (let waits = false; ; ) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!lives(file)) {
        rmSync(file, { force: true });
        continue;
      }
      if (!waits) say('Waiting for another process that installs or builds');
      waits = true;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  try {
    work();
  } finally {
    rmSync(file, { force: true });
  }
}

function lives(file) {
  try {
    const pid = readFileSync(file, 'utf8');
    const age = Date.now() - statSync(file).mtimeMs;
    // An empty file was made this instant; its number follows.
    if (pid === '') return age < 10_000;
    // Numbers are used again, in a container after each start.
    if (Number(pid) === process.pid || age > LONGEST_SETUP) return false;
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}
