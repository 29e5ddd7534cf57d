/**
 * `npm run bench [-- --quick]`: the service beside a floor on one mongod of its own, for studies of 1,000, 100,000
 * and 1,000,000 surveys. The sizes take turns within each round, and so do service and floor, so that whatever else
 * the machine does falls on all of them alike. Leaves nothing behind. `--beside FOLDER` measures another version, in a
 * worktree of its own, in turns with this one.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import { startEmbeddedDatabase } from '../src/platform/db/embedded/embedded.ts';
import { findMongod } from '../src/platform/db/embedded/mongod-binary.ts';
import { type DayBounds, dayBoundsAt } from '../src/platform/lib/day.ts';
import { randomStream } from '../src/statistics/estimators/draws/random.ts';
import { EXAMPLE_RESPONSES } from '../test/example-responses.ts';
import { type Study, writeStudy } from './data.ts';
import { type Load, measure } from './load.ts';
import {
  buildService,
  processOf,
  type Running,
  SECRET,
  startFloor,
  startService,
  zoneAtNoon,
} from './processes.ts';
import { type RouteMeasurement, type Row, report } from './report.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    beside: { type: 'string' },
    rounds: { type: 'string' },
  },
});
const SIZES = (options.sizes ?? (options.quick ? '1000' : '1000,100000,1000000')).split(',').map(Number);
const SECONDS_PER_ROUTE = Number(options.seconds ?? (options.quick ? 2 : 4));
const ROUNDS = Number(options.rounds ?? 3);
const CONNECTIONS = 16;

interface Site {
  study: Study;
  service: Running;
  floor: Running;
  database: Pick<Running, 'cpu'>;
  /** Of its day, in the zone of the service. */
  today: DayBounds;
  db: mongoose.mongo.Db;
  /** The same study in another version of the service. */
  baseline?: Omit<Site, 'beside'>;
}

type RequestMaker = (site: Site) => Pick<Load, 'next' | 'onBody'>;

interface Route {
  name: string;
  expect: number;
  load: RequestMaker;
  /** The same records, asked of the floor. */
  floor: RequestMaker;
  /** Where the floor is the service itself: turns on, or off again, what the route is measured with. */
  turn?(site: Site, isOn: boolean): Promise<void>;
  /** Not in the version beside, which is from before. */
  isNew?: boolean;
}

const token = (id: unknown) => jwt.sign({ sub: String(id) }, SECRET, { expiresIn: '12h' });

/** One after the other, round and round. */
function roundRobin<T>(items: T[]): () => T {
  let at = 0;
  return () => items[at++ % items.length] as T;
}

const reads = (path: (study: Study) => () => string, idsIn: (study: Study) => unknown[]) => (site: Site) => {
  const nextPath = path(site.study);
  const nextToken = roundRobin(idsIn(site.study).map(token));
  return { next: () => ({ path: nextPath(), token: nextToken() }) };
};

const random = randomStream(1, 'codes');
/** Any of them, since the peers of one person hardly ever come within the same second. */
function takeCode({ freeCodes }: Study): string {
  const [code] = freeCodes.splice(random.below(freeCodes.length), 1);
  if (!code) throw new Error('no free code is left');
  return code;
}

/** Each redeems a free code; the three codes of each answer are redeemed later. */
const submits =
  (
    path: string,
    idsOf: (study: Study) => () => { token?: string; createdBy?: string },
    more: () => object = () => ({}),
  ): RequestMaker =>
  ({ study }) => {
    const next = idsOf(study);
    const location = String(study.sites[0]);
    return {
      next: () => {
        const referralCode = takeCode(study);
        const { token: signedIn, createdBy } = next();
        // As a device sends it: with a clientId, so that it could be sent again.
        const clientId = randomUUID();
        const body = { location, referralCode, clientId, responses: EXAMPLE_RESPONSES, createdBy, ...more() };
        return { method: 'POST', path, token: signedIn, body: JSON.stringify(body) };
      },
      onBody: (body) => {
        const { issuedCodes } = JSON.parse(body) as { issuedCodes: string[] };
        if (issuedCodes.length !== 3) throw new Error(`${issuedCodes.length} codes instead of 3`);
        study.freeCodes.push(...issuedCodes);
      },
    };
  };

