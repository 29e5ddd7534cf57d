/**
 * The database killed again and again (kill -9) while hundreds of writes are under way. Prints how long the slowest
 * request took to be answered, and how many writes that were acknowledged are missing at the end.
 *
 *   npx tsx bench/kills.ts [--kills 20] [--writers 300]
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  administrator,
  ask,
  endProcess,
  type ServiceProcess,
  startProcess,
  withItsDatabase,
} from '../test/attack/service-process.ts';
import { ANSWERS, SMALL_QUESTIONNAIRE } from '../test/make.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, writers: { type: 'string', default: '300' } },
});
const [KILLS, WRITERS] = [Number(values.kills), Number(values.writers)];

interface Under {
  what: string;
  since: number;
}

async function drill({ url, dataDir, until, mongodPid }: ServiceProcess): Promise<void> {
  await until('The service is up');
  const { token, site } = await administrator(dataDir, '+12065550101');
  const questionnaire = await ask({ url }, 'POST', '/api/questionnaires', {
    token,
    body: SMALL_QUESTIONNAIRE,
  });
  await ask({ url }, 'PATCH', `/api/questionnaires/${questionnaire.body.id}`, {
    token,
    body: { active: true, confirm: true },
  });
  const under = new Set<Under>();
  const statuses: Record<string, number> = {};
  const stored = { surveys: [] as string[], seeds: [] as string[], batches: [] as string[] };
  let worst = 0;
  let isOver = false;

  const send = async (kind: keyof typeof stored, path: string, body: object, id: string | null) => {
    const one = { what: path, since: performance.now() };
    under.add(one);
    const { status, body: answer } = await ask({ url }, 'POST', path, { token, body });
    under.delete(one);
    worst = Math.max(worst, performance.now() - one.since);
    statuses[`${path} ${status}`] = (statuses[`${path} ${status}`] ?? 0) + 1;
    if (status === 201 || status === 200) stored[kind].push(id ?? String(answer.id));
    else await sleep(200);
  };
  const write = async (at: number) => {
    while (!isOver) {
      const clientId = randomUUID();
      const status = at % 4 === 3 ? { status: 'IN_PROGRESS', responses: {} } : { responses: ANSWERS };
      const survey = { clientId, location: site, ...status };
      if (at % 4 === 1) await send('seeds', '/api/seeds', { location: site }, null);
      else if (at % 4 === 2)
        await send('batches', '/api/referral-codes/batches', { count: 20, location: site }, null);
      else await send('surveys', '/api/surveys', survey, clientId);
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, at) => write(at));
  for (let kill = 1; kill <= KILLS; kill++) {
    await sleep(1_000 + 300 * (kill % 8));
    const begin = performance.now();
    try {
      process.kill(mongodPid(), 'SIGKILL');
    } catch {
      // It is not up again yet.
    }
    await sleep(6_000 + 700 * (kill % 5));
    const oldest = Math.max(0, ...[...under].map(({ since }) => performance.now() - since));
    const count = Object.values(stored).flat().length;
    console.log(
      `kill ${kill}: oldest pending request ${(oldest / 1000).toFixed(1)} s after ${((performance.now() - begin) / 1000).toFixed(0)} s; slowest so far ${(worst / 1000).toFixed(1)} s; acknowledged ${count}`,
    );
  }
  isOver = true;
  const begin = performance.now();
  await Promise.race([Promise.all(writers), sleep(200_000)]);
  if (under.size > 0) console.log(`${under.size} never answered`);
  console.log(`the last ones took ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  console.log(statuses);
  const lost = await withItsDatabase(dataDir, async (db) => {
    const missing = async (collection: string, key: string, ids: unknown[]) => {
      const storedIds = await db.collection(collection).distinct(key, { [key]: { $exists: true } });
      const storedKeys = new Set(storedIds.map(String));
      return ids.filter((id) => !storedKeys.has(String(id))).length;
    };
    return {
      surveys: await missing('surveys', 'clientId', stored.surveys),
      seeds: await missing('seeds', '_id', stored.seeds),
      batches: await missing('referralcodes', 'batch', stored.batches),
    };
  });
  console.log(`slowest reply ${(worst / 1000).toFixed(1)} s; acknowledged and lost: ${JSON.stringify(lost)}`);
}

const service = await startProcess({ command: [process.execPath, 'dist/src/main.js'] });
try {
  await drill(service);
} finally {
  endProcess(service);
}
