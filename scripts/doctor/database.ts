/** Checks the database: connection, version, permissions and state; and its clock compared with this machine's. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Config } from '../../src/platform/config.ts';
import { findMissingIndexes } from '../../src/platform/db/connect.ts';
import { NewerDatabaseError, pendingMigrations } from '../../src/platform/db/migrate.ts';
import { MIGRATIONS } from '../../src/platform/db/migrations/all.ts';
import { codeOf, commandForSetup, type Finding, failure, ok, RESTART, stateOf, warning } from './finding.ts';

const MIN_VERSION = 6;
const CHECK_MONGOD = commandForSetup(
  'sudo systemctl status mongod, then: sudo systemctl restart mongod',
  'sudo docker compose ps, then: sudo docker compose restart mongo1 mongo2 mongo3',
);
const SET_USER = commandForSetup(
  'sudo npm run replica-set -- --admin-password-file /etc/field-survey/mongo/admin-password',
  'sudo docker compose run --rm replica-set',
);

/** Why there is no connection, from what the driver says. */
export function connectionFinding(error: unknown): Finding {
  const first = firstError(error);
  const { code, message = '' } = first as { code?: unknown; message?: string };
  if (code === 18 || /authentication failed/i.test(message))
    return failure(
      'The user or the password in MONGO_URI is wrong.',
      `Correct it in .env, or set that password in the database: ${SET_USER}`,
    );
  const reason = codeOf(first);
  const silent = silentMembers(error);
  if (silent) return silent;
  if (isOfCertificate(reason)) return refusedCertificate(reason);
  if (/ENOTFOUND|EAI_AGAIN/.test(reason))
    return failure(`A name in MONGO_URI can’t be found: ${reason}.`, 'Correct it in .env, or in /etc/hosts.');
  const isOwn = /^mongod stopped while/.test(message);
  if (isOwn) return failure(message.split('\n').join(' '), 'Read mongod.log in DATA_DIR.');
  return failure(`It can’t be reached: ${reason}.`, `Find out why: ${CHECK_MONGOD}`);
}

const isOfCertificate = (reason: string) => /CERT|SIGNATURE|SELF_SIGNED|certificate/i.test(reason);
const refusedCertificate = (reason: string, member?: string) =>
  failure(
    `The certificate of ${member ?? 'the database'} is refused: ${reason}.`,
    'The line “certificates” says which one, and how to create it again.',
  );

interface Server {
  type: string;
  error?: unknown;
}
const serversOf = (error: unknown): [name: string, server: Server][] => [
  ...((((error as { reason?: unknown })?.reason ?? {}) as { servers?: Map<string, Server> }).servers ?? []),
];

/** Some members answer, but too few to choose a primary among them: null otherwise. */
function silentMembers(error: unknown): Finding | null {
  const servers = serversOf(error);
  const answering = servers.filter(([, { type }]) => type !== 'Unknown').map(([name]) => name);
  const silent = servers.filter(([, { type }]) => type === 'Unknown');
  if (answering.length === 0 || silent.length === 0) return null;
  const list = silent.map(([name, one]) => `${name} (${codeOf(one.error ?? 'no answer')})`).join(', ');
  return failure(
    `There is no primary: only ${answering.length} of ${servers.length} members answer (${answering.join(', ')}), and ${list} ${silent.length === 1 ? 'doesn’t' : 'don’t'}. A majority is needed.`,
    `On ${silent.map(([name]) => name).join(' and ')}: ${CHECK_MONGOD}`,
  );
}

/** Of a server, rather than the driver's own, which says only that it waited in vain. */
function firstError(error: unknown): unknown {
  return serversOf(error).find(([, one]) => one.error)?.[1].error ?? error;
}

/** Before a command would create one. */
export const hasNoDatabase = ({ mongoUri, dataDir }: Config): boolean =>
  !mongoUri && !existsSync(join(dataDir, 'mongo'));

export async function examineDatabase(config: Config): Promise<Finding[]> {
  const db = database();
  const { version } = await db.admin().command({ buildInfo: 1 });
  const hello = await db.admin().command({ hello: 1 });
  const findings: Finding[] = [];
  if (Number.parseInt(version, 10) < MIN_VERSION)
    findings.push(
      failure(
        `It is MongoDB ${version}.`,
        'Install MongoDB 7.0: the service needs 6 or newer (docs/deploy.md).',
      ),
    );
  if (!hello.setName)
    return [
      ...findings,
      failure(
        'It is not a replica set.',
        `Set replication.replSetName in /etc/mongod.conf as deploy/mongod.conf does, restart mongod, then: ${SET_USER}`,
      ),
    ];
  if (!hello.isWritablePrimary)
    findings.push(
      failure(
        'No member is primary, so nothing can be stored.',
        `Start the missing members: ${CHECK_MONGOD}`,
      ),
    );
  const { members, missing } = await membersOf();
  for (const { name, reason } of missing)
    findings.push(
      isOfCertificate(reason)
        ? refusedCertificate(reason, name)
        : warning(`${name} doesn’t answer (${reason}); the others go on.`, `On ${name}: ${CHECK_MONGOD}`),
    );
  const rights = await examineRights(config);
  findings.push(...rights);
  if (stateOf(rights) !== 'WRONG') {
    const migrations = await examineMigrations();
    findings.push(...migrations, ...(migrations.length === 0 ? await examineIndexes() : []));
  }
  const size = members === 1 ? 'one member' : `${members} members`;
  return findings.length > 0
    ? findings
    : [ok(`MongoDB ${version}, ${size}, migrated, indexed, rights as needed`)];
}

