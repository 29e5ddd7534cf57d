/** The thread that calculates changes (change.ts). */
import { serveJobs } from '../../platform/lib/workers/worker.ts';
import { type ChangeEstimates, estimateChange, type RoundChangeJob } from './job.ts';

serveJobs((job: RoundChangeJob): ChangeEstimates => estimateChange(job));
