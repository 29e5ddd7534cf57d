/** The thread that calculates changes (change.ts). */
import { serveJobs } from '../../platform/lib/workers/worker.ts';
import { type ChangeEstimates, type ChangeJob, changeOf } from './job.ts';

serveJobs((job: ChangeJob): ChangeEstimates => changeOf(job));
