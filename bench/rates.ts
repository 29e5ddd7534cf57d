/**
 * How much one and two processes of the service bear: requests arrive at a steady rate whether or not earlier ones have
 * been answered (60 % validations, 20 % interviews, 20 % readings of one interview), at rising rates. Prints the highest
 * rate with a p99 below 100 ms and no error, then runs at half of it and prints the memory each minute. The time of a
 * request counts from the moment at which it was due.
 *
 *   npm run bench:load -- [--surveys 20000] [--seconds 20] [--soak 20] [--processes 1,2] [--rate 40] [--p99 100] [--built]
 *
 * With `--rate 20 --run` the answers vary, and after a minute at that rate all outcomes get intervals by CHAIN, as at night; it
 * prints reads and writes of each minute until the run is done, at most `--most` minutes (30).
 *
 * With `--rate` that rate alone is tried, without the twenty minutes at half of it unless `--soak` asks for them; the exit
 * code is 1 if it is not borne, with a p99 of `--p99` milliseconds at most. With `--built` the service is not built again.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import os, { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import { startEmbeddedDatabase } from '../src/platform/db/embedded/embedded.ts';
import { findMongod } from '../src/platform/db/embedded/mongod-binary.ts';
import { DEFAULT_QUESTIONNAIRE } from '../src/questionnaires/shipped/default-questionnaire.ts';
import { EXAMPLE_RESPONSES } from '../test/example-responses.ts';
import { type Study, writeStudy } from './data.ts';
import {
  buildService,
  processOf,
  type Running,
  SECRET,
  startService,
  takeExistingBuild,
  zoneAtNoon,
} from './processes.ts';

const { values } = parseArgs({
  options: {
    surveys: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '20' },
    soak: { type: 'string' },
    processes: { type: 'string', default: '1,2' },
    rate: { type: 'string' },
    p99: { type: 'string', default: '100' },
    built: { type: 'boolean', default: false },
    run: { type: 'boolean', default: false },
    most: { type: 'string', default: '30' },
  },
});
const minutes = values.soak ?? (values.rate ? '0' : '20');
const [SURVEYS, SECONDS, SOAK] = [values.surveys, values.seconds, minutes].map(Number) as [
  number,
  number,
  number,
];
const MAX_P99_MS = Number(values.p99);
const FIRST_RATE = 20;
const STEP = 1.25;
/** Requests under way beyond this are an error: the service has fallen behind for good. */
const MAX_IN_FLIGHT = 2_000;

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const say = (text: string) => console.log(text);

interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  token: string;
  body?: string;
  expect: number;
}

/** Endless: what each further caller asks. */
function* requests(study: Study): Generator<LoadRequest> {
  const tokenOf = (id: unknown) => jwt.sign({ sub: String(id) }, SECRET, { expiresIn: '12h' });
  const volunteers = study.volunteers.map(tokenOf);
  const root = tokenOf(study.superAdmin);
  const location = String(study.sites[0]);
  for (let at = 0; ; at++) {
    const token = volunteers[at % volunteers.length] ?? root;
    const code = study.someCodes[at % study.someCodes.length];
    const validate: LoadRequest = {
      method: 'GET',
      path: `/api/validate-referral-code/${code}`,
      token,
      expect: 200,
    };
    if (at % 5 < 3) yield validate;
    else if (at % 5 === 3) {
      const survey = study.someSurveys[at % study.someSurveys.length];
      yield { method: 'GET', path: `/api/surveys/${survey}`, token: root, expect: 200 };
    } else {
      const referralCode = study.freeCodes.shift();
      if (!referralCode) throw new Error('no free code is left');
      const body = { location, referralCode, clientId: randomUUID(), responses: EXAMPLE_RESPONSES };
      yield { method: 'POST', path: '/api/surveys', token, body: JSON.stringify(body), expect: 201 };
    }
  }
}

function send(
  port: number,
  { method, path, token, body }: LoadRequest,
): Promise<{ status: number; text: string }> {
  return new Promise((settle, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
    };
    const clientRequest = request({ agent, port, host: '127.0.0.1', method, path, headers }, (answer) => {
      let text = '';
      answer.on('data', (piece) => (text += String(piece)));
      answer.on('end', () => settle({ status: answer.statusCode ?? 0, text }));
      answer.on('error', reject);
    });
    clientRequest.on('error', reject);
    clientRequest.end(body);
  });
}

interface Sustained {
  p50: number;
  p99: number;
  errors: number;
  /** How often each status came in place of the expected one. */
  statuses: Record<string, number>;
  count: number;
  /** Half and 99 in 100 of each, as text. */
  byMethod: string;
}