const asVolunteers = (study: Study) => {
  const next = roundRobin(study.volunteers.map(token));
  return () => ({ token: next() });
};
const submitsAsVolunteers = submits('/api/surveys', asVolunteers);

let phones = 2_000_000;
/** A phone number of its own, and the hash of the secret of the person's own page. */
const submitsWithContact = submits('/api/surveys', asVolunteers, () => ({
  contact: { phone: `+1206${phones++}`, language: 'en', consent: true },
  statusHash: createHash('sha256').update(randomUUID()).digest('hex'),
}));

async function setStudy({ service, study }: Site, settings: object): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${service.port}/api/study`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token(study.superAdmin)}`, 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  if (status !== 200) throw new Error(`PATCH /api/study: ${status}`);
}

const setContacts = async (site: Site, isOn: boolean): Promise<void> =>
  await setStudy(site, { contacts: isOn ? 'SMS' : 'OFF', statusPage: isOn ? 'ON' : 'OFF' });

/** Both kinds, so that an interview makes two records more: one for who was interviewed, one for the recruiter. */
async function setIncentives(site: Site, isOn: boolean): Promise<void> {
  const amounts = isOn ? { interview: '20.00', recruit: '5.00' } : { interview: null, recruit: null };
  const { db } = site;
  await setStudy(site, { incentives: { currency: 'USD', ...amounts } });
  // As if it had always been so.
  await db.collection('incentives').deleteMany({});
  await db.collection('studies').updateMany({}, { $set: { earlierIncentives: [], incentiveCurrency: null } });
}

const superAdmin = (study: Study) => [study.superAdmin];
const roundRobinOver = (texts: (study: Study) => string[], prefix: string) => (study: Study) =>
  roundRobin(texts(study).map((text) => `${prefix}${text}`));
const someSurveys = (study: Study) => study.someSurveys;
const someCodes = (study: Study) => study.someCodes;
const fromFloor =
  (path: (site: Site) => () => string): RequestMaker =>
  (site) => {
    const next = path(site);
    return { next: () => ({ path: next() }) };
  };

/** What a manager sees: the first site, today. */
const hereToday = ({ study, today }: Site) =>
  `location=${study.sites[0]}&from=${today.start.toISOString()}&to=${today.end.toISOString()}`;

/** A list of 50, light or with the answers. */
const lists = (fields: '' | 'fields=full'): Route[] => {
  const name = fields ? `GET /api/surveys?${fields}` : 'GET /api/surveys';
  const path = () => () => `/api/surveys?limit=50&${fields}`;
  return [
    {
      name: `${name}, manager`,
      expect: 200,
      load: reads(path, (study) => study.managers),
      floor: fromFloor((site) => () => `/surveys?${hereToday(site)}&${fields}`),
    },
    {
      name: `${name}, super-admin`,
      expect: 200,
      load: reads(path, superAdmin),
      floor: fromFloor(() => () => `/surveys?${fields}`),
    },
  ];
};

