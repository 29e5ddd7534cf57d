/** The thread that calculates the tables of counts (count-tables.ts). */
import { serveJobs } from '../../../platform/lib/workers/worker.ts';
import { type CountTableEstimates, type CountTablesJob, runCountTablesJob } from './job.ts';

serveJobs((job: CountTablesJob): CountTableEstimates => runCountTablesJob(job));
