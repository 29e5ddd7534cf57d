/** A thread of estimate-threads.ts. */
import { serveJobs } from '../../platform/lib/workers/worker.ts';
import { groupIntervals } from '../estimators/group-intervals.ts';
import { estimateOutcome } from './estimate.ts';
import type { ThreadJob } from './estimate-threads.ts';

serveJobs((job: ThreadJob) => (job.kind === 'estimate' ? estimateOutcome(job) : groupIntervals(job)));
