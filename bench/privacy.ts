/**
 * Privacy at size, as an operator runs it: `node --import tsx bench/privacy.ts [surveys]`. Encrypted backup and restore,
 * one erasure and retention on a mongod of its own; and in which of its files an erased answer can still be found.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import mongoose from 'mongoose';
import { connect, disconnect } from '../src/platform/db/connect.ts';
import { startEmbeddedDatabase } from '../src/platform/db/embedded/embedded.ts';
import { findMongod } from '../src/platform/db/embedded/mongod-binary.ts';
import { STUDY_ID, StudyModel } from '../src/study/settings/model.ts';
import { writeStudy } from './data.ts';
import { runCommand } from './processes.ts';

const SURVEYS = Number(process.argv[2] ?? 200_000);
const DATABASE = 'field_survey';
/** Cannot be compressed, so that it stands in the files as it is. */
const SECRET = randomBytes(24).toString('hex');

const folder = await mkdtemp(join(tmpdir(), 'bench-privacy-'));
const log = { info: () => {}, warn: console.error };
const dataDir = join(folder, 'data');
const binary = await findMongod({
  binary: process.env.MONGOD_BINARY,
  dataDir: resolve(process.env.DATA_DIR ?? '.data'),
  log,
});
const mongod = await startEmbeddedDatabase({ dataDir, binary, log });

function uriOf(database: string): string {
  const uri = new URL(mongod.uri);
  uri.pathname = `/${database}`;
  return uri.href;
}

async function run(database: string, name: string, ...args: string[]) {
  const { seconds, megabytes, answer } = await runCommand(uriOf(database), name, ...args);
  console.log(`${name} ${args[0] ?? ''}`, { seconds: seconds.toFixed(1), megabytes: Math.round(megabytes) });
  return answer;
}

/** Empty for a folder, and for a file that mongod has removed meanwhile. */
const bytesOf = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return Buffer.alloc(0);
    throw error;
  });

/** By collection (or file), in how many files the secret stands. */
async function findSecret(when: string): Promise<void> {
  const db = mongoose.connection.getClient().db(DATABASE);
  await db.admin().command({ fsync: 1 });
  const names = new Map<string, string>();
  for (const database of [DATABASE, 'local', 'config'])
    for (const { name } of await db.client.db(database).listCollections().toArray()) {
      const [document] = await db.client
        .db(database)
        .collection(name)
        .aggregate([{ $collStats: { storageStats: {} } }])
        .toArray()
        .catch(() => []);
      const ident = String(document?.storageStats?.wiredTiger?.uri ?? '').replace(/^.*table:/, '');
      if (ident) names.set(`${ident}.wt`, `${database}.${name}`);
    }
  const leaks: string[] = [];
  for (const file of await readdir(join(dataDir, 'mongo'), { recursive: true })) {
    const path = join(dataDir, 'mongo', file);
    if ((await bytesOf(path)).includes(SECRET.slice(0, 24))) leaks.push(names.get(file) ?? file);
  }
  console.log(`${when}: files with the answer:`, leaks);
}

try {
  await connect(mongod.uri, DATABASE);
  const { db } = mongoose.connection;
  if (!db) throw new Error('the connection to the database does not stand');
  await writeStudy(db, SURVEYS, new Date());
  const surveys = mongoose.connection.collection('surveys');
  const one = await surveys.findOne({}, { skip: Math.floor(SURVEYS / 2) });
  if (!one) throw new Error('there is no interview');
  await surveys.updateOne({ _id: one._id }, { $set: { 'responses.comment': SECRET } });
  const changes = [{ path: 'responses.comment', before: null, after: SECRET }];
  const event = { by: null, action: 'update', subject: 'Survey', record: one._id, location: null };
  await mongoose.connection.collection('auditevents').insertOne({ ...event, changes, createdAt: new Date() });

  const identity = await generateX25519Identity();
  const key = join(folder, 'backup.key');
  await writeFile(key, identity);
  const archive = join(folder, 'study.age');
  await run(DATABASE, 'backup', '--out', archive, '--recipient', await identityToRecipient(identity));
  console.log({ archiveMegabytes: Math.round((await stat(archive)).size / 1e6) });
  await run('bench_restored', 'restore', '--from', archive, '--identity', key);
  await mongoose.connection.getClient().db('bench_restored').dropDatabase();

  await findSecret('before');
  await run(DATABASE, 'surveys', 'erase', String(one._id), '--reason', 'bench');
  await findSecret('after the erasure and a checkpoint');
  for (const name of ['surveys', 'auditevents']) await db.command({ compact: name, force: true });
  await findSecret('after compacting');
  await StudyModel.collection.updateOne(
    { _id: STUDY_ID },
    { $set: { endsOn: '2020-01-01', retentionDays: 1 } },
    { upsert: true },
  );
  console.log((await run(DATABASE, 'retention', '--dry-run')).counts);
  console.log((await run(DATABASE, 'retention')).counts);
  await run(DATABASE, 'retention');
} finally {
  await disconnect();
  await mongod.stop();
  await rm(folder, { recursive: true, force: true });
}
