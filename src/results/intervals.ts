/** Intervals of what is shown at once: of the latest run of the tree bootstrap over the same interviews. */
import type { SampleWindow } from '../sample/schema.ts';

export interface Interval {
  low: number | null;
  high: number | null;
  standardError: number | null;
  effectiveSize: number | null;
}

export interface TreeIntervals {
  /** Of the run. */
  id: string;
  /** Of a level, or of a number (null). */
  of(value: string | null): Interval | null;
}

/** Null where there is none. */
export async function intervalsFor(_outcome: string, _window: SampleWindow): Promise<TreeIntervals | null> {
  return await Promise.resolve(null);
}
