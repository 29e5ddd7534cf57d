/**
 * How much memory the service takes whatever callers do: hundreds of full lists, imports, files and comparisons at once,
 * and clients that read slowly. Prints the peak of the process (VmHWM) for each; Linux only.
 *
 *   npx tsx bench/memory.ts [--only lists]
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { FIRST_ROUND_ID } from '../src/study/rounds/model.ts';
import {
  administrator,
  ask,
  endProcess,
  type ServiceProcess,
  startProcess,
  withItsDatabase,
} from '../test/attack/service-process.ts';
import { makeDraft } from '../test/make.ts';
import { QUESTIONNAIRE } from '../test/sample/simulated.ts';
import { type Caller, insertPerson } from './people.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const MAX_MB = 400;
const PEOPLE = 20_000;
const { ObjectId } = mongoose.Types;
const many = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));

async function drill({ url, dataDir, until, child }: ServiceProcess): Promise<void> {
  await until('The service is up');
  const root = await administrator(dataDir, '+12065550101');
  const { body } = await ask({ url }, 'POST', '/api/questionnaires', {
    token: root.token,
    body: QUESTIONNAIRE,
  });
  const questionnaire = String(body.id);
  await ask({ url }, 'PATCH', `/api/questionnaires/${questionnaire}`, {
    token: root.token,
    body: { active: true, confirm: true },
  });
  const volunteers: Caller[] = [];
  for (let at = 0; at < 3; at++) {
    const location = new ObjectId(root.site);
    volunteers.push(await insertPerson(dataDir, { role: 'VOLUNTEER', phone: `+1206555011${at}`, location }));
  }
  for (const { id } of volunteers)
    await insertInterviews(dataDir, { site: root.site, questionnaire, by: id });
  await insertPeople(dataDir, { site: root.site, questionnaire, by: volunteers[0]?.id ?? '' });

  const status = () => readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const megabytes = (field: string, text = status()) =>
    Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]) / 1024);
  /** The most that the process of the study's table has had. */
  const tablePeak = () =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('table-worker'))
      .map((pid) => megabytes('VmHWM', readFileSync(`/proc/${pid}/status`, 'utf8')));
  let isOver = false;
  const measure = async (name: string, work: () => Promise<unknown>) => {
    if (values.only && !name.includes(values.only)) return;
    writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
    const [before, begin] = [megabytes('VmRSS'), performance.now()];
    const outcome = await work();
    const peak = megabytes('VmHWM');
    isOver ||= peak >= MAX_MB;
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(`${name}: ${before} MB before, peak ${peak} MB, ${seconds} s; ${JSON.stringify(outcome)}`);
    await sleep(2_000);
  };
  const send = async (path: string, token: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity', ...init.headers };
    try {
      const answer = await fetch(url + path, { ...init, headers });
      for await (const _ of answer.body ?? []);
      return answer.status;
    } catch {
      // Refused before all of the body was sent.
      return 'cut off';
    }
  };
  const sendJson = (path: string, body: string) =>
    send(path, root.token, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const together = async (count: number, one: (at: number) => Promise<number | string>) => {
    const statuses: Record<number | string, number> = {};
    for (const code of await Promise.all(many(count, (at) => one(at))))
      statuses[code] = (statuses[code] ?? 0) + 1;
    return statuses;
  };

  const FULL = '/api/surveys?fields=full&limit=200';
  const [vera, vito, other] = volunteers as [Caller, Caller, Caller];
  await send(FULL, vera.token);
  for (const count of [20, 100, 200])
    await measure(`${count} full lists`, () => together(count, () => send(FULL, vera.token)));
  await measure('200 full lists, packed', () =>
    together(200, () => send(FULL, vera.token, { headers: { 'accept-encoding': 'br, gzip' } })),
  );
  await measure('500 light lists, packed', () =>
    together(500, () =>
      send('/api/surveys?limit=200', root.token, { headers: { 'accept-encoding': 'br, gzip' } }),
    ),
  );
  const largest = await insertLargest(dataDir, { site: root.site, questionnaire, by: vera.id });
  await measure('200 readings of the largest interviews', () =>
    together(200, (at) => send(`/api/surveys/${largest[at % largest.length]}`, (at % 2 ? vera : root).token)),
  );
  await withItsDatabase(dataDir, (db) =>
    db.collection('surveys').deleteMany({ _id: { $in: largest.map((id) => new ObjectId(id)) } }),
  );
  const imported = JSON.stringify({
    owner: vera.id,
    surveys: many(20, () => interview(root.site, questionnaire)),
  });
  for (const count of [20, 100, 200])
    await measure(`${count} imports of ${(imported.length / 1e6).toFixed(1)} MB`, () =>
      together(count, () => sendJson('/api/surveys/import', imported)),
    );
  const draft = JSON.stringify({ ...makeDraft(), text: 'x'.repeat(1024 * 1024) });
  await measure('200 new drafts of 1 MB', () =>
    together(200, () => sendJson('/api/questionnaire-drafts', draft)),
  );
  const drafts = await ask({ url }, 'GET', '/api/questionnaire-drafts?limit=50', { token: root.token });
  const draftIds = (drafts.body.data as { id: string }[]).map(({ id }) => id);
  await measure(`200 readings of ${draftIds.length} drafts`, () =>
    together(200, (at) => send(`/api/questionnaire-drafts/${draftIds[at % draftIds.length]}`, root.token)),
  );
  await measure('200 lists of drafts', () =>
    together(200, () => send('/api/questionnaire-drafts?limit=200&total=true', root.token)),
  );
  await insertCashDays(dataDir, { site: root.site, by: vera.id });
  await measure('200 lists of cash days', () =>
    together(200, () => send('/api/cash-days?limit=200&total=true', root.token)),
  );
  for (const name of ['interviews.csv', 'interviews.json', 'rds.csv', 'bundle.zip'])
    await measure(`50 files ${name}`, () => together(50, () => send(`/api/exports/${name}`, root.token)));
  await withItsDatabase(dataDir, (db) =>
    db
      .collection('studies')
      .updateOne({}, { $set: { outcomes: [computed('one', 1), computed('two', 2)] } }, { upsert: true }),
  );
  await measure('1 comparison of outcomes with a level for each person', () =>
    together(1, () => send('/api/analysis/compare?outcome=one&by=two', root.token)),
  );
  await measure('200 comparisons', () =>
    together(200, (at) =>
      send(
        `/api/analysis/compare?outcome=region&by=status&from=2026-01-${10 + (at % 20)}&to=2028-01-${10 + (at % 19)}`,
        root.token,
      ),
    ),
  );
  const versions = [questionnaire];
  for (let at = 1; at < 5; at++) {
    const body = { ...QUESTIONNAIRE, name: `Version ${at}` };
    versions.push(
      String((await ask({ url }, 'POST', '/api/questionnaires', { token: root.token, body })).body.id),
    );
  }
  await spreadOverVersions(dataDir, versions);
  await measure('200 impacts of an activation', () =>
    together(200, (at) => send(`/api/questionnaires/${versions[1 + (at % 4)]}/activation`, root.token)),
  );
  const days = (at: number) => `from=2026-01-${10 + (at % 20)}&to=2028-02-${10 + (at % 19)}`;
  await measure('200 estimates of five versions', () =>
    together(200, (at) => send(`/api/analysis/estimates?outcome=region&${days(at)}`, root.token)),
  );
  await measure('200 answers of five versions', () =>
    together(200, (at) =>
      send(`/api/analysis/answers?question=region&question=status&${days(at)}`, root.token),
    ),
  );
  await measure('200 slow readers of full lists, and another caller', async () => {
    const slow = many(200, (at) => readSlowly(`${url}${FULL}`, (at % 2 ? vera : vito).token));
    await sleep(1_000);
    let longest = 0;
    for (let tries = 0; tries < 30; tries++) {
      const begin = performance.now();
      await send(FULL, other.token);
      longest = Math.max(longest, performance.now() - begin);
      await sleep(500);
    }
    for (const one of slow) one.destroy();
    return { otherCallerMs: Math.round(longest) };
  });
  console.log(`the process of the study's table: peak ${tablePeak()} MB`);
  console.log(isOver ? `MISSED: more than ${MAX_MB} MB` : `met: under ${MAX_MB} MB`);
}

