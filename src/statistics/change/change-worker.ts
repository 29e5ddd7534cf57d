/** The thread that calculates changes (change.ts). */
import { serveJobs } from '../../platform/lib/workers/worker.ts';
import { type ChangeJob, type ChangeMade, changeOf } from './job.ts';

serveJobs((job: ChangeJob): ChangeMade => changeOf(job));
