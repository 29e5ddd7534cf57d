/** Intervals for the current estimates, from the latest tree bootstrap run over the same interviews. */
import { latestTreeRun } from '../analysis-runs/read.ts';
import type { SampleWindow } from '../sample/schema.ts';
import type { Interval } from './schema.ts';

export interface TreeIntervals {
  /** Of the run. */
  id: string;
  /** The instant of its data. */
  asOf: Date;
  confidence: number;
  /**
   * Of a level, or of a number (null); null where this caller may not see it, or nothing was known of it. Its bounds are
   * null where all replicates were the same.
   */
  of(value: string | null): Interval | null;
}

/** Null where there is none; `smallest` from `smallestCellFor`. */
export async function intervalsFor(
  outcome: string,
  window: SampleWindow,
  smallest: number,
): Promise<TreeIntervals | null> {
  const { location = null, from = null, to = null, questionnaire = null } = window;
  const run = await latestTreeRun({ outcome, smallest, location, from, to, questionnaire });
  if (!run) return null;
  const { levels, ...about } = run;
  const isOf = (wanted: string | null) => (level: (typeof levels)[number]) =>
    level.value === wanted && !level.hidden && level.estimate !== null;
  return { ...about, of: (wanted) => levels.find(isOf(wanted)) ?? null };
}
