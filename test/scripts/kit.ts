/** The commands as an operator runs them: processes of their own, on the database of the test's world. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** What it has said on standard output so far. */
  said(): string;
}

/** A folder for the files of one test file. */
export async function openFolder(): Promise<{ path(name: string): string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'scripts-'));
  return {
    path: (name) => join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Of the database that this process is connected to, or of another one beside it. */
export function uriOf(database = mongoose.connection.name): string {
  const uri = new URL(process.env.TEST_MONGO_URI ?? '');
  uri.pathname = `/${database}`;
  return uri.href;
}

/** The time limit of tests with many commands: each is a process that loads the service. */
export const SLOW = 120_000;

const newest = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs),
  );
const builtAt = statSync('dist/src/main.js', { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isBuilt = builtAt > Math.max(newest('src'), newest('scripts'), newest('questionnaires'));

/** The built command where the build is newer than its sources, which is twice as fast. */
const program = (name: string) =>
  isBuilt ? [`dist/scripts/${name}.js`] : ['--import', 'tsx', `scripts/${name}.ts`];

export function start(name: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(process.execPath, [...program(name), ...args], {
    env: {
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
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout?.on('data', (text) => {
    out += String(text);
  });
  child.stderr?.on('data', (text) => {
    err += String(text);
  });
  const ended = new Promise<Ended>((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => done({ code, out: out.trim(), err: err.trim() }));
  });
  return { child, ended, said: () => out };
}

export const command = (name: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  start(name, args, env).ended;

/** The command's JSON; fails the test where it did not end well. */
// biome-ignore lint/suspicious/noExplicitAny: answers are read as the tests please
export async function answerOf(name: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<any> {
  const { code, out, err } = await command(name, [...args, '--json'], env);
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out);
}

export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const begin = Date.now(); Date.now() - begin < 60_000; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`waited in vain until ${what}`);
}

export const databaseNamed = (name: string) => mongoose.connection.getClient().db(name);

export const all = (collection: string) =>
  mongoose.connection.collection(collection).find().sort({ _id: 1 }).toArray();
