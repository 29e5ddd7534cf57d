/**
 * What do sealed interviews cost the service? The same interview is sent as plaintext and sealed, alternating, to one process.
 *
 *   npx tsx bench/sealed.ts [--rounds 20] [--posts 50]
 *
 * Prints requests a second and the processor time of the service's process for each; on a busy machine the latter counts.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import jwt from 'jsonwebtoken';
import {
  administrator,
  ask,
  endProcess,
  type ServiceProcess,
  startProcess,
} from '../test/attack/service-process.ts';
import { EXAMPLE_RESPONSES } from '../test/example-responses.ts';
import { sealBody } from '../test/seal.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, posts: { type: 'string', default: '50' } },
});
const [ROUNDS, POSTS] = [values.rounds, values.posts].map(Number) as [number, number];
const CONCURRENT_REQUESTS = 8;
const TICK_MS = 10;

function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

interface Round {
  perSecond: number;
  processorMs: number;
}

async function run(service: ServiceProcess): Promise<void> {
  await service.until('The service is up');
  const { token, site } = await administrator(service.dataDir, '+12065550101');
  const owner = String(jwt.decode(token)?.sub);
  const { body: study } = await ask(service, 'GET', '/api/study', { token });
  const { recipient } = study.fieldKey as { recipient: string };
  const plain = () => ({
    ...{ clientId: randomUUID(), location: site, responses: EXAMPLE_RESPONSES, note: 'Interrupted twice.' },
    coordinates: { latitude: 47.6, longitude: -122.3, accuracy: 20 },
  });
  const send = async (bodies: object[]): Promise<Round> => {
    const pid = Number(service.child.pid);
    const [begin, before] = [performance.now(), processorMs(pid)];
    for (let at = 0; at < bodies.length; at += CONCURRENT_REQUESTS)
      await Promise.all(
        bodies.slice(at, at + CONCURRENT_REQUESTS).map(async (body) => {
          const { status, body: reply } = await ask(service, 'POST', '/api/surveys', { token, body });
          if (status !== 201) throw new Error(JSON.stringify(reply));
        }),
      );
    const seconds = (performance.now() - begin) / 1000;
    return { perSecond: bodies.length / seconds, processorMs: (processorMs(pid) - before) / bodies.length };
  };
  const plaintextBodies = () => Array.from({ length: POSTS }, plain);
  const sealAll = () => Promise.all(plaintextBodies().map((body) => sealBody(body, owner, recipient)));
  const [first] = await sealAll();
  console.log(
    `an interview of ${JSON.stringify(plain()).length} bytes, sealed ${JSON.stringify(first).length}; ${ROUNDS} rounds of ${POSTS} each, ${CONCURRENT_REQUESTS} at once`,
  );
  const rounds = { clear: [] as Round[], sealed: [] as Round[] };
  for (let round = -3; round < ROUNDS; round += 1) {
    const bodies = await sealAll();
    const turns = [
      async () => rounds.clear.push(await send(plaintextBodies())),
      async () => rounds.sealed.push(await send(bodies)),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    // To warm up.
    if (round < 0) for (const some of Object.values(rounds)) some.length = 0;
  }
  const median = (some: Round[], key: keyof Round) =>
    some.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0;
  for (const key of ['perSecond', 'processorMs'] as const) {
    const [plaintext, hidden] = [median(rounds.clear, key), median(rounds.sealed, key)];
    const ratio = key === 'perSecond' ? hidden / plaintext : plaintext / hidden;
    const unit = key === 'perSecond' ? 'requests a second' : 'ms of processor time each';
    console.log(
      `${unit}: plaintext ${plaintext.toFixed(2)}, sealed ${hidden.toFixed(2)}: ${ratio.toFixed(2)}`,
    );
  }
}

const service = await startProcess({
  command: [process.execPath, '--import', 'tsx', 'src/main.ts'],
  env: { LOG_LEVEL: 'warn' },
});
try {
  await run(service);
} finally {
  endProcess(service);
}
