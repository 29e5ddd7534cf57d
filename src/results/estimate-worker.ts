/** The side of threads.ts that works. One job at a time. */
import { parentPort } from 'node:worker_threads';
import { compareTables } from './compare-tables.ts';
import { estimateAll } from './estimate.ts';
import type { Job } from './threads.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a thread');
port.on('message', (job: Job) =>
  port.postMessage(job.kind === 'compare' ? compareTables(job) : estimateAll(job)),
);
