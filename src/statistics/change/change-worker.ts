/** The thread that calculates changes (change.ts). */
import { serveJobs } from '../../platform/lib/workers/worker.ts';
import { type ChangeEstimates, type ChangeJob, estimateChange } from './job.ts';

serveJobs((job: ChangeJob): ChangeEstimates => estimateChange(job));
