/**
 * `npm run test:contract [-- --quick]`: schemathesis against the served document, as each role and without a token, all
 * checks on. It is fetched from PyPI into a folder of its own; the service runs on a mongod of its own. Leaves nothing behind but
 * schemathesis; its reports lie in reports/contract.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import { startEmbeddedDatabase } from '../src/platform/db/embedded/embedded.ts';
import { findMongod } from '../src/platform/db/embedded/mongod-binary.ts';
import { FIRST_ROUND_ID } from '../src/study/rounds/model.ts';
import { Role } from '../src/study/users/schema.ts';
import { personRecord } from './people.ts';
import { buildService, type Running, SECRET, startService } from './processes.ts';

const VERSION = '4.32.5';
const FOLDER = resolve('.cache/schemathesis');
const TOOL = join(FOLDER, 'bin/schemathesis');
const MIN_REQUESTS = 5_000;
/** The id that the document's examples name; a record of each kind has it, so that the examples work. */
const EXAMPLE = '665f1c2ab7e4d90012345678';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    role: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const { ObjectId } = mongoose.Types;
type Ids = Record<Role, mongoose.Types.ObjectId>;
/** A role, or whoever has no token. */
type Caller = Role | 'NOBODY';
const CALLERS: Caller[] = [...Role.options, 'NOBODY'];

function installTool(): void {
  const run = (command: string, args: string[]) => {
    const { status } = spawnSync(command, args, { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
  };
  if (existsSync(TOOL)) {
    const { stdout } = spawnSync(TOOL, ['--version'], { encoding: 'utf8' });
    if (stdout?.includes(VERSION)) return;
  }
  rmSync(FOLDER, { recursive: true, force: true });
  run('python3', ['-m', 'venv', FOLDER]);
  run(join(FOLDER, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
}

/** A user of each role, and a record of each kind under the documented id. */
async function writeRecords(db: mongoose.mongo.Db, ids: Ids): Promise<void> {
  const now = new Date();
  const _id = new ObjectId(EXAMPLE);
  const dates = { createdAt: now, updatedAt: now, deletedAt: null };
  const user = (id: mongoose.Types.ObjectId, role: Role, n: number) =>
    personRecord(
      { _id: id, firstName: 'Ada', lastName: role, phone: `+1206555010${n}`, role, location: _id },
      now,
    );
  const users = Role.options.map((role, n) => user(ids[role], role, n));
  await db.collection('users').insertMany([...users, user(_id, 'VOLUNTEER', 9)]);
  const place = { name: 'Downtown shelter', address: null, type: 'SHELTER', coordinates: null };
  await db.collection('locations').insertOne({ _id, ...place, createdBy: null, ...dates });
  const seed = { referralCode: 'ABCDEFGC', kind: 'PLANNED', location: _id, round: FIRST_ROUND_ID };
  await db
    .collection('seeds')
    .insertOne({ _id, ...seed, note: null, survey: null, createdBy: null, createdAt: now, deletedAt: null });
  await db.collection('referralcodes').insertOne({
    code: 'ABCDEFGC',
    state: 'LIVE',
    seed: _id,
    survey: null,
    reservedBy: null,
    batch: null,
    redeemedBy: null,
    redeemedAt: null,
    validFrom: null,
    expiresAt: null,
    voidedAt: null,
    voidReason: null,
    createdAt: now,
  });
  const questionnaire = await db.collection('questionnaires').findOne({ active: true });
  await db.collection('surveys').insertOne({
    _id,
    clientId: '5b0c6f6e-52a5-4a6e-9b8e-0f6f2c1d7a10',
    referralCode: null,
    seed: null,
    recruiter: null,
    wave: null,
    issuedCodes: [],
    questionnaire: questionnaire?._id,
    responses: {},
    networkSize: null,
    status: 'IN_PROGRESS',
    flags: [],
    coordinates: null,
    location: _id,
    round: FIRST_ROUND_ID,
    createdBy: ids.VOLUNTEER,
    startedAt: now,
    completedAt: null,
    heldAt: now,
    version: 1,
    requestHash: '',
    ...dates,
  });
}

/** Its exit status: 0 where no check failed. */
async function runAs(role: Caller, token: string | null, service: Running, reports: string): Promise<number> {
  const args = [
    ...['--config-file', resolve('bench/schemathesis.toml')],
    'run',
    `http://127.0.0.1:${service.port}/documentation/openapi.json`,
    // Signing out would end the token, so that all that follows is refused.
    ...(token === null
      ? []
      : ['-H', `Authorization: Bearer ${token}`, '--exclude-path', '/api/auth/sign-out-everywhere']),
    ...['--checks', 'all', '--continue-on-failure', '--seed', options.seed ?? '1'],
    ...['--max-examples', options.quick ? '5' : '40', '--workers', '2'],
    ...['--suppress-health-check', 'all', '--report', 'junit'],
    ...['--report-junit-path', join(reports, `${role}.xml`)],
    ...(options.quick ? ['--phases', 'examples,coverage'] : []),
  ];
  process.stdout.write(`\n=== as ${role}\n`);
  const child = spawn(TOOL, args, { stdio: ['ignore', 'inherit', 'inherit'], cwd: tmpdir() });
  return await new Promise((settle) => child.on('exit', (code) => settle(code ?? 1)));
}

const queryCount = (log: string) => readFileSync(log, 'utf8').split('"responseTime"').length - 1;

async function main(): Promise<number> {
  installTool();
  buildService();
  const folder = mkdtempSync(join(tmpdir(), 'field-survey-contract-'));
  const reports = resolve('reports/contract');
  mkdirSync(reports, { recursive: true });
  const closing: (() => Promise<void>)[] = [];
  try {
    const log = { info: console.error, warn: console.error };
    const dataFolder = resolve(process.env.DATA_DIR ?? '.data');
    const binary = await findMongod({ binary: process.env.MONGOD_BINARY, dataDir: dataFolder, log });
    const mongod = await startEmbeddedDatabase({ dataDir: folder, binary, log });
    closing.push(mongod.stop);
    const client = new mongoose.mongo.MongoClient(mongod.uri);
    closing.push(() => client.close());

    let failures = 0;
    for (const role of CALLERS.filter((one) => !options.role || one === options.role)) {
      // A database for each, so that what one role deletes is there for the next.
      const name = `contract_${role.toLowerCase()}`;
      const service = await startService(mongod.uri.replace('/?', `/${name}?`), 'UTC', folder);
      closing.push(service.stop);
      const ids = Object.fromEntries(Role.options.map((one) => [one, new ObjectId()])) as Ids;
      await writeRecords(client.db(name), ids);
      const token =
        role === 'NOBODY' ? null : jwt.sign({ sub: String(ids[role]) }, SECRET, { expiresIn: '12h' });
      if ((await runAs(role, token, service, reports)) !== 0) failures++;
      await service.stop();
    }
    const requests = queryCount(join(folder, 'service.log'));
    const enough = options.quick || options.role !== undefined || requests >= MIN_REQUESTS;
    console.log(
      `\n${requests} requests in all; ${failures === 0 ? 'no check failed' : `failures as ${failures} roles`}`,
    );
    if (!enough) console.log(`That is fewer than ${MIN_REQUESTS}.`);
    return failures === 0 && enough ? 0 : 1;
  } finally {
    for (const one of closing.reverse()) await one();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
