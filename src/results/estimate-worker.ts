/** The thread that calculates estimates (src/results/estimates.ts). */
import { serve } from '../lib/worker.ts';
import { type Estimated, type EstimateJob, estimateAll } from './estimate.ts';

serve((job: EstimateJob): Estimated => estimateAll(job));
