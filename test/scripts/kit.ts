/**
 * The commands as an operator runs them, on the database of the test's world. The first run of each command is a
 * separate process; later ones run in one process that has the service loaded already (host.mjs).
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import mongoose from 'mongoose';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Its standard output so far. */
  said(): string;
  /** Its standard error so far. */
  complained(): string;
}

/** A folder for the files of one test file. */
export async function openFolder(): Promise<{
  path(name: string): string;
  /** The files whose names start so. */
  names(start: string): string[];
  remove(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'scripts-'));
  return {
    path: (name) => join(folder, name),
    names: (start) => readdirSync(folder).filter((name) => name.startsWith(start)),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The URI of this process's database, or of another one on the same server. */
export function uriOf(database = mongoose.connection.name): string {
  const uri = new URL(process.env.TEST_MONGO_URI ?? '');
  uri.pathname = `/${database}`;
  return uri.href;
}

/** The time limit of tests with many commands, each a process that loads the service. */
export const SLOW = 120_000;

const isBuilt = process.env.TEST_BUILT === '1';
/** The built command if it is up to date with the sources, which is twice as fast. */
const fileOf = (name: string) => resolve(isBuilt ? `dist/scripts/${name}.js` : `scripts/${name}.ts`);
const loader = isBuilt ? [] : ['--import', import.meta.resolve('tsx')];

const environment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'test',
  NODE_OPTIONS: '',
  DATA_DIR: join(tmpdir(), `field-survey-test-${process.pid}`),
  MONGO_URI: uriOf(),
  PUBLIC_URL: 'https://survey.example.org',
  TIME_ZONE: 'America/Los_Angeles',
  LOG_LEVEL: 'silent',
  INIT_CWD: undefined,
  ...env,
});

/** Always a separate process; in the folder `cwd`, whose .env it reads. */
export function start(
  name: string,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
  cwd = process.cwd(),
): Running {
  const child = spawn(process.execPath, [...loader, fileOf(name), ...args], {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout?.on('data', (text) => {
    out += String(text);
  });
  child.stderr?.on('data', (text) => {
    err += String(text);
  });
  const ended = new Promise<Ended>((settle, failed) => {
    child.once('error', failed);
    child.once('close', (code) => settle({ code, out: out.trim(), err: err.trim() }));
  });
  return { child, ended, said: () => out, complained: () => err };
}

interface Commands {
  host: ChildProcess | null;
  isBusy: boolean;
}

declare global {
  /** Survives a test file, as its worker does. */
  var testCommands: Commands | undefined;
}

/** The first run of this command in this run of all tests, in any worker. */
function isFirst(name: string): boolean {
  try {
    mkdirSync(join(process.env.TEST_RUN_FOLDER ?? '', name));
    return true;
  } catch {
    return false;
  }
}

/** A worker may end before it, and it ends with the worker. */
function startHost(): ChildProcess {
  const host = fork('test/scripts/host.mjs', { execArgv: loader, stdio: 'inherit' });
  host.unref();
  return host;
}

export async function command(
  name: string,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  globalThis.testCommands ??= { host: null, isBusy: false };
  const commands = globalThis.testCommands;
  // Two concurrent commands, and one with options for Node itself, need processes too.
  if (commands.isBusy || isFirst(name) || env.NODE_OPTIONS) return await start(name, args, env).ended;
  commands.isBusy = true;
  if (!commands.host?.connected) commands.host = startHost();
  const { host } = commands;
  try {
    host.channel?.ref();
    host.send({ file: fileOf(name), args, env: environment(env) });
    const [reply] = (await once(host, 'message')) as [Ended];
    return { code: reply.code, out: reply.out.trim(), err: reply.err.trim() };
  } finally {
    host.channel?.unref();
    commands.isBusy = false;
  }
}

/** The command's JSON; fails the test if the command failed. */
// biome-ignore lint/suspicious/noExplicitAny: answers are read as the tests please
export async function answerOf(name: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<any> {
  const { code, out, err } = await command(name, [...args, '--json'], env);
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out);
}

export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 60_000,
): Promise<void> {
  for (const begin = Date.now(); Date.now() - begin < limitMs; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`waited in vain until ${what}`);
}

export const databaseNamed = (name: string) => mongoose.connection.getClient().db(name);

export const all = (collection: string) =>
  mongoose.connection.collection(collection).find().sort({ _id: 1 }).toArray();
