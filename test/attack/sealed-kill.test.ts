/** The service is killed while sealed interviews arrive, and phones send everything again, twice at once. */
import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { MINIMAL_RESPONSES } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { sealBody } from '../seal.ts';
import {
  administrator,
  ask,
  endProcess,
  newFolder,
  type ServiceProcess,
  startProcess,
  withItsDatabase,
} from './service-process.ts';

const INTERVIEWS = 40;
const running: ServiceProcess[] = [];
afterAll(() => running.forEach(endProcess));

async function start(dataDir: string): Promise<ServiceProcess> {
  const service = await startProcess({ dataDir });
  running.push(service);
  await service.until('The service is up', 120_000);
  return service;
}

test('nothing sealed is lost or stored twice', async () => {
  const dataDir = newFolder();
  const service = await start(dataDir);
  const { token, site } = await administrator(dataDir, '+12065550101');
  const owner = String(jwt.decode(token)?.sub);
  const { recipient } = (await ask(service, 'GET', '/api/study', { token })).body.fieldKey as {
    recipient: string;
  };
  const bodies = await Promise.all(
    Array.from({ length: INTERVIEWS }, () => {
      const responses = { ...MINIMAL_RESPONSES };
      return sealBody({ clientId: randomUUID(), location: site, responses }, owner, recipient);
    }),
  );
  const send = async (to: ServiceProcess, body: object): Promise<number> => {
    try {
      return (await ask(to, 'POST', '/api/surveys', { token, body })).status;
    } catch {
      return 0;
    }
  };
  /** As a phone does: what the service could not store yet is sent again. */
  const sendUntilStored = async (to: ServiceProcess, body: object): Promise<number> => {
    const status = await send(to, body);
    return status === 503 ? sendUntilStored(to, body) : status;
  };
  const first = bodies.map((body) => send(service, body));
  await Promise.race(first);
  process.kill(-(service.child.pid ?? 0), 'SIGKILL');
  await Promise.all(first);
  // The key is the same after a restart: it is in the folder.
  const again = await start(dataDir);
  const statuses: number[] = [];
  for (const body of bodies) {
    const both = await Promise.all([sendUntilStored(again, body), sendUntilStored(again, body)]);
    statuses.push(...both);
  }
  expect(statuses.every((status) => status === 200 || status === 201)).toBe(true);
  const stored = await withItsDatabase(dataDir, (db) =>
    db
      .collection('surveys')
      .find({}, { projection: { clientId: 1 } })
      .toArray(),
  );
  expect(stored.map(({ clientId }) => clientId).toSorted()).toEqual(
    bodies.map(({ clientId }) => String(clientId)).toSorted(),
  );
  // A transaction of the killed process may hold an interview until the database ends it.
}, 240_000);
