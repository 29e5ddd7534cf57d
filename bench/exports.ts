/**
 * Estimates and files of a large study, and requests while intervals are worked out: `npx tsx bench/exports.ts [surveys]`, on a
 * mongod of its own or on MONGO_URI, whose database is dropped. The service runs as it is deployed, in a process of its own.
 * Each file is read back by programs that are not ours: csv-parse, JSON of another package, Python's zipfile and networkx
 * (PYTHON, `python3` if unset; without networkx this check is left out, and that is said).
 */
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseChunked } from '@discoveryjs/json-ext';
import { parse } from 'csv-parse';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import { EXPORT_FILE_NAMES, type ExportName } from '../src/exports/schema.ts';
import { connect, ensureIndexes } from '../src/platform/db/connect.ts';
import { prepareDatabase } from '../src/resources.ts';
import { type Study, writeStudy } from './data.ts';
import { withDatabase } from './database.ts';
import { measure } from './load.ts';
import { buildService, type Running, SECRET, startService } from './processes.ts';

const [size = '100000'] = process.argv.slice(2).filter((one) => /^\d+$/.test(one));
const SECONDS = 20;
const MAX_MEGABYTES = 250;
const ROUNDS = 5;
const MIN_RATE_SHARE = 0.8;
const PYTHON = process.env.PYTHON ?? 'python3';
const say = (text: string) => process.stdout.write(`${text}\n`);
const load = () => `load ${os.loadavg()[0]?.toFixed(1)}`;
const verdict = (isMet: boolean) => (isMet ? 'met   ' : 'MISSED');

interface Service extends Running {
  token: string;
  ask(method: string, path: string, body?: object): Promise<Response>;
}

/** Seconds of the clock and of the processor, and the most memory beyond what the service had just before. */
async function watched(service: Service, work: () => Promise<void>) {
  const idle = service.memory();
  let max = idle;
  const watch = setInterval(() => {
    max = Math.max(max, service.memory());
  }, 20);
  const [begin, cpu] = [performance.now(), service.cpu()];
  await work().finally(() => clearInterval(watch));
  const seconds = (performance.now() - begin) / 1000;
  return { seconds, used: service.cpu() - cpu, idle, more: max - idle };
}

/** Another seed each time, so that no answer is a kept one; the first one starts the thread. */
async function estimated(service: Service, populationSize?: number): Promise<void> {
  const rounds: Awaited<ReturnType<typeof watched>>[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const query = `outcome=veteran&randomSeed=${round}${populationSize ? `&populationSize=${populationSize}` : ''}`;
    const one = await watched(service, async () => {
      const answer = await service.ask('GET', `analysis/estimates?${query}`);
      if (!answer.ok) throw new Error(await answer.text());
      await answer.arrayBuffer();
    });
    if (round > 0) rounds.push(one);
  }
  const [first, ...rest] = rounds.toSorted((a, b) => a.seconds - b.seconds);
  const middle = rest[Math.floor(ROUNDS / 2) - 1] ?? first;
  const max = Math.max(...rounds.map(({ idle, more }) => idle + more));
  say(
    `${verdict((middle?.seconds ?? 0) < 1)} estimates${populationSize ? ' with SS' : ''}: ${middle?.seconds.toFixed(2)} s (fastest ${first?.seconds.toFixed(2)}, processor ${middle?.used.toFixed(2)}), ${max.toFixed(0)} MB in all, ${load()}`,
  );
}

async function exported(service: Service, name: ExportName, file: string): Promise<void> {
  const {
    seconds,
    used: cpuSeconds,
    idle,
    more,
  } = await watched(service, async () => {
    const answer = await service.ask('GET', `exports/${name}`);
    if (!answer.ok || !answer.body) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), createWriteStream(file));
  });
  say(
    `${verdict(seconds < SECONDS && more < MAX_MEGABYTES)} ${name.padEnd(16)} ${seconds.toFixed(1).padStart(5)} s (processor ${cpuSeconds.toFixed(1)})  ${idle.toFixed(0).padStart(4)} + ${more.toFixed(0).padStart(3)} MB  ${(statSync(file).size / 1e6).toFixed(1).padStart(6)} MB file  ${await readBack(name, file)}, ${load()}`,
  );
}