function shareOf(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Sends at this rate for this long, in turn to each process. */
async function at(
  rate: number,
  seconds: number,
  services: Running[],
  next: () => LoadRequest,
  study: Study,
): Promise<Sustained> {
  const times: number[] = [];
  const timesOf: Record<LoadRequest['method'], number[]> = { GET: [], POST: [] };
  const pending = new Set<Promise<void>>();
  let errors = 0;
  const statuses: Record<string, number> = {};
  const fail = (reason: string | number) => {
    errors += 1;
    statuses[reason] = (statuses[reason] ?? 0) + 1;
  };
  const begin = performance.now();
  for (let index = 0; index < rate * seconds; index++) {
    const due = begin + (index / rate) * 1_000;
    const early = due - performance.now();
    if (early > 1) await sleep(early);
    if (pending.size > MAX_IN_FLIGHT) {
      fail('too many under way');
      break;
    }
    const work = next();
    const one = send(services[index % services.length]?.port ?? 0, work)
      .then(({ status, text }) => {
        times.push(performance.now() - due);
        timesOf[work.method].push(performance.now() - due);
        if (status !== work.expect) fail(status);
        else if (status === 201) study.freeCodes.push(...JSON.parse(text).issuedCodes);
      })
      .catch(({ message }: Error) => fail(message))
      .finally(() => pending.delete(one));
    pending.add(one);
  }
  await Promise.all(pending);
  const byMethod = Object.entries(timesOf)
    .map(
      ([method, all]) => `${method} ${shareOf(all, 0.5).toFixed(0)} and ${shareOf(all, 0.99).toFixed(0)} ms`,
    )
    .join(', ');
  const share = (part: number) => shareOf(times, part);
  return { p50: share(0.5), p99: share(0.99), errors, statuses, count: times.length, byMethod };
}

interface World {
  services: Running[];
  database: Pick<Running, 'cpu' | 'memory'>;
  study: Study;
  next(): LoadRequest;
}

const isSustained = ({ p99, errors }: Sustained) => p99 < MAX_P99_MS && errors === 0;

async function tryRate({ services, database, study, next }: World, rate: number): Promise<boolean> {
  const busy = () => [...services.map((one) => one.cpu()), database.cpu()];
  const before = busy();
  const own = process.cpuUsage();
  const result = await at(rate, SECONDS, services, next, study);
  const cores = busy().map((now, i) => ((now - (before[i] ?? 0)) / SECONDS).toFixed(2));
  const { user, system } = process.cpuUsage(own);
  const ours = ((user + system) / 1e6 / SECONDS).toFixed(2);
  say(
    `  ${String(Math.round(rate)).padStart(4)}/s: p50 ${result.p50.toFixed(0)} ms, p99 ${result.p99.toFixed(0)} ms, ${result.errors} errors${Object.entries(
      result.statuses,
    )
      .map(([reason, count]) => ` (${count} × ${reason})`)
      .join(
        '',
      )}; cores: ${services.map((_, i) => `service ${cores[i]}`).join(', ')}, database ${cores.at(-1)}, this client ${ours}`,
  );
  return isSustained(result);
}

/** The highest rate that is borne, twice in a row where the first try fails: another process may have had the machine. */
async function highest(world: World): Promise<number> {
  let best = 0;
  for (let rate = FIRST_RATE; ; rate *= STEP) {
    if (!(await tryRate(world, rate)) && !(await tryRate(world, rate))) return best;
    best = rate;
  }
}

async function soak(world: World, rate: number): Promise<void> {
  say(`  ${Math.round(rate)}/s for ${SOAK} minutes, half the highest rate:`);
  for (let minute = 1; minute <= SOAK; minute++) {
    const { p99, errors } = await at(rate, 60, world.services, world.next, world.study);
    const memory = world.services.map((one) => `${Math.round(one.memory())} MB`).join(', ');
    say(`  minute ${minute}: p99 ${p99.toFixed(0)} ms, ${errors} errors, ${memory}`);
  }
}

interface QuestionElement {
  type: string;
  name: string;
  elements?: QuestionElement[];
  choices?: (string | { value: string })[];
}

/** Each interview answers the questions with choices by chance: alike, they would have no interval. */
async function varyAnswers(db: mongoose.mongo.Db): Promise<void> {
  const questions = (elements: QuestionElement[]): QuestionElement[] =>
    elements.flatMap((one) => (one.elements ? questions(one.elements) : [one]));
  const { pages } = DEFAULT_QUESTIONNAIRE.definition as { pages: QuestionElement[] };
  const below = (max: number) => ({ $floor: { $multiply: [{ $rand: {} }, max] } });
  const varied = questions(pages).flatMap(({ type, name, choices = [] }): [string, unknown][] => {
    const values = choices.map((one) => (typeof one === 'string' ? one : one.value));
    if (values.length < 2 || ['consent', 'isAdult', 'sleptOutside'].includes(name)) return [];
    const one = { $arrayElemAt: [values, below(values.length)] };
    if (type === 'radiogroup' || type === 'dropdown') return [[`responses.${name}`, one]];
    return type === 'checkbox' ? [[`responses.${name}`, [one]]] : [];
  });
  say(`  ${varied.length} questions vary`);
  await db.collection('surveys').updateMany({}, [{ $set: Object.fromEntries(varied) }]);
}

/** Reads and writes before and during a run of all outcomes. */
async function measureRun(world: World, rate: number): Promise<void> {
  const { services, study, next } = world;
  const [service] = services;
  const cpuSeconds = () => (service?.cpu() ?? 0).toFixed(0);
  const before = await at(rate, 60, services, next, study);
  say(
    `  before the run, ${rate}/s: ${before.byMethod}; ${before.errors} errors, ${cpuSeconds()} s of processor time of the service so far`,
  );
  const token = jwt.sign({ sub: String(study.superAdmin) }, SECRET, { expiresIn: '12h' });
  const ask = async (method: 'GET' | 'POST', path: string, body?: string) => {
    const reply = await send(service?.port ?? 0, { method, path, token, ...(body && { body }), expect: 200 });
    return JSON.parse(reply.text);
  };
  const wanted = JSON.stringify({ outcome: null, method: 'CHAIN', samples: 1000 });
  const { id } = await ask('POST', '/api/analysis/runs', wanted);
  const began = performance.now();
  for (let minute = 1; minute <= Number(values.most); minute++) {
    const during = await at(rate, 60, services, next, study);
    const { state, progress, result, error } = await ask('GET', `/api/analysis/runs/${id}`);
    const memory = Math.round(service?.memory() ?? 0);
    say(
      `  minute ${minute} of the run, ${(100 * progress).toFixed(0)} % done: ${during.byMethod}; ${during.errors} errors, ${memory} MB, ${cpuSeconds()} s, load ${os.loadavg()[0]?.toFixed(0)}`,
    );
    if (state !== 'DONE' && state !== 'FAILED') continue;
    const seconds = (performance.now() - began) / 1000;
    say(`  ${state} within ${seconds.toFixed(0)} s: ${error ?? `${result.outcomes.length} outcomes`}`);
    return;
  }
}

async function main(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'field-survey-rates-'));
  const log = { info: () => {}, warn: say };
  const dataFolder = resolve(process.env.DATA_DIR ?? '.data');
  const binary = await findMongod({ binary: process.env.MONGOD_BINARY, dataDir: dataFolder, log });
  if (values.built) takeExistingBuild();
  else buildService();
  const mongod = await startEmbeddedDatabase({ dataDir: folder, binary, log });
  const client = new mongoose.mongo.MongoClient(mongod.uri);
  const rate = values.rate ? Number(values.rate) : null;
  let isMet = true;
  try {
    const { pid } = await client.db('admin').command({ serverStatus: 1 });
    const database = processOf(Number(pid));
    for (const count of values.processes.split(',').map(Number)) {
      const name = `rates_${count}`;
      const study = await writeStudy(client.db(name), SURVEYS, new Date());
      if (values.run) await varyAnswers(client.db(name));
      const uri = mongod.uri.replace('/?', `/${name}?`);
      const services: Running[] = [];
      for (let one = 0; one < count; one++)
        services.push(await startService(uri, zoneAtNoon(new Date()), folder));
      say(`${count} process${count > 1 ? 'es' : ''}, ${SURVEYS} interviews, ${os.cpus().length} cores`);
      const work = requests(study);
      const world: World = { services, database, study, next: () => work.next().value as LoadRequest };
      const first = rate ? Math.min(FIRST_RATE, rate) : FIRST_RATE;
      await at(first, Math.min(10, SECONDS), services, world.next, study);
      let best = rate ?? 0;
      if (rate && values.run) await measureRun(world, rate);
      else if (rate) isMet = (await tryRate(world, rate)) && isMet;
      else {
        best = await highest(world);
        say(`  highest rate with p99 below ${MAX_P99_MS} ms and no error: ${Math.round(best)}/s`);
      }
      if (SOAK > 0) await soak(world, best / 2);
      for (const one of services) await one.stop();
    }
  } finally {
    await client.close();
    await mongod.stop();
    rmSync(folder, { recursive: true, force: true });
    agent.destroy();
  }
  return isMet;
}

process.exitCode = (await main()) ? 0 : 1;
