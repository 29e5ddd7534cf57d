/**
 * A really full data disk: a small file system for the service's own mongod. docs/operate.md promises that no
 * acknowledged write is lost and that the service recovers by itself.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  administrator,
  ask,
  endProcess,
  type ServiceProcess,
  startProcess,
  withItsDatabase,
} from './service-process.ts';

const MB = 2 ** 20;
/** Room for two journals of mongod, the oplog and some data. */
const DISK_MB = 420;
const disk = mkdtempSync(join(tmpdir(), 'full-disk-'));
const filler = join(disk, 'filler');
const refusal = mount();
if (refusal) console.warn(`A full disk is not tried, because no file system may be mounted here: ${refusal}`);
let service: ServiceProcess | undefined;

afterAll(async () => {
  const exit = service?.ended;
  endProcess(service);
  await exit;
  if (!refusal) execFileSync('umount', ['--lazy', disk]);
  rmSync(disk, { recursive: true, force: true });
});

function mount(): string | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk], { stdio: 'pipe' });
    return null;
  } catch (error) {
    return (error as Error).message.split('\n').slice(0, 2).join(' ');
  }
}

const free = () => statfsSync(disk).bavail * statfsSync(disk).bsize;

(refusal ? test.skip : test)(
  'a full data disk is 503 and loses no acknowledged write; with space free again, the service recovers by itself',
  async () => {
    const dataDir = join(disk, 'data');
    mkdirSync(dataDir);
    service = await startProcess({ dataDir, env: { LOG_LEVEL: 'info' } });
    await service.until('The service is up');
    const { token, site } = await administrator(dataDir, '+12065550177');
    const running = service;
    const answers = randomBytes(45_000).toString('hex');
    const send = (clientId: string) =>
      ask(running, 'POST', '/api/surveys', {
        token,
        body: { location: site, status: 'IN_PROGRESS', clientId, responses: { openComment: answers } },
      });

    const acknowledged: { id: string; clientId: string }[] = [];
    const refused: string[] = [];
    const statuses = new Set<number>();
    await send(randomUUID()).then(({ status }) => expect(status).toBe(201));
    writeFileSync(filler, Buffer.alloc(Math.max(0, free() - 15 * MB)));
    const begin = Date.now();
    const write = async () => {
      while (refused.length < 5 && Date.now() - begin < 150_000) {
        const clientId = randomUUID();
        const { status, body } = await send(clientId);
        statuses.add(status);
        if (status === 201) acknowledged.push({ id: String(body.id), clientId });
        else refused.push(clientId);
      }
    };
    await Promise.all([write(), write(), write(), write()]);
    console.log(
      `full after ${(Date.now() - begin) / 1000} s, ${acknowledged.length} acknowledged, ${refused.length} refused`,
    );
    // A machine that stalls for a minute reads no body in time either.
    statuses.delete(408);
    expect([...statuses].sort()).toEqual([201, 503]);
    expect(await ask(running, 'GET', '/api/health/live')).toMatchObject({ status: 200 });
    expect(await ask(running, 'GET', '/api/health/ready')).toMatchObject({ status: 503 });

    rmSync(filler);
    const freed = Date.now();
    while ((await ask(running, 'GET', '/api/health/ready')).status !== 200 && Date.now() - freed < 90_000)
      await sleep(200);
    console.log(`back after ${(Date.now() - freed) / 1000} s`);
    // Rejected requests are sent again, as a phone does: each is stored once, whether it was stored before or not.
    for (const clientId of refused) expect([200, 201]).toContain((await send(clientId)).status);
    const clientIds = [...acknowledged.map(({ clientId }) => clientId), ...refused];
    const stored = await withItsDatabase(dataDir, (db) =>
      db
        .collection('surveys')
        .find({ clientId: { $in: clientIds } })
        .toArray(),
    );
    expect(stored).toHaveLength(clientIds.length);
    const byId = new Map(stored.map((survey) => [String(survey._id), survey]));
    const lost = acknowledged.filter(({ id }) => byId.get(id)?.responses?.openComment !== answers);
    expect(lost).toEqual([]);
  },
  300_000,
);
