/** The thread that calculates changes (change.ts). */
import { serveJobs } from '../../platform/lib/workers/worker.ts';
import { type ChangedLevel, type ChangeJob, changeOf } from './job.ts';

serveJobs((job: ChangeJob): ChangedLevel[] => changeOf(job));
