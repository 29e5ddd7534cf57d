/**
 * The service's own database: a mongod that keeps its data under DATA_DIR, for everyone who names no MONGO_URI.
 *
 * The service and the scripts may run on one DATA_DIR at once, and any of them may be killed at any moment, so:
 * - DATA_DIR/mongod.json says which process the mongod is and where it listens; the next one to come uses it;
 * - each user leaves a file in DATA_DIR/mongod-users; whoever goes and finds no other living user stops the mongod;
 * - coming and going happen one at a time, under DATA_DIR/mongod.lock. mongod's own lock on its files stands behind.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { withFileLock } from './file-lock.ts';
import { findMongod } from './mongod-binary.ts';
import {
  freePort,
  MongodDied,
  shutDown,
  spawnMongod,
  untilPrimary,
  uriOf,
  whoServes,
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

/** What mongod.json holds; the port alone, when the mongod was stopped. */
interface Kept extends Partial<ProcessIdentity> {
  port: number;
}

type Running = ProcessIdentity & Kept;

/** How often the service looks whether its mongod lives. */
const WATCH_MS = 1_000;

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const home = await makeHome(options);
  const lease = join(home.users, `${process.pid}-${randomUUID()}`);
  let running = await home.alone(async () => {
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
    await home.alone(() => leave(home, lease, running));
  };
  return {
    uri: uriOf(running.port),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

interface Home extends EmbeddedOptions {
  dbPath: string;
  logFile: string;
  file: string;
  users: string;
  alone<T>(work: () => Promise<T>): Promise<T>;
}

async function makeHome(options: EmbeddedOptions): Promise<Home> {
  // The answers and phone numbers of respondents lie here: for this account only.
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
    alone: (work) => withFileLock(join(dir, 'mongod.lock'), onWait, work),
  };
}

/** Only to be called alone. */
async function findOrStart(home: Home): Promise<Running> {
  const kept = await readKept(home);
  if (kept && isRunning(kept)) {
    // It may be starting still, when the process that started it was killed.
    await untilPrimary(kept, kept.port, home.logFile, home.log);
    return kept;
  }
  const binary = await findMongod(home);
  for (let tries = 1; ; tries++) {
    try {
      return await start(home, binary, await freePort(tries === 1 ? kept?.port : 0));
    } catch (error) {
      if (!(error instanceof MongodDied && error.inUse) || tries === 3) throw error;
      // The one before was killed between starting a mongod and writing down its number; or the port was snatched.
      const orphan = kept && (await whoServes(kept.port, home.dbPath));
      if (orphan) return adopt(home, { ...orphan, port: kept.port });
    }
  }
}

async function start(home: Home, binary: string, port: number): Promise<Running> {
  await keep(home, { port });
  return adopt(home, { ...spawnMongod(binary, home.dbPath, port, home.logFile), port });
}

async function adopt(home: Home, mongod: Running): Promise<Running> {
  await keep(home, mongod);
  await untilPrimary(mongod, mongod.port, home.logFile, home.log);
  return mongod;
}

/** Only to be called alone. */
async function leave(home: Home, lease: string, running: Running): Promise<void> {
  await rm(lease, { force: true });
  if (await hasUsers(home)) return;
  if (!(await shutDown(running, running.port))) {
    home.log.warn(`mongod (process ${running.pid}) did not stop; the next start will find it`);
    return;
  }
  await keep(home, { port: running.port });
}

/** Living users; files of dead ones go. */
async function hasUsers(home: Home): Promise<boolean> {
  let found = false;
  for (const name of await readdir(home.users)) {
    const file = join(home.users, name);
    if (isAlive(parse(await readFile(file, 'utf8')))) found = true;
    else await rm(file, { force: true });
  }
  return found;
}

/** Starts the mongod again when it was killed: the address stays, so the connections mend themselves. */
function keepAlive(home: Home, first: Running, onRestart: (next: Running) => void) {
  let running = first;
  let ended = false;
  let timer: NodeJS.Timeout;
  let busy = Promise.resolve();

  const restart = async () => {
    if (ended) return;
    const kept = await readKept(home);
    // Another user of it may have been quicker.
    if (kept && isRunning(kept)) {
      running = await adopt(home, kept);
    } else {
      home.log.warn('mongod has gone; starting it again');
      running = await start(home, await findMongod(home), first.port);
    }
    onRestart(running);
  };
  const look = (wait: number) => {
    // Watching alone is no reason for a script to live on.
    timer = setTimeout(() => {
      if (isAlive(running)) return look(WATCH_MS);
      busy = home.alone(restart).then(
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

function isRunning(kept: Kept): kept is Running {
  return isAlive(kept);
}

async function readKept(home: Home): Promise<Kept | null> {
  const kept = parse(await readFile(home.file, 'utf8').catch(() => ''));
  return kept && typeof kept.port === 'number' ? { ...kept, port: kept.port } : null;
}

/** Written aside and moved: a process killed in the middle leaves the old text or the new. */
async function keep(home: Home, kept: Kept): Promise<void> {
  const aside = `${home.file}.${randomUUID()}`;
  await writeFile(aside, JSON.stringify(kept));
  await rename(aside, home.file);
}

function parse(text: string): Partial<Kept> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