function readSlowly(url: string, token: string) {
  return get(url, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
    answer.pause();
    const timer = setInterval(() => answer.read(1_000), 1_000);
    answer.on('close', () => clearInterval(timer)).on('error', () => {});
  }).on('error', () => {});
}

const computed = (name: string, more: number) => ({
  ...{ name, title: { en: name }, kind: 'CATEGORY', expression: `{score} + ${more}` },
});

const interview = (site: string, questionnaire: string) => ({
  ...{ clientId: randomUUID(), location: site, questionnaire },
  responses: { networkSize: 3, status: 'yes', words: 'x'.repeat(98_000) },
});

interface Where {
  site: string;
  questionnaire: string;
  by: string;
}

const recordOf = ({ site, questionnaire, by }: Where, at: Date, responses: object) => ({
  ...{
    _id: new ObjectId(),
    clientId: randomUUID(),
    requestHash: randomUUID(),
    referralCode: null,
    seed: null,
  },
  ...{ recruiter: null, wave: null, issuedCodes: [], questionnaire: new ObjectId(questionnaire), responses },
  ...{ networkSize: 3, status: 'COMPLETED', flags: [], coordinates: null, location: new ObjectId(site) },
  round: FIRST_ROUND_ID,
  ...{
    createdBy: new ObjectId(by),
    startedAt: at,
    completedAt: at,
    heldAt: at,
    createdAt: at,
    updatedAt: at,
  },
  ...{ version: 1, deletedAt: null },
});

