/** The thread that calculates the tables of counts (count-tables.ts). */
import { serve } from '../../../platform/lib/workers/worker.ts';
import { makeTables, type TablesJob, type TablesMade } from './job.ts';

serve((job: TablesJob): TablesMade => makeTables(job));
