import { AnalysisRuns, RUN_STATES, type RunState } from './model.ts';

/** How many runs are stored in each state. */
export async function countRuns(): Promise<[state: RunState, count: number][]> {
  return await Promise.all(
    RUN_STATES.map(async (state): Promise<[RunState, number]> => {
      return [state, await AnalysisRuns.countDocuments({ state }, { maxTimeMS: 2_000 })];
    }),
  );
}
