/**
 * How many people are behind the mean of a number, so that means of few people can be hidden: if all but one person
 * said 0, the mean reveals that person's answer.
 */

/** With at most this many distinct values, each is checked separately, like the levels of a category. */
const MAX_VALUES_AS_LEVELS = 3;

export class CellSizeCounter {
  private readonly counts = new Map<number, number>();
  private known = 0;
  private most = 0;

  /** NaN means no answer. */
  add(value: number): void {
    if (Number.isNaN(value)) return;
    const count = (this.counts.get(value) ?? 0) + 1;
    this.counts.set(value, count);
    this.known++;
    if (count > this.most) this.most = count;
  }

  /**
   * The number of people whose value is not the most common one; with at most FEW_VALUES distinct values, the count of
   * the rarest; if all values are equal, everyone.
   */
  get size(): number {
    const { counts, known: answerCount, most } = this;
    if (most === answerCount) return answerCount;
    return counts.size <= MAX_VALUES_AS_LEVELS ? Math.min(...counts.values()) : answerCount - most;
  }

  /**
   * The number of people whose value is not the most common one. Unlike `size`, it adds up safely: merged cells have at
   * least the sum of their parts. People who all gave the same answer protect nobody else, because subtracting them
   * from the total leaves the others exposed.
   */
  get apart(): number {
    return this.known - this.most;
  }
}

export function cellSizeOf(values: Iterable<number>): number {
  const cell = new CellSizeCounter();
  for (const value of values) cell.add(value);
  return cell.size;
}
