import { byCodePoint } from '../estimators/outcome.ts';
import { hiddenLevels } from '../sample/small-cells.ts';

type Value = string | null;

interface Level {
  value: Value;
  /** Index among the levels that occur; -1 for one that does not occur. */
  place: number;
  isHidden: boolean;
}

/**
 * Which levels one caller may see. Hidden levels may include some that do not occur: that nobody gave an answer can
 * reveal what others answered.
 */
export class VisibleOutcomeLevels {
  private readonly shown: readonly Level[];
  private readonly smallest: number;

  private constructor(levels: readonly Level[], smallest: number) {
    this.shown = levels;
    this.smallest = smallest;
  }

  /** `hidden` may include levels that do not occur. */
  static of(values: readonly Value[], hidden: ReadonlySet<Value>, smallest: number): VisibleOutcomeLevels {
    const all = [...new Set([...values, ...hidden])].sort((a, b) => byCodePoint(a ?? '', b ?? ''));
    const levels = all.map((value) => ({
      value,
      place: values.indexOf(value),
      isHidden: hidden.has(value),
    }));
    return new VisibleOutcomeLevels(levels, smallest);
  }

  /** Hides more levels; `hidden` is indexed by the levels that occur. */
  without(hidden: readonly boolean[]): VisibleOutcomeLevels {
    const levels = this.shown.map((one) => ({ ...one, isHidden: one.isHidden || !!hidden[one.place] }));
    return new VisibleOutcomeLevels(levels, this.smallest);
  }

  /** Hides more levels for a smaller group of people. */
  within(counts: readonly number[]): VisibleOutcomeLevels {
    return this.without(hiddenLevels(counts, this.smallest));
  }

  get isNothingShown(): boolean {
    return this.shown.length > 0 && this.shown.every(({ isHidden }) => isHidden);
  }

  /** The figure of each level, from `values` indexed by the levels that occur; null if it is hidden or missing. */
  figures(values: ArrayLike<number | null> | null): (number | null)[] {
    return this.shown.map((level) => figureOf(level, values));
  }

  /** [from][to] */
  table(rows: readonly ArrayLike<number>[]): (number | null)[][] {
    return this.shown.map(({ isHidden, place }) => this.figures(isHidden ? null : (rows[place] ?? null)));
  }

  levels<T extends object>(
    fieldsOf: (figure: (values: ArrayLike<number | null> | null) => number | null, level: Level) => T,
  ): (T & { value: Value; hidden?: true })[] {
    return this.shown.map((level) => ({
      value: level.value,
      ...fieldsOf((values) => figureOf(level, values), level),
      ...(level.isHidden ? { hidden: true as const } : {}),
    }));
  }
}

function figureOf({ place, isHidden }: Level, values: ArrayLike<number | null> | null): number | null {
  const value = isHidden ? null : (values?.[place] ?? null);
  return value !== null && Number.isFinite(value) ? value : null;
}
