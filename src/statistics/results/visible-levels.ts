import { byCodePoint } from '../estimators/outcome.ts';
import { hiddenAmong } from '../sample/small-cells.ts';

type Value = string | null;

interface Level {
  value: Value;
  /** Among the levels that occur; -1 of one that does not. */
  place: number;
  isHidden: boolean;
}

/**
 * Which levels one caller may see, and how they are told. Beside those that occur there may be hidden ones that do not:
 * that nobody gave an answer can tell what others said.
 */
export class LevelView {
  private readonly shown: readonly Level[];
  private readonly smallest: number;

  private constructor(levels: readonly Level[], smallest: number) {
    this.shown = levels;
    this.smallest = smallest;
  }

  /** `hidden` may name levels that do not occur. */
  static of(values: readonly Value[], hidden: ReadonlySet<Value>, smallest: number): LevelView {
    const all = [...new Set([...values, ...hidden])].sort((a, b) => byCodePoint(a ?? '', b ?? ''));
    const levels = all.map((value) => ({
      value,
      place: values.indexOf(value),
      isHidden: hidden.has(value),
    }));
    return new LevelView(levels, smallest);
  }

  /** With further ones hidden, by the levels that occur. */
  without(hidden: readonly boolean[]): LevelView {
    const levels = this.shown.map((one) => ({ ...one, isHidden: one.isHidden || !!hidden[one.place] }));
    return new LevelView(levels, this.smallest);
  }

  /** Among fewer people more is hidden. */
  within(counts: readonly number[]): LevelView {
    return this.without(hiddenAmong(counts, this.smallest));
  }

  get isNothingShown(): boolean {
    return this.shown.length > 0 && this.shown.every(({ isHidden }) => isHidden);
  }

  /** The figure of each level, by those that occur; null where it is hidden, or there is none. */
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