/** Today's, 100 of 150 kB each: more than the database sends at once. */
async function insertInterviews(dataDir: string, where: Where): Promise<void> {
  const responses = { networkSize: 3, status: 'yes', words: 'x'.repeat(150_000) };
  await withItsDatabase(dataDir, (db) =>
    db.collection('surveys').insertMany(many(100, () => recordOf(where, new Date(), responses))),
  );
}

/** With as many values as a body may have, and so the largest in memory. */
async function insertLargest(dataDir: string, where: Where): Promise<string[]> {
  const responses = Object.fromEntries(many(49_900, (at) => [`question${at}`, 0]));
  const records = many(40, () => recordOf(where, new Date(), responses));
  await withItsDatabase(dataDir, async (db) => {
    for (const one of records) await db.collection('surveys').insertOne(one);
  });
  return records.map(({ _id }) => String(_id));
}

async function insertPeople(dataDir: string, where: Where): Promise<void> {
  const longAgo = Date.now() - 30 * 86_400_000;
  const people = many(PEOPLE, (at) =>
    recordOf(where, new Date(longAgo + at), { networkSize: 3, status: 'yes', region: 'north', score: at }),
  );
  await withItsDatabase(dataDir, (db) => db.collection('surveys').insertMany(people));
}

/** The small interviews, in turn. */
async function spreadOverVersions(dataDir: string, versions: readonly string[]): Promise<void> {
  await withItsDatabase(dataDir, async (db) => {
    for (const [at, id] of versions.entries())
      await db
        .collection('surveys')
        .updateMany(
          { 'responses.score': { $mod: [versions.length, at] } },
          { $set: { questionnaire: new ObjectId(id) } },
        );
  });
}

async function insertCashDays(dataDir: string, { site, by }: { site: string; by: string }): Promise<void> {
  const days = many(200, (at) => ({
    ...{ location: new ObjectId(site), day: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10) },
    ...{ currency: 'USD', state: 'REOPENED', opening: '100.00', counted: '60.00', paid: '40.00' },
    ...{ difference: '0.00', byMethod: [{ method: 'CASH', count: 2, total: '40.00' }] },
    ...{ closedBy: new ObjectId(by), createdAt: new Date(), reopenedBy: new ObjectId(by) },
    ...{ reopenedAt: new Date(), reason: 'x'.repeat(500) },
  }));
  await withItsDatabase(dataDir, (db) => db.collection('cashdays').insertMany(days));
}

// As `npm start` sets it.
const env = { MALLOC_ARENA_MAX: '2' };
const service = await startProcess({ command: [process.execPath, 'dist/src/main.js'], env });
try {
  await drill(service);
} finally {
  endProcess(service);
}
