/** The thread that calculates changes (change.ts). */
import { serve } from '../../platform/lib/workers/worker.ts';
import { type ChangedLevel, type ChangeJob, changeOf } from './job.ts';

serve((job: ChangeJob): ChangedLevel[] => changeOf(job));
