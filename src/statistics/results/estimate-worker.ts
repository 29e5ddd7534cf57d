/** The thread that calculates estimates (src/statistics/results/estimates.ts). */
import { serve } from '../../platform/lib/workers/worker.ts';
import { type Estimated, type EstimateJob, estimateAll } from './estimate.ts';

serve((job: EstimateJob): Estimated => estimateAll(job));
