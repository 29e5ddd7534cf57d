/**
 * What each route that is called most may cost, in counted work: commands to the database, documents that it examines,
 * bytes that it sends, events in the audit trail, and bytes of the reply. A failure prints what was counted. A
 * budget that must grow is a decision to be told in docs/performance.md.
 */
import { randomUUID } from 'node:crypto';
import { ANSWERS, insertSurvey, makeSeed, smallQuestionnaire } from '../make.ts';
import { type Person, startWorld, type Test, type World } from '../people.ts';
import { type Profiled, prepareProfiler, profiled, stopProfiler } from '../profiled.ts';

interface Cost {
  commands: number;
  documents: number;
  databaseBytes: number;
  events: number;
  replyBytes: number;
}

let world: World;
let root: Person;
let volunteer: Person;
let site: string;
let survey: string;
let code: string;

beforeAll(async () => {
  world = await startWorld({ fresh: true });
  site = await world.place();
  root = await world.person({ role: 'SUPER_ADMIN' });
  volunteer = await world.person({ role: 'VOLUNTEER', location: site });
  await smallQuestionnaire(world);
  for (let i = 0; i < 60; i++)
    survey = await insertSurvey(world, { location: site, createdBy: volunteer.id });
  code = (await makeSeed(world, root, { location: site })).referralCode;
  await prepareProfiler(8);
}, 60_000);

afterAll(async () => {
  await stopProfiler();
  await world.stop();
});

const TRIES = 3;

/** The least of some calls: the first reads what a process reads once, and another may meet what is read each second. */
async function costOf(call: () => Test): Promise<Cost> {
  await call();
  const costs: Cost[] = [];
  for (let i = 0; i < TRIES; i++) costs.push(await costOnce(call));
  const names = Object.keys(costs[0] as Cost) as (keyof Cost)[];
  return Object.fromEntries(
    names.map((name) => [name, Math.min(...costs.map((cost) => cost[name]))]),
  ) as never;
}

async function costOnce(call: () => Test): Promise<Cost> {
  let text = '';
  const operations = await profiled(async () => {
    ({ text } = await call());
  });
  const total = (of: (one: Profiled) => number | undefined) =>
    operations.reduce((sum, one) => sum + (of(one) ?? 0), 0);
  return {
    commands: operations.length,
    documents: total((one) => one.docsExamined),
    databaseBytes: total((one) => one.responseLength),
    events: operations.filter(({ ns, op }) => ns.endsWith('.auditevents') && op === 'insert').length,
    replyBytes: Buffer.byteLength(text),
  };
}

const submission = () => ({ clientId: randomUUID(), location: site, referralCode: null, responses: ANSWERS });

const ROUTES: [name: string, call: () => Test, most: Cost][] = [
  [
    'GET /api/surveys/:id',
    () => root.get(`/api/surveys/${survey}`),
    { commands: 1, documents: 3, databaseBytes: 2600, events: 0, replyBytes: 800 },
  ],
  [
    'GET /api/surveys',
    () => volunteer.get('/api/surveys?limit=50'),
    { commands: 2, documents: 55, databaseBytes: 22000, events: 0, replyBytes: 31500 },
  ],
  [
    'GET /api/surveys?fields=full',
    () => root.get('/api/surveys?limit=50&fields=full'),
    { commands: 2, documents: 53, databaseBytes: 28000, events: 0, replyBytes: 36000 },
  ],
  [
    'GET /api/locations',
    () => world.anonymous.get('/api/locations'),
    { commands: 1, documents: 1, databaseBytes: 450, events: 0, replyBytes: 250 },
  ],
  [
    'GET /api/validate-referral-code/:code',
    () => volunteer.get(`/api/validate-referral-code/${code}`),
    { commands: 1, documents: 4, databaseBytes: 2400, events: 0, replyBytes: 100 },
  ],
  [
    'POST /api/surveys',
    () => volunteer.post('/api/surveys', submission()),
    { commands: 6, documents: 7, databaseBytes: 7900, events: 1, replyBytes: 800 },
  ],
];

test.each(ROUTES)('%s stays within its budget', async (_name, call, max) => {
  const cost = await costOf(call);
  const over = Object.entries(cost).filter(([what, count]) => count > max[what as keyof Cost]);
  expect({ over, cost }).toEqual({ over: [], cost });
});
