/** The thread that calculates the tables of counts (count-tables.ts). */
import { serveJobs } from '../../../platform/lib/workers/worker.ts';
import { makeTables, type TablesJob, type TablesMade } from './job.ts';

serveJobs((job: TablesJob): TablesMade => makeTables(job));
