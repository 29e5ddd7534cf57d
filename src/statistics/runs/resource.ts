import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { AnalysisRuns, Jobs } from './model.ts';

/** Its URLs are in the group of src/statistics/sample/resource.ts. */
export const analysisRuns: ResourceDeclaration = {
  collections: [
    // Can be worked out again, to the last digit.
    { model: AnalysisRuns, unique: { night_once: null }, isCreatedByService: true },
    { model: Jobs, isCreatedByService: true },
  ],
  routes: async () => (await import('./routes.ts')).runRoutes,
};