/** The driver asks each member by itself; a moment after connecting it knows them. */
async function membersOf(): Promise<{ members: number; missing: { name: string; reason: string }[] }> {
  const { topology } = mongoose.connection.getClient() as unknown as {
    topology?: { description: { servers: Map<string, Server> } };
  };
  const missing = () =>
    [...(topology?.description.servers ?? [])]
      .filter(([, { type }]) => type === 'Unknown')
      .map(([name, { error }]) => ({ name, reason: codeOf(error ?? 'no answer') }));
  for (let tries = 0; missing().length > 0 && tries < 20; tries++) await sleep(100);
  return { members: topology?.description.servers.size ?? 1, missing: missing() };
}

const REQUIRED_RIGHTS = [
  ...['find', 'insert', 'update', 'remove', 'createCollection', 'dropCollection', 'createIndex', 'dropIndex'],
  ...['listCollections', 'renameCollectionSameDB', 'changeStream'],
];

interface Privilege {
  resource: { db?: string; collection?: string; cluster?: boolean; anyResource?: boolean };
  actions: string[];
}

async function examineRights({ mongoUri }: Config): Promise<Finding[]> {
  // The service's own mongod listens on this machine alone.
  if (!mongoUri) return [];
  const db = database();
  const { authInfo } = await db.admin().command({ connectionStatus: 1, showPrivileges: true });
  const [user] = authInfo.authenticatedUsers as { user: string }[];
  if (!user)
    return [
      warning(
        'MONGO_URI has no user, so anyone who can reach the database can read it.',
        `Turn on passwords as deploy/mongod.conf does, name the user in MONGO_URI, then: ${SET_USER}`,
      ),
    ];
  const privileges = authInfo.authenticatedUserPrivileges as Privilege[];
  const isHere = ({ resource }: Privilege) =>
    resource.anyResource ||
    ((resource.db === db.databaseName || resource.db === '') && resource.collection === '');
  const allowed = new Set(privileges.filter(isHere).flatMap(({ actions }) => actions));
  const missing = REQUIRED_RIGHTS.filter((action) => !allowed.has(action));
  if (missing.length > 0)
    return [
      failure(
        `The user ${user.user} lacks rights on the database ${db.databaseName}: ${missing.join(', ')}.`,
        `Give it readWrite there: ${SET_USER}`,
      ),
    ];
  const findings: Finding[] = [];
  if (!allowed.has('collMod'))
    findings.push(
      warning(
        `The user ${user.user} may not set validators (collMod), so MongoDB doesn’t check what the service writes.`,
        `Allow it: ${SET_USER}`,
      ),
    );
  const tooMany = privileges.filter(
    ({ resource: { cluster, anyResource, db: name } }) =>
      cluster || anyResource || (name !== undefined && name !== db.databaseName),
  );
  if (tooMany.length > 0)
    findings.push(
      warning(
        `The user ${user.user} has rights outside the database ${db.databaseName}.`,
        `Remove them: ${SET_USER}`,
      ),
    );
  return findings;
}

async function examineMigrations(): Promise<Finding[]> {
  try {
    const missing = await pendingMigrations(MIGRATIONS);
    if (missing.length === 0) return [];
    if ((await database().listCollections({}, { nameOnly: true }).toArray()).length === 0)
      return [warning('It is empty.', `Starting the service prepares it: ${RESTART}`)];
    return [
      warning(
        `${missing.length} migrations have not run.`,
        `The service runs them when it starts. See its log, or: ${RESTART}`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof NewerDatabaseError)) throw error;
    return [
      failure(
        'A newer version of the service has used it.',
        'Check out that version or a newer one, or restore an earlier backup (docs/deploy.md, “Upgrade and rollback”).',
      ),
    ];
  }
}

/** Without the unique ones two people could redeem one coupon; without the others lists are slow. */
async function examineIndexes(): Promise<Finding[]> {
  const { MODELS } = await import('../../src/resources.ts');
  const missing = await findMissingIndexes(MODELS);
  if (missing.length === 0) return [];
  const unique = missing.filter((one) => one.unique);
  const list = (unique.length > 0 ? unique : missing)
    .map(({ collection, index }) => `${collection}.${index}`)
    .join(', ');
  const cure = `The service creates them when it starts: ${RESTART}`;
  return unique.length > 0
    ? [failure(`Unique indexes are missing, so records could be stored twice: ${list}.`, cure)]
    : [warning(`Indexes are missing, so lists are slow: ${list}.`, cure)];
}

const [LOOK_MS, WRONG_MS] = [5_000, 60_000];

/** Codes, sessions and leases expire by the clock, and the days of the study begin by it. */
export async function examineClock(): Promise<Finding[]> {
  const startedAt = Date.now();
  const { localTime } = await database().admin().command({ hello: 1 });
  const answeredAt = Date.now();
  // Half of the way there and back.
  const offsetMs =
    Math.abs((localTime as Date).getTime() - (startedAt + answeredAt) / 2) - (answeredAt - startedAt) / 2;
  const seconds = Math.max(0, Math.round(offsetMs / 1000));
  if (offsetMs < LOOK_MS) return [ok('as the database’s')];
  const text = `It differs from the database’s by ${seconds} seconds.`;
  const fix = 'On both machines: sudo timedatectl set-ntp true';
  return [offsetMs < WRONG_MS ? warning(text, fix) : failure(text, fix)];
}

function database(): mongoose.mongo.Db {
  const { db } = mongoose.connection;
  if (!db) throw new Error('the connection to the database does not stand');
  return db;
}
