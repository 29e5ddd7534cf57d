/** Starts, finds and stops the mongod of a data folder, and writes its log without data. */
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import os from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { parseJsonOrNull } from '../../lib/objects/parse-json.ts';
import type { Log } from '../../log.ts';
import { isProcessAlive, type ProcessIdentity, processIdentityOf } from './process-identity.ts';

const REPLICA_SET = 'rs0';
/** Small, because the service and a browser may run on the same machine; still far more than a study needs. */
const CACHE_GB = os.totalmem() < 2 * 1024 ** 3 ? 0.25 : 0.5;
/** Long, because after a power cut mongod replays its journal first. */
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 30_000;
/** Many times as long as our longest transaction (creating thousands of seeds); mongod's default is one minute. */
const TRANSACTION_SECONDS = 30;
/** For the current log file. The previous one is kept too. */
const MAX_LOG_BYTES = 1024 * 1024;

export class MongodDied extends Error {
  /** Another mongod uses the data folder, or another program the port, so a retry may help. */
  readonly inUse: boolean;

  constructor(log: string) {
    const lines = log.trimEnd().split('\n');
    const errors = lines.filter((line) => /"s":"[EF]"/.test(line));
    const summary = (errors.length > 0 ? errors : lines).slice(-5).join('\n') || '(it wrote none)';
    super(`mongod stopped while it started. From its log:\n${summary}${adviceFor(log)}`);
    this.inUse = /DBPathInUse|address already in use/i.test(log);
  }
}

function adviceFor(log: string): string {
  if (/UPGRADE PROBLEM|Wrong mongod version|unsupported format version/i.test(log))
    return '\nThe data was written by another version of MongoDB: name that one in MONGOD_BINARY.';
  return /No space left/i.test(log) ? '\nThe disk is full.' : '';
}

export const mongoUriOf = (port: number) => `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`;

/** Starts mongod detached, so that Ctrl-C in the terminal does not stop it before the service is done. */
export function spawnMongod(binary: string, dbPath: string, port: number, logFile: string): ProcessIdentity {
  const options = { dbpath: dbPath, port, bind_ip: '127.0.0.1', replSet: REPLICA_SET };
  // Slow commands would be logged with the data in them, so none counts as slow.
  const limits = { wiredTigerCacheSizeGB: CACHE_GB, oplogSize: 256, profile: 0, slowms: 2 ** 31 - 1 };
  const args = Object.entries({ ...options, ...limits }).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ]);
  args.push('--quiet', '--setParameter', 'diagnosticDataCollectionEnabled=false');
  // If a service is cut off, its transaction keeps records locked for this long.
  args.push('--setParameter', `transactionLifetimeLimitSeconds=${TRANSACTION_SECONDS}`);
  let command = [binary, ...args];
  if (process.platform !== 'win32') {
    // A core dump would contain data.
    command = ['/bin/sh', '-c', 'ulimit -c 0; exec "$0" "$@"', ...command, '--nounixsocket'];
  }
  const [program = '', ...rest] = command;
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  const child = spawn(program, rest, { stdio: [...stdio], detached: true, windowsHide: true });
  child.on('error', () => {}); // There is no pid then, and the caller reports the log.
  writeLog(child.stdout, logFile);
  // Neither may keep this process running. If it ends first, mongod goes on without a log.
  child.unref();
  (child.stdout as Socket).unref();
  return (child.pid && processIdentityOf(child.pid)) || { pid: child.pid ?? 0, started: 'never' };
}

/** Waits until the mongod accepts writes, as a replica set with one member on its current port. */
export async function waitForPrimary(
  mongod: ProcessIdentity,
  port: number,
  logFile: string,
  log: Log,
): Promise<void> {
  const begin = Date.now();
  let saidAt = begin;
  for (;;) {
    if ((await listens(port)) && (await becomesPrimary(port).catch(() => false))) return;
    if (!isProcessAlive(mongod)) {
      // Wait for its last log lines.
      await sleep(200);
      throw new MongodDied(readText(logFile));
    }
    if (Date.now() - begin > START_TIMEOUT_MS)
      throw new Error(`mongod doesn't get ready. Its log: ${logFile}`);
    if (Date.now() - saidAt > 10_000) {
      saidAt = Date.now();
      log.info('mongod is still starting');
    }
    await sleep(50);
  }
}

async function becomesPrimary(port: number): Promise<boolean> {
  const host = `127.0.0.1:${port}`;
  return withAdmin(port, async (admin) => {
    const hello = await admin.command({ hello: 1 });
    if (hello.isWritablePrimary && hello.me === host) return true;
    const stored = await admin.command({ replSetGetConfig: 1 }).catch((error: { code?: number }) => {
      if (error.code === 94) return null; // Not initiated yet.
      throw error;
    });
    if (!stored) {
      await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
    } else if (stored.config.members[0].host !== host) {
      // The port has changed since the last start. Without the new name the set never gets a primary.
      const { config } = stored;
      const members = [{ ...config.members[0], host }];
      const newConfig = { ...config, version: config.version + 1, members };
      await admin.command({ replSetReconfig: newConfig, force: true });
    }
    return false;
  });
}