/** What another program finds in it. */
async function readBack(name: ExportName, file: string): Promise<string> {
  if (name === 'interviews.json') {
    const imported = await parseChunked(createReadStream(file));
    return `${(Array.isArray(imported) ? imported : imported.data).length} interviews`;
  }
  if (name === 'tree.graphml')
    return python(
      'import networkx as x; g=x.read_graphml(sys.argv[1]); print(len(g), "people,", g.number_of_edges(), "ties, a forest:", x.is_forest(g))',
      file,
    );
  if (name === 'bundle.zip')
    return python(
      'import zipfile as z; f=z.ZipFile(sys.argv[1]); print(len(f.namelist()), "files, damaged:", f.testzip())',
      file,
    );
  const rdsat = name === 'rdsat.txt';
  if (name === 'tree.dot') return `${await rowsOf(file, { delimiter: '\u0000', quote: null })} lines`;
  const rows = await rowsOf(
    file,
    rdsat ? { delimiter: '\t', from_line: 3, quote: null } : { columns: true, bom: true },
  );
  return `${rows} rows`;
}

/** Each row has as many cells as the first, else the parser refuses it. */
async function rowsOf(file: string, options: object): Promise<number> {
  let rows = 0;
  for await (const _ of createReadStream(file).pipe(parse(options))) rows++;
  return rows;
}

function python(program: string, file: string): string {
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', `import sys\n${program}`, file]);
  if (status === 0) return String(stdout).trim();
  return /No module/.test(String(stderr)) || status === null
    ? `not read back: ${PYTHON} or its packages are missing`
    : `UNREADABLE: ${String(stderr).trim().split('\n').at(-1)}`;
}

/** By-id reads alone and while a run works, in turns. */
async function besideRun(service: Service, { someSurveys }: Study): Promise<void> {
  let at = 0;
  const rate = async () => {
    const next = () => ({
      path: `/api/surveys/${someSurveys[at++ % someSurveys.length]}`,
      token: service.token,
    });
    return (await measure({ port: service.port, connections: 16, seconds: 3, expect: 200, next })).perSecond;
  };
  await rate();
  const shares: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rateAlone = await rate();
    const startedRun = await service.ask('POST', 'analysis/runs', {
      outcome: 'veteran',
      method: 'TREE',
      samples: 20_000,
    });
    const { id } = (await startedRun.json()) as { id: string };
    const run = async () =>
      (await (await service.ask('GET', `analysis/runs/${id}`)).json()) as { state: string; progress: number };
    while ((await run()).progress === 0) await sleep(100);
    const rateDuringRun = await rate();
    const { state, progress } = await run();
    await service.ask('DELETE', `analysis/runs/${id}`);
    await sleep(1_000);
    shares.push(rateDuringRun / rateAlone);
    say(
      `       by id ${rateAlone.toFixed(0)} a second alone, ${rateDuringRun.toFixed(0)} during a run (${state}, ${(100 * progress).toFixed(0)} % done), ${load()}`,
    );
  }
  const middle = shares.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  say(
    `${verdict(middle >= MIN_RATE_SHARE)} reads by id keep ${middle.toFixed(2)} of their rate during a run (at least ${MIN_RATE_SHARE})`,
  );
}

async function all(): Promise<void> {
  const uri = process.env.MONGO_URI ?? '';
  const database = 'exports_bench';
  await connect(uri, database);
  await mongoose.connection.dropDatabase();
  const study = await writeStudy(mongoose.connection.getClient().db(database), Number(size), new Date());
  await ensureIndexes(Object.values(mongoose.models));
  await prepareDatabase(new Date());
  buildService();
  const folder = mkdtempSync(join(tmpdir(), 'field-survey-bench-'));
  const address = new URL(uri);
  address.pathname = `/${database}`;
  const running = await startService(String(address), 'UTC', folder);
  const token = jwt.sign({ sub: String(study.superAdmin) }, SECRET, { expiresIn: '2h', algorithm: 'HS256' });
  // A connection that the service closed while Python was waited for would be noticed too late.
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    connection: 'close',
  };
  const ask = async (method: string, path: string, body?: object) =>
    await fetch(`http://127.0.0.1:${running.port}/api/${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const service: Service = { ...running, token, ask };
  try {
    await estimated(service);
    await estimated(service, 2 * Number(size));
    await besideRun(service, study);
    for (const name of EXPORT_FILE_NAMES) await exported(service, name, join(folder, name));
    const [cpu] = os.cpus();
    say(`${size} interviews; ${cpu?.model}, ${os.cpus().length} cores, Node ${process.versions.node}`);
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await withDatabase(say, all);
