/** The thread of threads.ts. */
import { serve } from '../lib/worker.ts';
import { type Estimated, type EstimateJob, estimateAll } from './estimate.ts';

serve((job: EstimateJob): Estimated => estimateAll(job));
