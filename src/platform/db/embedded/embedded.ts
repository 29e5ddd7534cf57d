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
import { parseJsonOrNull } from '../../lib/objects/parse-json.ts';
import type { Log } from '../../log.ts';
import { withFileLock } from './file-lock.ts';
import { findMongod } from './mongod-binary.ts';
import {
  findMongodOnPort,
  freePort,
  MongodDied,
  mongoUriOf,
  shutDownMongod,
  spawnMongod,
  waitForPrimary,
} from './mongod-process.ts';
import { isProcessAlive, type ProcessIdentity, processIdentityOf } from './process-identity.ts';

export interface EmbeddedDatabaseOptions {
  dataDir: string;
  /** MONGOD_BINARY. */
  binary?: string | undefined;
  log: Log;
}

export interface EmbeddedDatabase {
  uri: string;
  /** Also stops the mongod, unless another process uses it. */
  stop(): Promise<void>;
}

/** The content of mongod.json; only the port if the mongod was stopped. */
type MongodFile = Partial<ProcessIdentity> & { port: number };
type Running = ProcessIdentity & { port: number };

/** How often the service checks whether its mongod is alive, and the longest pause between attempts to restart it. */
const WATCH_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const MAX_ATTEMPTS = 3;

export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const folder = await prepareFolder(options);
  const lease = join(folder.users, `${process.pid}-${randomUUID()}`);
  const running = await folder.withLock(async () => {
    const mongod = await findOrStart(folder);
    await writeFile(lease, JSON.stringify(processIdentityOf(process.pid)));
    return mongod;
  });
  const watch = keepAlive(folder, running);
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    const last = await watch.end();
    await folder.withLock(() => leave(folder, lease, last));
  };
  return { uri: mongoUriOf(running.port), stop: () => (stopping ??= stop()) };
}

type DataFolder = Awaited<ReturnType<typeof prepareFolder>>;

async function prepareFolder(options: EmbeddedDatabaseOptions) {
  // Contains respondents' answers, so only this account may read it.
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dir = await realpath(options.dataDir);
  const [dbPath, users] = [join(dir, 'mongo'), join(dir, 'mongod-users')];
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
    withLock: <T>(work: () => Promise<T>) => withFileLock(join(dir, 'mongod.lock'), onWait, work),
  };
}

/** Call only while holding the lock. */
async function findOrStart(folder: DataFolder): Promise<Running> {
  const stored = await readMongodFile(folder);
  // It may still be starting if the process that started it was killed.
  if (isRunning(stored)) return adopt(folder, stored);
  const binary = await findMongod(folder);
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(folder, binary, await freePort(attempt === 1 ? stored?.port : 0));
    } catch (error) {
      if (!(error instanceof MongodDied && error.inUse) || attempt === MAX_ATTEMPTS) throw error;
      // A process was killed after it started a mongod and before it wrote mongod.json; or the port was taken.
      const orphan = stored && (await findMongodOnPort(stored.port, folder.dbPath));
      if (orphan) return adopt(folder, { ...orphan, port: stored.port });
    }
  }
}

async function start(folder: DataFolder, binary: string, port: number): Promise<Running> {
  await writeMongodFile(folder, { port });
  return adopt(folder, { ...spawnMongod(binary, folder.dbPath, port, folder.logFile), port });
}

async function adopt(folder: DataFolder, mongod: Running): Promise<Running> {
  await writeMongodFile(folder, mongod);
  await waitForPrimary(mongod, mongod.port, folder.logFile, folder.log);
  return mongod;
}

/** Call only while holding the lock. */
async function leave(folder: DataFolder, lease: string, mongod: Running): Promise<void> {
  await rm(lease, { force: true });
  if (await hasUsers(folder)) return;
  if (await shutDownMongod(mongod, mongod.port)) await writeMongodFile(folder, { port: mongod.port });
  else folder.log.warn(`mongod (process ${mongod.pid}) did not stop; the next start will use it`);
}

/** Whether living processes use it; deletes the files of dead ones. */
async function hasUsers({ users }: DataFolder): Promise<boolean> {
  let hasAny = false;
  for (const file of (await readdir(users)).map((name) => join(users, name))) {
    if (isProcessAlive(parseJsonOrNull(await readFile(file, 'utf8')) as Partial<ProcessIdentity> | null))
      hasAny = true;
    else await rm(file, { force: true });
  }
  return hasAny;
}

/** Restarts the mongod on the same port if it was killed, so that connections recover by themselves. */
function keepAlive(folder: DataFolder, first: Running): { end(): Promise<Running> } {
  let running = first;
  let hasEnded = false;
  let timer: NodeJS.Timeout;
  let restarting = Promise.resolve();

  const restart = async () => {
    if (hasEnded) return;
    const stored = await readMongodFile(folder);
    // Another process may have restarted it already.
    if (isRunning(stored)) {
      running = await adopt(folder, stored);
    } else {
      folder.log.warn('mongod has stopped; starting it again');
      running = await start(folder, await findMongod(folder), first.port);
    }
  };
  const check = (pause: number) => {
    if (isProcessAlive(running)) return schedule(WATCH_MS);
    restarting = folder.withLock(restart).then(
      () => schedule(WATCH_MS),
      (error: Error) => {
        folder.log.warn(`mongod could not be started again: ${error.message}`);
        schedule(Math.min(pause * 2, MAX_PAUSE_MS));
      },
    );
  };
  // The timer must not keep a command running.
  const schedule = (pause: number) => {
    timer = setTimeout(check, pause, pause).unref();
  };
  schedule(WATCH_MS);
  return {
    async end() {
      hasEnded = true;
      await restarting;
      clearTimeout(timer);
      return running;
    },
  };
}

const isRunning = (stored: MongodFile | null): stored is Running => isProcessAlive(stored);

async function readMongodFile({ file }: DataFolder): Promise<MongodFile | null> {
  const stored = parseJsonOrNull(await readFile(file, 'utf8').catch(() => '')) as Partial<MongodFile> | null;
  return typeof stored?.port === 'number' ? { ...stored, port: stored.port } : null;
}

/** Written to a temporary file and renamed, so that the file is complete even if the process is killed. */
async function writeMongodFile({ file }: DataFolder, content: MongodFile): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, JSON.stringify(content));
  await rename(temporary, file);
}
