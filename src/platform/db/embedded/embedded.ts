/**
 * The service's own database: a mongod with its data under DATA_DIR, used if there is no MONGO_URI.
 *
 * The service and commands may use one DATA_DIR at the same time, and any of them may be killed at any moment. Therefore:
 * - DATA_DIR/mongod.json has the process and port of the mongod, for the next process that needs it;
 * - each process that uses it has a file in DATA_DIR/mongod-users, and the last one to leave stops the mongod;
 * - starting and stopping are serialized by DATA_DIR/mongod.lock, in addition to mongod's own lock on its files.
 */

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parsedJson } from '../../lib/objects/parsed-json.ts';
import type { Log } from '../../log.ts';
import { withFileLock } from './file-lock.ts';
import { findMongod } from './mongod-binary.ts';
import {
  findMongodOnPort,
  freePort,
  MongodDied,
  shutDown,
  spawnMongod,
  uriOf,
  waitForPrimary,
} from './mongod-process.ts';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.ts';

export interface EmbeddedOptions {
  dataDir: string;
  /** MONGOD_BINARY. */
  binary?: string | undefined;
  log: Log;
}

export interface Embedded {
  uri: string;
  /** Stops the mongod too, unless another process uses it. */
  stop(): Promise<void>;
}

/** The content of mongod.json; only the port if the mongod was stopped. */
interface MongodFile extends Partial<ProcessIdentity> {
  port: number;
}

type Running = ProcessIdentity & MongodFile;

/** How often the service checks whether its mongod is alive. */
const WATCH_MS = 1_000;

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const home = await prepareFolder(options);
  const lease = join(home.users, `${process.pid}-${randomUUID()}`);
  let running = await home.withLock(async () => {
    const found = await findOrStart(home);
    await writeFile(lease, JSON.stringify(identityOf(process.pid)));
    return found;
  });

  const watch = keepAlive(home, running, (next) => {
    running = next;
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await watch.end();
    await home.withLock(() => leave(home, lease, running));
  };
  return {
    uri: uriOf(running.port),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

interface DataFolder extends EmbeddedOptions {
  dbPath: string;
  logFile: string;
  file: string;
  users: string;
  withLock<T>(work: () => Promise<T>): Promise<T>;
}

async function prepareFolder(options: EmbeddedOptions): Promise<DataFolder> {
  // Contains respondents' answers, so only this account may read it.
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dir = await realpath(options.dataDir);
  const dbPath = join(dir, 'mongo');
  const users = join(dir, 'mongod-users');
  await mkdir(dbPath, { recursive: true, mode: 0o700 });
  await mkdir(users, { recursive: true });
  const onWait = () =>
    options.log.info('Waiting for another process that is starting or stopping the database');
  return {
    ...options,
    dbPath,
    users,
    logFile: join(dir, 'mongod.log'),
    file: join(dir, 'mongod.json'),
    withLock: (work) => withFileLock(join(dir, 'mongod.lock'), onWait, work),
  };
}

/** Call only while holding the lock. */
async function findOrStart(home: DataFolder): Promise<Running> {
  const kept = await readMongodFile(home);
  if (kept && isRunning(kept)) {
    // It may still be starting if the process that started it was killed.
    await waitForPrimary(kept, kept.port, home.logFile, home.log);
    return kept;
  }
  const binary = await findMongod(home);
  for (let tries = 1; ; tries++) {
    try {
      return await start(home, binary, await freePort(tries === 1 ? kept?.port : 0));
    } catch (error) {
      if (!(error instanceof MongodDied && error.inUse) || tries === 3) throw error;
      // A process was killed after it started a mongod and before it wrote mongod.json; or the port was taken.
      const orphan = kept && (await findMongodOnPort(kept.port, home.dbPath));
      if (orphan) return adopt(home, { ...orphan, port: kept.port });
    }
  }
}

async function start(home: DataFolder, binary: string, port: number): Promise<Running> {
  await writeMongodFile(home, { port });
  return adopt(home, { ...spawnMongod(binary, home.dbPath, port, home.logFile), port });
}

async function adopt(home: DataFolder, mongod: Running): Promise<Running> {
  await writeMongodFile(home, mongod);
  await waitForPrimary(mongod, mongod.port, home.logFile, home.log);
  return mongod;
}

/** Call only while holding the lock. */
async function leave(home: DataFolder, lease: string, running: Running): Promise<void> {
  await rm(lease, { force: true });
  if (await hasUsers(home)) return;
  if (!(await shutDown(running, running.port))) {
    home.log.warn(`mongod (process ${running.pid}) did not stop; the next start will use it`);
    return;
  }
  await writeMongodFile(home, { port: running.port });
}

/** Whether living processes use it; deletes the files of dead ones. */
async function hasUsers(home: DataFolder): Promise<boolean> {
  let found = false;
  for (const name of await readdir(home.users)) {
    const file = join(home.users, name);
    if (isAlive(parsedJson(await readFile(file, 'utf8')) as Partial<MongodFile> | null)) found = true;
    else await rm(file, { force: true });
  }
  return found;
}

/** Restarts the mongod on the same port if it was killed, so that connections recover by themselves. */
function keepAlive(home: DataFolder, first: Running, onRestart: (next: Running) => void) {
  let running = first;
  let ended = false;
  let timer: NodeJS.Timeout;
  let busy = Promise.resolve();

  const restart = async () => {
    if (ended) return;
    const kept = await readMongodFile(home);
    // Another process may have restarted it already.
    if (kept && isRunning(kept)) {
      running = await adopt(home, kept);
    } else {
      home.log.warn('mongod has stopped; starting it again');
      running = await start(home, await findMongod(home), first.port);
    }
    onRestart(running);
  };
  const look = (wait: number) => {
    // The timer must not keep a command running.
    timer = setTimeout(() => {
      if (isAlive(running)) return look(WATCH_MS);
      busy = home.withLock(restart).then(
        () => look(WATCH_MS),
        (error: Error) => {
          home.log.warn(`mongod could not be started again: ${error.message}`);
          look(Math.min(wait * 2, 60_000));
        },
      );
    }, wait).unref();
  };

  look(WATCH_MS);
  return {
    async end() {
      ended = true;
      await busy;
      clearTimeout(timer);
    },
  };
}

function isRunning(kept: MongodFile): kept is Running {
  return isAlive(kept);
}

async function readMongodFile(home: DataFolder): Promise<MongodFile | null> {
  const text = await readFile(home.file, 'utf8').catch(() => '');
  const kept = parsedJson(text) as Partial<MongodFile> | null;
  return kept && typeof kept.port === 'number' ? { ...kept, port: kept.port } : null;
}

/** Written under another name and renamed, so that the file is complete even if the process is killed. */
async function writeMongodFile(home: DataFolder, kept: MongodFile): Promise<void> {
  const aside = `${home.file}.${randomUUID()}`;
  await writeFile(aside, JSON.stringify(kept));
  await rename(aside, home.file);
}
