/** The thread that calculates the tables of counts (count-tables.ts). */
import { serveJobs } from '../../../platform/lib/workers/worker.ts';
import { makeTables, type TableEstimates, type TablesJob } from './job.ts';

serveJobs((job: TablesJob): TableEstimates => makeTables(job));
