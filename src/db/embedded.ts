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
  const place = await makePlace(options);
  const lease = join(place.users, `${process.pid}-${randomUUID()}`);
  let running = await place.alone(async () => {
    const found = await findOrStart(place);
    await writeFile(lease, JSON.stringify(identityOf(process.pid)));
    return found;
  });

  const watch = keepAlive(place, running, (next) => {
    running = next;
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await watch.end();
    await place.alone(() => leave(place, lease, running));
  };
  return {
    uri: uriOf(running.port),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

interface Place extends EmbeddedOptions {
  dbPath: string;
  logFile: string;
  file: string;
  users: string;
  alone<T>(work: () => Promise<T>): Promise<T>;
}

async function makePlace(options: EmbeddedOptions): Promise<Place> {
  // The answers and phone numbers of respondents lie here: for this account only.
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dir = await realpath(options.dataDir);
  const dbPath = join(dir, 'mongo');
  const users = join(dir, 'mongod-users');
  await mkdir(dbPath, { recursive: true, mode: 0o700 });
  await mkdir(users, { recursive: true });
  const tell = () =>
    options.log.info('Waiting for another process that is starting or stopping the database');
  return {
    ...options,
    dbPath,
    users,
    logFile: join(dir, 'mongod.log'),
    file: join(dir, 'mongod.json'),
    alone: (work) => withFileLock(join(dir, 'mongod.lock'), tell, work),
  };
}

/** Only to be called alone. */
async function findOrStart(place: Place): Promise<Running> {
  const kept = await readKept(place);
  if (kept && isRunning(kept)) {
    // It may be starting still, when the process that started it was killed.
    await untilPrimary(kept, kept.port, place.logFile, place.log);
    return kept;
  }
  const binary = await findMongod(place);
  for (let tries = 1; ; tries++) {
    try {
      return await start(place, binary, await freePort(tries === 1 ? kept?.port : 0));
    } catch (error) {
      if (!(error instanceof MongodDied && error.inUse) || tries === 3) throw error;
      // The one before was killed between starting a mongod and writing down its number; or the port was snatched.
      const orphan = kept && (await whoServes(kept.port, place.dbPath));
      if (orphan) return adopt(place, { ...orphan, port: kept.port });
    }
  }
}

async function start(place: Place, binary: string, port: number): Promise<Running> {
  await keep(place, { port });
  return adopt(place, { ...spawnMongod(binary, place.dbPath, port, place.logFile), port });
}

async function adopt(place: Place, mongod: Running): Promise<Running> {
  await keep(place, mongod);
  await untilPrimary(mongod, mongod.port, place.logFile, place.log);
  return mongod;
}

/** Only to be called alone. */
async function leave(place: Place, lease: string, running: Running): Promise<void> {
  await rm(lease, { force: true });
  if (await hasUsers(place)) return;
  if (!(await shutDown(running, running.port))) {
    place.log.warn(`mongod (process ${running.pid}) did not stop; the next start will find it`);
    return;
  }
  await keep(place, { port: running.port });
}

/** Living users; files of dead ones go. */
async function hasUsers(place: Place): Promise<boolean> {
  let found = false;
  for (const name of await readdir(place.users)) {
    const file = join(place.users, name);
    if (isAlive(parse(await readFile(file, 'utf8')))) found = true;
    else await rm(file, { force: true });
  }
  return found;
}

/** Starts the mongod again when it was killed: the address stays, so the connections mend themselves. */
function keepAlive(place: Place, first: Running, onRestart: (next: Running) => void) {
  let running = first;
  let ended = false;
  let timer: NodeJS.Timeout;
  let busy = Promise.resolve();

  const restart = async () => {
    if (ended) return;
    const kept = await readKept(place);
    // Another user of it may have been quicker.
    if (kept && isRunning(kept)) {
      running = await adopt(place, kept);
    } else {
      place.log.warn('mongod has gone; starting it again');
      running = await start(place, await findMongod(place), first.port);
    }
    onRestart(running);
  };
  const look = (wait: number) => {
    // Watching alone is no reason for a script to live on.
    timer = setTimeout(() => {
      if (isAlive(running)) return look(WATCH_MS);
      busy = place.alone(restart).then(
        () => look(WATCH_MS),
        (error: Error) => {
          place.log.warn(`mongod could not be started again: ${error.message}`);
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

async function readKept(place: Place): Promise<Kept | null> {
  const kept = parse(await readFile(place.file, 'utf8').catch(() => ''));
  return kept && typeof kept.port === 'number' ? { ...kept, port: kept.port } : null;
}

/** Written aside and moved: a process killed in the middle leaves the old text or the new. */
async function keep(place: Place, kept: Kept): Promise<void> {
  const aside = `${place.file}.${randomUUID()}`;
  await writeFile(aside, JSON.stringify(kept));
  await rename(aside, place.file);
}

function parse(text: string): Partial<Kept> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