const ROUTES: Route[] = [
  {
    name: 'GET /api/surveys/:id',
    expect: 200,
    load: reads(roundRobinOver(someSurveys, '/api/surveys/'), superAdmin),
    floor: fromFloor(({ study }) => roundRobinOver(someSurveys, '/surveys/')(study)),
  },
  ...lists(''),
  ...lists('fields=full'),
  {
    name: 'GET /api/locations',
    expect: 200,
    load: () => ({ next: () => ({ path: '/api/locations' }) }),
    floor: fromFloor(() => () => '/locations'),
  },
  {
    name: 'GET /api/validate-referral-code/:code',
    expect: 200,
    load: reads(roundRobinOver(someCodes, '/api/validate-referral-code/'), (study) => study.volunteers),
    floor: fromFloor(({ study }) => roundRobinOver(someCodes, '/codes/')(study)),
  },
  {
    name: 'POST /api/surveys',
    expect: 201,
    load: submitsAsVolunteers,
    floor: submits('/surveys', (study) => {
      const next = roundRobin(study.volunteers.map(String));
      return () => ({ createdBy: next() });
    }),
  },
  {
    name: 'POST /api/surveys, with incentives',
    expect: 201,
    load: submitsAsVolunteers,
    floor: submitsAsVolunteers,
    turn: setIncentives,
  },
  {
    name: 'POST /api/surveys, with contact and status',
    expect: 201,
    load: submitsWithContact,
    floor: submitsAsVolunteers,
    turn: setContacts,
    isNew: true,
  },
].filter((route) => !options.only || route.name.includes(options.only));

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

function medianRun(runs: RouteMeasurement[]): RouteMeasurement {
  const of = (key: keyof RouteMeasurement) => median(runs.map((run) => run[key]));
  return {
    perSecond: of('perSecond'),
    median: of('median'),
    p99: of('p99'),
    cpu: of('cpu'),
    databaseCpu: of('databaseCpu'),
  };
}

async function runService(route: Route, site: Site, seconds: number): Promise<RouteMeasurement> {
  await route.turn?.(site, true);
  return measureOn(site, site.service, { seconds, expect: route.expect, ...route.load(site) });
}

async function runFloor(route: Route, site: Site, seconds: number): Promise<RouteMeasurement> {
  await route.turn?.(site, false);
  const on = route.turn ? site.service : site.floor;
  return measureOn(site, on, { seconds, expect: route.expect, ...route.floor(site) });
}

async function measureOn(
  { database }: Site,
  on: Running,
  load: Omit<Load, 'port' | 'connections'>,
): Promise<RouteMeasurement> {
  const [before, databaseBefore] = [on.cpu(), database.cpu()];
  const { count, ...measured } = await measure({ port: on.port, connections: CONNECTIONS, ...load });
  return {
    ...measured,
    cpu: ((on.cpu() - before) / count) * 1e6,
    databaseCpu: ((database.cpu() - databaseBefore) / count) * 1e6,
  };
}