/** The mongod that listens on this port, if it uses this data folder. */
export async function findMongodOnPort(port: number, dbPath: string): Promise<ProcessIdentity | null> {
  return withAdmin(port, async (admin) => {
    const options = await admin.command({ getCmdLineOpts: 1 });
    if (options.parsed?.storage?.dbPath !== dbPath) return null;
    return processIdentityOf(Number((await admin.command({ serverStatus: 1 })).pid));
  }).catch(() => null);
}

/** Returns whether the process has ended. */
export async function shutDownMongod(mongod: ProcessIdentity, port: number): Promise<boolean> {
  const command = { shutdown: 1, force: true, timeoutSecs: 1 };
  // The connection closes when mongod ends, which is not an error.
  await withAdmin(port, (admin) => admin.command(command)).catch(() => {});
  for (const begin = Date.now(); Date.now() - begin < STOP_TIMEOUT_MS; await sleep(50)) {
    if (!isProcessAlive(mongod)) return true;
  }
  return false;
}

export async function freePort(preferred = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (preferred === 0 ? reject(error) : resolve(freePort())));
    server.listen(preferred, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : preferred));
    });
  });
}

/** Checked first, because the driver takes a second to report that nothing listens. */
async function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

async function withAdmin<T>(port: number, work: (admin: mongoose.mongo.Db) => Promise<T>): Promise<T> {
  const limits = { serverSelectionTimeoutMS: 1_000, connectTimeoutMS: 1_000, socketTimeoutMS: 10_000 };
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const client = new mongoose.mongo.MongoClient(uri, limits);
  try {
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Writes what comes through the pipe, redacted. Never blocks mongod: if the disk is full, lines are lost. */
function writeLog(output: Readable, file: string): void {
  rotateLog(file);
  let size = 0;
  createInterface({ input: output }).on('line', (line) => {
    const text = redactLine(line);
    if (text === null) return;
    try {
      if (size > MAX_LOG_BYTES) {
        renameSync(file, `${file}.1`);
        size = 0;
      }
      appendFileSync(file, `${text}\n`, { mode: 0o600 });
      size += text.length;
    } catch {
      // Logging continues with the next line.
    }
  });
  output.on('error', () => {});
}

/** Keeps the end of the previous log, and removes data from a log that an older version left. */
function rotateLog(file: string): void {
  try {
    const lines = readText(file)
      .slice(-MAX_LOG_BYTES)
      .split('\n')
      .flatMap((line) => redactLine(line) ?? []);
    writeFileSync(`${file}.1`, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  } catch {
    // If the disk is full, no log is better than data in one.
    rmSync(`${file}.1`, { force: true });
  }
  rmSync(file, { force: true });
}

interface LogLine {
  t?: unknown;
  s?: unknown;
  c?: unknown;
  id?: unknown;
  msg?: unknown;
  reason?: unknown;
  attr?: { error?: unknown; message?: unknown };
}

/** Components that log about files, ports and settings; others log what clients sent. */
const SYSTEM_COMPONENTS = /^(CONTROL|NETWORK|STORAGE|WT\w*)$/;

/**
 * Keeps only the time, component and fixed text of the message, because lines can quote commands and records. Warnings
 * about the system also keep their reason, with quoted values and numbers removed. Null if it isn't a mongod log line.
 */
export function redactLine(line: string): string | null {
  const parsed = parseJsonOrNull(line) as LogLine | null;
  if (typeof parsed?.msg !== 'string') return null;
  const { t, s, c, id, msg, attr, reason } = parsed;
  if (s === 'I' || !SYSTEM_COMPONENTS.test(String(c))) return JSON.stringify({ t, s, c, id, msg });
  // `index x: { phone: "+1206…" } has it 4711 times` becomes `index x: … has it … times`.
  const redacted = [attr?.error, attr?.message, reason]
    .map(textOf)
    .filter(Boolean)
    .join(' ')
    .replace(/[{"'].*[}"']/gs, '…')
    .replace(/\d{3,}/g, '…')
    .slice(0, 300);
  return JSON.stringify({ t, s, c, id, msg, ...(redacted && { reason: redacted }) });
}

/** WiredTiger's reasons are objects with a `msg`, others plain text. */
const textOf = (reason: unknown): string =>
  typeof reason === 'object' ? textOf((reason as { msg?: unknown } | null)?.msg ?? '') : String(reason ?? '');
