/**
 * Sets up a replica set with passwords. While a mongod has no users, it lets a caller from its own machine initiate the
 * set and create the first user (MongoDB's localhost exception); everything else is done as that user. Safe to repeat.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';

const ADMIN = 'admin';
const WAIT_MS = 90_000;
/** MongoDB's error codes. */
const [UNAUTHORIZED, NO_REPLICATION, ALREADY_INITIALIZED, USER_EXISTS, ROLE_EXISTS, UNREACHABLE] = [
  13, 76, 23, 51_003, 51_002, 74,
];
/** Lets the service set its validators (src/platform/db/validators.ts), which `readWrite` doesn't. */
const VALIDATORS_ROLE = 'validators';

interface Wish {
  uri: string;
  /** How to reach the first member; it must be an address of the machine itself. */
  at: string | undefined;
  adminPassword: string;
  signal: AbortSignal;
  say(text: string): void;
}

interface Outcome {
  members: { name: string; state: string }[];
  user: string;
  database: string;
}

export async function setUp({ uri, at, adminPassword, signal, say }: Wish): Promise<Outcome> {
  const { hosts, credentials, replicaSet, dbName, tls, tlsCAFile } = new mongoose.mongo.MongoClient(uri)
    .options;
  if (!replicaSet || !credentials?.username || hosts.length === 0)
    throw new Error('MONGO_URI must name a user, a password and replicaSet.');
  const names = hosts.map(String);
  const limits = { serverSelectionTimeoutMS: 5_000, connectTimeoutMS: 3_000 };
  const security = { ...limits, ...(tls && { tls }), ...(tlsCAFile && { tlsCAFile }) };

  await withClient(`mongodb://${at ?? names[0]}/?directConnection=true`, security, async (db) => {
    const members = names.map((host, _id) => ({ _id, host, priority: _id === 0 ? 2 : 1 }));
    const initiate = () => db.command({ replSetInitiate: { _id: replicaSet, members } });
    let isWaiting = false;
    await until(signal, `The first member can’t reach all of ${names.join(', ')}`, async () => {
      const reached = await allow([UNREACHABLE], () => allow([ALREADY_INITIALIZED, UNAUTHORIZED], initiate));
      if (!reached && !isWaiting) say('Waiting until all members have started.');
      isWaiting = !reached;
      return reached;
    });
    // With the higher priority, the first member becomes the primary.
    await until(signal, 'The first member doesn’t become the primary', async () => {
      const { isWritablePrimary, primary } = await db.command({ hello: 1 });
      return isWritablePrimary || (primary && primary !== names[0]);
    });
    const created = await allow([UNAUTHORIZED, USER_EXISTS], () =>
      db.command({ createUser: ADMIN, pwd: adminPassword, roles: [{ role: 'root', db: 'admin' }] }),
    );
    if (created) say(`Created the administrator \`${ADMIN}\` of the database.`);
  });

  const all = `mongodb://${names.join(',')}/?replicaSet=${replicaSet}`;
  const auth = { username: ADMIN, password: adminPassword };
  return await withClient(all, { ...security, auth, authSource: 'admin' }, async (db, client) => {
    const { username: user, password: pwd, source } = credentials;
    const mayValidate = { resource: { db: dbName, collection: '' }, actions: ['collMod'] };
    const newRole = { createRole: VALIDATORS_ROLE, privileges: [mayValidate], roles: [] };
    await allow([ROLE_EXISTS], () => client.db(dbName).command(newRole));
    const roles = ['readWrite', VALIDATORS_ROLE].map((role) => ({ role, db: dbName }));
    const users = client.db(source);
    const isNew = await allow([USER_EXISTS], () => users.command({ createUser: user, pwd, roles }));
    if (!isNew) await users.command({ updateUser: user, pwd, roles });
    await equalizePriorities(db);
    let members: Outcome['members'] = [];
    await until(signal, 'Not all members have the data', async () => {
      const status = await db.command({ replSetGetStatus: 1 });
      members = status.members.map((one: { name: string; stateStr: string }) => ({
        name: one.name,
        state: one.stateStr,
      }));
      return members.every(({ state }) => state === 'PRIMARY' || state === 'SECONDARY');
    });
    return { members, user, database: dbName };
  });
}

/** From now on a primary that comes back does not cause another election. */
async function equalizePriorities(db: mongoose.mongo.Db): Promise<void> {
  const { config } = await db.command({ replSetGetConfig: 1 });
  if (config.members.every((one: { priority: number }) => one.priority === 1)) return;
  const members = config.members.map((one: object) => ({ ...one, priority: 1 }));
  await db.command({ replSetReconfig: { ...config, version: config.version + 1, members } });
}

async function withClient<T>(
  uri: string,
  options: mongoose.mongo.MongoClientOptions,
  work: (admin: mongoose.mongo.Db, client: mongoose.mongo.MongoClient) => Promise<T>,
): Promise<T> {
  const client = new mongoose.mongo.MongoClient(uri, options);
  try {
    return await work(client.db('admin'), client);
  } finally {
    await client.close();
  }
}

/** Whether it was done; false if MongoDB refused it with one of these codes. */
async function allow(codes: number[], act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const { code } = error as { code?: number };
    if (code === NO_REPLICATION)
      throw new Error('This mongod was started without a replica set (replSetName).');
    if (code !== undefined && codes.includes(code)) return false;
    throw error;
  }
}

async function until(signal: AbortSignal, fault: string, isSo: () => Promise<unknown>): Promise<void> {
  for (const begin = Date.now(); !(await isSo()); await sleep(250)) {
    signal.throwIfAborted();
    if (Date.now() - begin > WAIT_MS) throw new Error(`${fault} within ${WAIT_MS / 1000} s.`);
  }
}
