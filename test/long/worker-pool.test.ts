/** A worker that fails, hangs or cannot start is an error of its own job only; the pool goes on. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WorkerEnded, WorkerPool } from '../../src/platform/lib/workers/worker-pool.ts';

type Job = 'echo' | 'ask' | 'hang' | 'throw' | 'allocate' | 'pid';

const pools: WorkerPool<Job, unknown, string, string>[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
});

function poolOf(kind: 'thread' | 'process', size = 1, name = 'example-worker') {
  const pool = new WorkerPool<Job, unknown, string, string>({
    ...{ kind, from: import.meta.url.replace(/\?.*/, ''), name, size, memoryMb: 64 },
  });
  pools.push(pool);
  return pool;
}

const ended = async (work: Promise<unknown>): Promise<WorkerEnded> => {
  const error: unknown = await work.then(() => null).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(WorkerEnded);
  return error as WorkerEnded;
};

describe.each(['thread', 'process'] as const)('a %s', (kind) => {
  test('runs one job after another, which can report and get a reply', async () => {
    const pool = poolOf(kind);
    const onReport = (text: string) => `${text}, answered`;
    const replies = await Promise.all([pool.run('echo'), pool.run('ask', { onReport }), pool.run('echo')]);
    expect(replies).toEqual(['echo', 'asked, answered', 'echo']);
  });

  test('ends if its job throws, and the next job gets a new one', async () => {
    const pool = poolOf(kind);
    const first = await pool.run('pid');
    expect((await ended(pool.run('throw'))).jobsBefore).toBe(1);
    expect(await pool.run('echo')).toBe('echo');
    if (kind === 'process') expect(await pool.run('pid')).not.toBe(first);
  });

  test('ends when its job is cancelled, and waiting jobs are not affected', async () => {
    const pool = poolOf(kind);
    const controller = new AbortController();
    const hanging = pool.run('hang', { signal: controller.signal });
    const waiting = pool.run('echo');
    const leaving = pool.run('echo', { signal: AbortSignal.timeout(50) });
    await expect(leaving).rejects.toThrow('timeout');
    controller.abort(new Error('hung up'));
    await expect(hanging).rejects.toThrow('hung up');
    expect(await waiting).toBe('echo');
  });

  test('fails the waiting jobs if it can’t start', async () => {
    const pool = poolOf(kind, 2, 'no-such-worker');
    await Promise.all([ended(pool.run('echo')), ended(pool.run('echo')), ended(pool.run('echo'))]);
  });

  test('fails its job and the waiting ones when stopped', async () => {
    const pool = poolOf(kind);
    const jobs = [ended(pool.run('hang')), ended(pool.run('echo'))];
    await pool.stop();
    await Promise.all(jobs);
  });
});

test('a process that runs out of memory has its own signal, and the next job runs', async () => {
  const pool = poolOf('process');
  expect((await ended(pool.run('allocate'))).signal).toBe('SIGABRT');
  expect(await pool.run('echo')).toBe('echo');
});

test('a worker process ends when its service is killed', async () => {
  const parent = fork(fileURLToPath(new URL('./example-pool.ts', import.meta.url)), [], {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  const [pid] = (await once(parent, 'message')) as [number];
  const isAlive = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  expect(isAlive()).toBe(true);
  parent.kill('SIGKILL');
  while (isAlive()) await sleep(20);
}, 30_000);
