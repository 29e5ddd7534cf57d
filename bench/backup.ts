/**
 * Backup and restore at size, as an operator runs them: `node --import tsx bench/backup.ts [surveys]`. Needs MONGO_URI;
 * uses two databases of its own there. Prints times, the largest memory of each command, and whether all came back.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { generateCode } from '../src/coupons/referral-codes/code.ts';
import { connect, disconnect } from '../src/platform/db/connect.ts';
import { prepareDatabase } from '../src/resources.ts';
import { FIRST_ROUND_ID } from '../src/study/rounds/model.ts';
import { EXAMPLE_RESPONSES } from '../test/example-responses.ts';
import { type CommandRun, runCommand } from './processes.ts';

const { ObjectId } = mongoose.Types;
const SURVEYS = Number(process.argv[2] ?? 100_000);
const COUPONS = 3;

function uriOf(database: string): string {
  const uri = new URL(process.env.MONGO_URI ?? 'mongodb://127.0.0.1:27017/?replicaSet=rs0');
  uri.pathname = `/${database}`;
  return uri.href;
}

const codes = new Set<string>();
/** Among 300,000 codes one or two would be the same by chance. */
function newCode(): string {
  const code = generateCode(randomBytes);
  if (codes.has(code)) return newCode();
  codes.add(code);
  return code;
}

/** Each survey redeems a coupon of the one a third as far down the list: one tree of many waves. */
async function fill(): Promise<void> {
  await prepareDatabase(new Date());
  const [seed, location, createdBy, questionnaire] = Array.from({ length: 4 }, () => new ObjectId());
  const ids = Array.from({ length: SURVEYS }, () => new ObjectId());
  const db = mongoose.connection;
  for (let start = 0; start < SURVEYS; start += 5000) {
    const now = new Date();
    const codes: object[] = [];
    const surveys = ids.slice(start, start + 5000).map((_id, at) => {
      const number = start + at;
      const issuedCodes = Array.from({ length: COUPONS }, newCode);
      codes.push(...issuedCodes.map((code) => ({ code, state: 'LIVE', survey: _id, createdAt: now })));
      return {
        _id,
        clientId: `${_id}`,
        referralCode: null,
        seed,
        recruiter: number === 0 ? null : ids[Math.floor((number - 1) / COUPONS)],
        wave: Math.floor(Math.log(number * 2 + 1) / Math.log(3)),
        issuedCodes,
        questionnaire,
        responses: { ...EXAMPLE_RESPONSES, networkSize: number % 40 },
        networkSize: number % 40,
        status: 'COMPLETED',
        flags: [],
        coordinates: null,
        location,
        round: FIRST_ROUND_ID,
        createdBy,
        startedAt: now,
        completedAt: now,
        heldAt: now,
        createdAt: now,
        updatedAt: now,
        version: 1,
        requestHash: 'bench',
        deletedAt: null,
      };
    });
    const events = surveys.map(({ _id }) => ({
      action: 'create',
      subject: 'Survey',
      record: _id,
      createdAt: now,
    }));
    await Promise.all([
      db.collection('surveys').insertMany(surveys as never[]),
      db.collection('referralcodes').insertMany(codes),
      db.collection('auditevents').insertMany(events),
    ]);
  }
}

/** Who recruited whom, in one number. */
async function treeSum(): Promise<string> {
  const hash = createHash('sha256');
  const fields = { recruiter: 1, seed: 1, wave: 1, issuedCodes: 1 };
  const surveys = mongoose.connection.collection('surveys').find({}, { projection: fields }).sort({ _id: 1 });
  for await (const survey of surveys) hash.update(JSON.stringify(survey));
  return hash.digest('hex').slice(0, 16);
}

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const archive = join(folder, 'study.archive');
await connect(uriOf('bench_backup_from'));
try {
  await mongoose.connection.dropDatabase();
  await fill();
  const tree = await treeSum();
  const backup = await runCommand(uriOf('bench_backup_from'), 'backup', '--out', archive);
  const bytes = (await stat(archive)).size;
  const restore = await runCommand(uriOf('bench_backup_to'), 'restore', '--from', archive, '--force');
  await disconnect();
  await connect(uriOf('bench_backup_to'));
  const sameData = {
    tree: (await treeSum()) === tree,
    countsAndChecksums:
      JSON.stringify(backup.answer.collections) === JSON.stringify(restore.answer.collections),
  };
  const figures = ({ seconds, megabytes }: CommandRun) => ({
    seconds: seconds.toFixed(1),
    megabytes: Math.round(megabytes),
  });
  console.log({
    surveys: SURVEYS,
    archiveMegabytes: Math.round(bytes / 1e6),
    backup: figures(backup),
    restore: figures(restore),
    same: sameData,
  });
  await mongoose.connection.dropDatabase();
  await disconnect();
  await connect(uriOf('bench_backup_from'));
  await mongoose.connection.dropDatabase();
} finally {
  await disconnect();
  await rm(folder, { recursive: true, force: true });
}
