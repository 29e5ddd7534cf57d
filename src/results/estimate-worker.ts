/** The side of threads.ts that works. One job at a time. */
import { parentPort } from 'node:worker_threads';
import { type EstimateJob, estimateAll } from './estimate.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a thread');
port.on('message', (job: EstimateJob) => port.postMessage(estimateAll(job)));
