/** The worker of worker-pool.test.ts. */
import { serveJobs } from '../../src/platform/lib/workers/worker.ts';

serveJobs(async (job: string, report: (text: string) => Promise<string>): Promise<unknown> => {
  if (job === 'ask') return await report('asked');
  if (job === 'pid') return process.pid;
  if (job === 'stay') {
    setInterval(() => undefined, 1_000);
    return process.pid;
  }
  if (job === 'throw') throw new Error('a fault');
  if (job === 'hang') for (;;);
  // More than a thread survives: one list.
  if (job === 'allocate') return [...'x'.repeat(2 ** 26)].length;
  return job;
});
