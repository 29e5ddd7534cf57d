/** The service of worker-pool.test.ts: reports the process id of its worker, and keeps running. */
import { WorkerPool } from '../../src/platform/lib/workers/worker-pool.ts';

const pool = new WorkerPool<string, number>({
  ...{
    kind: 'process',
    from: import.meta.url,
    name: 'example-worker',
    size: 1,
    memoryMb: 64,
    keepsIdleWorkers: true,
  },
});
process.send?.(await pool.run('stay'));
setInterval(() => undefined, 1_000);