async function compare(route: Route, sites: Site[]): Promise<Row[]> {
  for (const site of sites) {
    await runFloor(route, site, SECONDS_PER_ROUTE / 2);
    await runService(route, site, SECONDS_PER_ROUTE / 2);
    if (site.baseline && !route.isNew) await runService(route, site.baseline, SECONDS_PER_ROUTE / 2);
  }
  const runs = sites.map(() => ({
    floor: [] as RouteMeasurement[],
    service: [] as RouteMeasurement[],
    beside: [] as RouteMeasurement[],
  }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, site] of sites.entries()) {
      runs[i]?.floor.push(await runFloor(route, site, SECONDS_PER_ROUTE));
      runs[i]?.service.push(await runService(route, site, SECONDS_PER_ROUTE));
      if (site.baseline && !route.isNew)
        runs[i]?.beside.push(await runService(route, site.baseline, SECONDS_PER_ROUTE));
    }
  }
  return sites.map(({ study }, i) => ({
    route: route.name,
    surveys: study.surveys,
    service: medianRun(runs[i]?.service ?? []),
    floor: medianRun(runs[i]?.floor ?? []),
    cpuShares: (runs[i]?.service ?? []).flatMap((one, round) => {
      const floor = runs[i]?.floor[round];
      return floor ? [(floor.cpu + floor.databaseCpu) / (one.cpu + one.databaseCpu)] : [];
    }),
    ...(options.beside && !route.isNew ? { baseline: medianRun(runs[i]?.beside ?? []) } : {}),
  }));
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'field-survey-bench-'));
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one().catch((error: Error) => say(error.message));
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('SIGINT', () => void close().then(() => process.exit(130)));
  try {
    const buildFolder = buildService();
    const builtBeside = options.beside && buildService(options.beside);
    const log = { info: say, warn: say };
    const dataFolder = resolve(process.env.DATA_DIR ?? '.data');
    const binary = await findMongod({ binary: process.env.MONGOD_BINARY, dataDir: dataFolder, log });
    const mongod = await startEmbeddedDatabase({ dataDir: folder, binary, log });
    closing.push(mongod.stop);
    const client = new mongoose.mongo.MongoClient(mongod.uri);
    closing.push(() => client.close());

    const { pid } = await client.db('admin').command({ serverStatus: 1 });
    const database = processOf(Number(pid));
    const now = new Date();
    const zone = zoneAtNoon(now);
    const sites: Site[] = [];
    const openSite = async (size: number, db: string, from: string): Promise<Site> => {
      const begin = Date.now();
      const study = await writeStudy(client.db(db), size, now);
      await forgetLaterMigrations(client.db(db), from);
      say(`${size.toLocaleString('en')} surveys written in ${Math.round((Date.now() - begin) / 1000)} s`);
      const uri = mongod.uri.replace('/?', `/${db}?`);
      const service = await startService(uri, zone, folder, from);
      closing.push(service.stop);
      await untilTableIsReady(service, study);
      await readOnce(service, study);
      const floor = await startFloor(uri, folder);
      closing.push(floor.stop);
      return { study, service, floor, database, today: dayBoundsAt(now, zone), db: client.db(db) };
    };
    for (const size of SIZES) {
      const site = await openSite(size, `bench_${size}`, buildFolder);
      if (builtBeside) site.baseline = await openSite(size, `beside_${size}`, builtBeside);
      sites.push(site);
    }
    const rows: Row[] = [];
    const failures: string[] = [];
    for (const route of ROUTES) {
      say(`measuring ${route.name}`);
      // One that answers otherwise than it should must not cost the rest of half an hour.
      await compare(route, sites).then(
        (measured) => rows.push(...measured),
        (error: Error) => failures.push(`${route.name}: ${error.message}`),
      );
    }
    const { version } = await client.db('admin').command({ buildInfo: 1 });
    const memory = sites.map(({ study, service, baseline }) => ({
      surveys: study.surveys,
      megabytes: service.memory(),
      ...(baseline ? { baseline: baseline.service.memory() } : {}),
    }));
    process.stdout.write(
      report({ rows, failures, memory, mongod: version, seconds: SECONDS_PER_ROUTE, rounds: ROUNDS }),
    );
  } finally {
    await close();
  }
}

/** A version refuses a database with migrations that it doesn't have: files named by date in its build. */
async function forgetLaterMigrations(db: mongoose.mongo.Db, builtFolder: string): Promise<void> {
  const files = readdirSync(builtFolder, { recursive: true, encoding: 'utf8' });
  const known = files.map((file) => basename(file, '.js'));
  await db.collection<{ _id: string }>('migrations').deleteMany({ _id: { $nin: known } });
}

/** The first reading of an interview within an hour is recorded, which must not be a part of what is measured. */
async function readOnce({ port }: Running, { someSurveys, superAdmin }: Study): Promise<void> {
  const headers = { authorization: `Bearer ${token(superAdmin)}` };
  for (let from = 0; from < someSurveys.length; from += CONNECTIONS)
    await Promise.all(
      someSurveys
        .slice(from, from + CONNECTIONS)
        .map(async (id) =>
          (await fetch(`http://127.0.0.1:${port}/api/surveys/${id}`, { headers })).arrayBuffer(),
        ),
    );
}

/** Reading a million interviews into the study's table takes a processor for a minute or more. */
async function untilTableIsReady({ port }: Running, { superAdmin }: Study): Promise<void> {
  const headers = { authorization: `Bearer ${token(superAdmin)}` };
  for (;;) {
    const { status } = await fetch(`http://127.0.0.1:${port}/api/recruitment/summary`, { headers });
    if (status === 200) return;
    if (status !== 503) throw new Error(`GET /api/recruitment/summary: ${status}`);
    await sleep(1_000);
  }
}

await main();
