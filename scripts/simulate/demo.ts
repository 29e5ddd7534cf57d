/**
 * The demo: a service with a running study in its own database, recreated at each start: three weeks of fieldwork that goes on, and
 * sign-ins that everyone knows. Only this machine can reach it.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { OtpProvider } from '../../src/access/auth/otp/otp.ts';
import { createApp } from '../../src/app.ts';
import { importCards } from '../../src/interviews/cards/import.ts';
import { consoleMessageProvider } from '../../src/interviews/texting/console.ts';
import { startTexting } from '../../src/interviews/texting/job.ts';
import type { Config } from '../../src/platform/config.ts';
import { withFileLock } from '../../src/platform/db/embedded/file-lock.ts';
import { isoDateAt } from '../../src/platform/lib/day.ts';
import type { Log } from '../../src/platform/log.ts';
import { prepareDatabase } from '../../src/resources.ts';
import { ignoreClosedMongoClient, startJobs, wakeRunJobs } from '../../src/statistics/runs/jobs.ts';
import { AnalysisRunModel } from '../../src/statistics/runs/model.ts';
import { createNightlyRuns } from '../../src/statistics/runs/nightly-run.ts';
import { withDatabase } from '../database.ts';
import { closeLastDay } from './closed-day.ts';
import { type FinishedSimulation, simulateInOwnService } from './simulate-here.ts';
import { type SimulationResult, type StudyPlan, startOf } from './study.ts';
import type { Team, Worker } from './team.ts';

export const DEMO_CODE = '123456';

export interface DemoOptions {
  respondents: number;
  days: number;
  port: number;
}

export interface Demo {
  url: string;
  signIns: Pick<Worker, 'name' | 'role' | 'phone'>[];
  simulation: SimulationResult;
}

const everybodyKnows: OtpProvider = {
  name: 'console',
  send: async () => DEMO_CODE,
  check: async () => false,
  checkHealth: async () => {},
};

/** Runs until `signal`; `onReady` is told when the service answers. */
export async function runDemo(
  base: Config,
  request: DemoOptions,
  context: {
    log: Logger;
    notices: Log;
    signal: AbortSignal;
    onStep(count: number): void;
    onReady(demo: Demo): void;
  },
): Promise<void> {
  if (base.production)
    throw new Error(
      "The demo uses sign-in codes that everyone knows, so it can't run with NODE_ENV=production.",
    );
  const folder = join(base.dataDir, 'demo');
  const url = `http://localhost:${request.port}`;
  const config = {
    ...base,
    mongoUri: undefined,
    dataDir: join(folder, 'data'),
    publicUrl: url,
    port: request.port,
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const busy = () => {
    throw new Error(`Another demo is running in ${folder}. Stop it first.`);
  };
  await withFileLock(join(folder, 'lock'), busy, async () => {
    // Before the work, because it may be taken.
    const server = await listen(request.port);
    try {
      await rm(config.dataDir, { recursive: true, force: true });
      await withDatabase(config, context.notices, async () => {
        const plan = planOf(config, request);
        await prepareDatabase(startOf(plan.earlier ?? plan), undefined, config.timeZone);
        const { team, ...simulation } = await simulateInOwnService(
          config,
          plan,
          context.onStep,
          async (service) => {
            await withResults(plan)(service);
            await closeLastDay(plan, service);
            await withTextsAndCards(plan, config, service);
          },
        );
        const jobs = startJobs({ timeZone: plan.zone, secret: config.jwtSecret, log: context.log });
        const print = (line: string) => context.notices.info(line);
        const provider = consoleMessageProvider(print);
        const texting = startTexting({ config, provider, log: context.log });
        try {
          await intervals(plan, config.jwtSecret, context.signal);
          const deps = { config, log: context.log, otp: everybodyKnows, now: () => new Date() };
          server.removeAllListeners('request');
          server.on('request', createApp(deps));
          context.onReady({ url, signIns: signInsOf(team), simulation });
          if (!context.signal.aborted) await once(context.signal, 'abort');
        } finally {
          await texting.stop();
          await jobs.stop();
          process.on('unhandledRejection', ignoreClosedMongoClient);
          await close(server);
        }
      });
    } finally {
      await close(server);
    }
  });
}

/** How many there are is never known for sure: the study says about how many, and a count stands on what another list says. */
const withResults =
  ({ size, end, zone }: StudyPlan) =>
  async ({ client, team, truth }: FinishedSimulation): Promise<void> => {
    const { token } = team.root;
    const sizes = {
      populationSize: size,
      populationSizeLow: Math.round(0.8 * size),
      populationSizeHigh: Math.round(1.4 * size),
    };
    const byWhom = { organization: 'Simulated county', publicationContact: 'count@example.org' };
    await client.must('PATCH', '/api/study', token, { ...sizes, ...byWhom });
    const sheltered = truth.traits.find(({ question }) => question === 'countServiceUsed');
    if (!sheltered) return;
    const reportedPeople = Math.max(1, Math.round(sheltered.share * truth.people));
    const count = {
      ...{ name: 'People without a home', outcome: 'countServiceUsed', value: sheltered.answer },
      ...{ known: reportedPeople, knownLow: reportedPeople, knownHigh: Math.round(1.05 * reportedPeople) },
      source: 'List of all shelters in the county, each person once',
      asOf: isoDateAt(end, zone),
      definition: 'Adults who slept outside, in a tent, a vehicle or a shelter in the county that night',
    };
    const { data: rounds } = await client.must<{ data: { id: string; endsOn: string | null }[] }>(
      'GET',
      '/api/rounds',
      token,
    );
    // A demo of few may have nobody who gave that answer.
    for (const { id, endsOn } of rounds.toReversed())
      await client.send('POST', '/api/analysis/counts', token, {
        ...count,
        round: id,
        asOf: rounds[0]?.id === id ? count.asOf : (endsOn ?? count.asOf),
      });
  };

const CARDS = 30;
const TEXTABLE = 12;

/** People who agreed to texts, and gift cards, of which few are left. */
async function withTextsAndCards(
  { zone }: StudyPlan,
  { contactKey }: Config,
  { client, team }: FinishedSimulation,
): Promise<void> {
  const { token } = team.root;
  const on = { on: true };
  const messages = { moneyDue: on, card: on, couponsExpire: on };
  await client.must('PATCH', '/api/study', token, { contacts: 'SMS', statusPage: 'ON', messages });
  const lines = Array.from(
    { length: CARDS },
    (_, at) => `60390000${10_000_000 + at},${1_000 + at},${at < 20 ? '10.00' : '20.00'},USD`,
  );
  const file = Buffer.from(['number,pin,amount,currency', ...lines].join('\n'));
  await importCards(file, { by: null, now: new Date(), contactKey, zone });
  const listed = (path: string) =>
    client.must<{ data: { id: string; survey: string }[] }>('GET', path, token);
  const { data: due } = await listed('/api/incentives?state=DUE&limit=200');
  const surveys = [...new Set(due.map(({ survey }) => survey))].slice(0, TEXTABLE);
  for (const [at, survey] of surveys.entries()) {
    // Numbers that belong to nobody.
    const contact = { phone: `+1206555${String(100 + at).padStart(4, '0')}`, language: 'en', consent: true };
    await client.must('PATCH', `/api/surveys/${survey}`, token, { contact });
  }
  const payments = due
    .filter(({ survey }) => surveys.slice(0, 4).includes(survey))
    .map(({ id }) => ({ id, method: 'GIFT_CARD', card: true, deliver: 'SMS', clientId: randomUUID() }));
  if (payments.length > 0) {
    // The super-admin has no current site.
    const { data: sites } = await client.must<{ data: { id: string }[] }>('GET', '/api/locations', null);
    const paid = await client.must<{ refused: unknown[] }>('POST', '/api/incentives/pay', token, {
      payments,
      location: sites[0]?.id,
    });
    if (paid.refused.length > 0) throw new Error(`Cards of the demo: ${JSON.stringify(paid.refused)}`);
  }
}

/** Of all outcomes, as each night makes them, so that the first look at the results finds them. */
async function intervals({ zone }: StudyPlan, secret: string, signal: AbortSignal): Promise<void> {
  await createNightlyRuns(zone, secret, new Date());
  wakeRunJobs();
  const underWay = { state: { $in: ['WAITING', 'RUNNING'] as const } };
  while (!signal.aborted && (await AnalysisRunModel.exists(underWay))) await sleep(50);
}

function planOf({ timeZone: zone }: Config, { respondents, days }: DemoOptions): StudyPlan {
  const shape = { size: 10 * respondents, degree: 10, prevalence: 0.3, homophily: 0.4 };
  const field = { seeds: 10, respondents, days, offline: 0.2, fabricators: 1 };
  const incentives = { currency: 'USD', interview: '20.00', recruit: '10.00', recruitLimit: 3 };
  // Fieldwork goes on: at the pace of these days, the target is reached in time.
  const ahead = { interviews: Math.round(0.4 * respondents), days: Math.max(1, Math.round(days / 2)) };
  const common = { incentives, lifelike: true, zone };
  const end = new Date();
  const yearBefore = new Date(end);
  yearBefore.setFullYear(end.getFullYear() - 1);
  const earlier: StudyPlan = {
    ...{ ...shape, prevalence: 0.15, ...field, ...common, randomSeed: 'a year before the demo' },
    ...{ end: yearBefore, round: `Count of ${yearBefore.getFullYear()}`, offline: 0, fabricators: 0 },
    // Enough for results, and few, so that the demo starts soon.
    ...{ respondents: Math.ceil(respondents / 4), days: Math.ceil(days / 2) },
  };
  const round = `Count of ${end.getFullYear()}`;
  return { ...shape, ...field, ...common, ahead, end, round, earlier, randomSeed: 'demo' };
}

async function listen(port: number): Promise<Server> {
  const server = createServer((_req, res) => {
    res.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '10' });
    res.end('The demo is being prepared. Try again in a few seconds.\n');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** One of each role, at the same site. */
function signInsOf({ root, admin, managers, volunteers }: Team): Demo['signIns'] {
  return [root, admin, managers[0], volunteers[0]].flatMap((one) =>
    one ? [{ name: one.name, role: one.role, phone: one.phone }] : [],
  );
}
