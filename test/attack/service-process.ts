/** The service as an operator runs it: separate processes with their own data folder and output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Dirent, mkdtempSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import jwt from 'jsonwebtoken';
import mongoose, { type Types } from 'mongoose';
import { processIdentityOf } from '../../src/platform/db/embedded/process-identity.ts';
import { findFreePort } from '../free-port.ts';

export const SECRET = 'a secret for tests of processes alone, longer than forty';

export interface ServiceProcess {
  child: ChildProcess;
  url: string;
  port: number;
  dataDir: string;
  ended: Promise<[number | null, NodeJS.Signals | null]>;
  /** All output on standard output and standard error. */
  said(): string;
  until(words: string | RegExp, ms?: number): Promise<void>;
  mongodPid(): number;
}

export interface ProcessOptions {
  /** The command; by default the built service, which npm test has built. */
  command?: string[];
  dataDir?: string;
  port?: number;
  env?: NodeJS.ProcessEnv;
  /** A file for standard output and standard error, instead of pipes. */
  logFile?: string;
  /** A channel to the script that the command preloads. */
  ipc?: boolean;
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'service-'));

export async function startProcess(options: ProcessOptions = {}): Promise<ServiceProcess> {
  const { dataDir = newFolder(), logFile, command = [process.execPath, 'scripts/start.mjs'] } = options;
  const port = options.port ?? (await findFreePort());
  const [program = '', ...args] = command;
  const out = logFile ? openSync(logFile, 'a') : ('pipe' as const);
  const child = spawn(program, args, {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_ENV: 'test',
      MONGO_URI: '',
      MONGOD_BINARY: process.env.TEST_MONGOD_BINARY,
      JWT_SECRET: SECRET,
      DATA_DIR: dataDir,
      PORT: String(port),
      OTP_PROVIDER: 'console',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'debug',
      TIME_ZONE: 'America/Los_Angeles',
      ...options.env,
    },
    stdio: options.ipc ? ['ignore', out, out, 'ipc'] : ['ignore', out, out],
    // A separate process group, as from a terminal or service manager.
    detached: true,
  });
  let heard = '';
  const hear = (text: Buffer) => {
    heard += String(text);
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  const readOutput = () => (logFile ? readFileSync(logFile, 'utf8') : heard);
  const ended = once(child, 'exit') as ServiceProcess['ended'];
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    ended,
    said: readOutput,
    async until(words, ms = 60_000) {
      for (const begin = Date.now(); Date.now() - begin < ms; await sleep(50)) {
        if (readOutput().search(words) >= 0) return;
        if (child.exitCode !== null) break;
      }
      throw new Error(`it never said ${words}, but:\n${readOutput().slice(-3_000)}`);
    },
    mongodPid: () => Number(JSON.parse(readFileSync(join(dataDir, 'mongod.json'), 'utf8')).pid),
  };
}

/** Removes whatever a test has left of it. */
export function endProcess(service: ServiceProcess | undefined): void {
  if (!service) return;
  const mongod = (() => {
    try {
      return service.mongodPid();
    } catch {
      return 0;
    }
  })();
  for (const pid of [-(service.child.pid ?? 0), mongod]) {
    try {
      if (pid < 0 || processIdentityOf(pid)) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** Accesses the service's own database, as only its operator could. */
export async function withItsDatabase<T>(
  dataDir: string,
  work: (db: mongoose.mongo.Db) => Promise<T>,
): Promise<T> {
  const { port } = JSON.parse(readFileSync(join(dataDir, 'mongod.json'), 'utf8'));
  const client = new mongoose.mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 10_000,
  });
  try {
    return await work(client.db('field_survey'));
  } finally {
    await client.close();
  }
}

/** Creates an approved administrator with a site; returns the token and the site's id. */
export async function administrator(
  dataDir: string,
  phone: string,
): Promise<{ token: string; site: string }> {
  const [_id, site] = [new mongoose.Types.ObjectId(), new mongoose.Types.ObjectId()];
  const at = { createdAt: new Date(), updatedAt: new Date(), deletedAt: null };
  await withItsDatabase(dataDir, async (db) => {
    await db.collection('locations').insertOne({ _id: site, name: `Site ${site}`, type: 'SHELTER', ...at });
    await db.collection('users').insertOne({
      _id,
      ...{ firstName: 'Ada', lastName: 'Field', phone, email: null, role: 'SUPER_ADMIN' },
      ...{ approvalStatus: 'APPROVED', approvedBy: null, permissions: [], createdBy: null },
      ...{ location: site, locationAssignedAt: new Date(), ...at },
    });
  });
  return { token: tokenOf(_id), site: String(site) };
}

export const tokenOf = (user: Types.ObjectId) =>
  jwt.sign({ sub: String(user) }, SECRET, { algorithm: 'HS256', expiresIn: '1h' });

/** Without `exp`, which the service never signs. */
export const endlessTokenOf = (user: string) => jwt.sign({ sub: user }, SECRET, { algorithm: 'HS256' });

export async function ask(
  service: Pick<ServiceProcess, 'url'>,
  method: string,
  path: string,
  { body, token }: { body?: object | undefined; token?: string } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : {} };
}

/** Every file below, except those that are deleted meanwhile. */
export function filesBelow(folder: string): string[] {
  const entries: Dirent[] = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath ?? one.path, one.name));
}
