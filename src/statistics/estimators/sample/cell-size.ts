/**
 * How many people are behind the mean of a number, to hide it if they are few: if all but one said 0, the mean reveals
 * what that one said.
 */

/** So few different values are looked at one by one, as the levels of a category are. */
const FEW_VALUES = 3;

export class CellSize {
  private readonly counts = new Map<number, number>();
  private known = 0;
  private most = 0;

  /** NaN is no answer. */
  add(value: number): void {
    if (Number.isNaN(value)) return;
    const count = (this.counts.get(value) ?? 0) + 1;
    this.counts.set(value, count);
    this.known++;
    if (count > this.most) this.most = count;
  }

  /** Those who differ from the commonest value, or gave the rarest of a few; all where they said the same. */
  get size(): number {
    const { counts, known: answerCount, most } = this;
    if (most === answerCount) return answerCount;
    return counts.size <= FEW_VALUES ? Math.min(...counts.values()) : answerCount - most;
  }

  /**
   * Those who differ from the commonest value. Of cells taken together there are at least as many as in each of them
   * together, whereas people who all say the same guard nobody else: subtracted from the whole, they leave the others.
   */
  get apart(): number {
    return this.known - this.most;
  }
}

export function cellSizeOf(values: Iterable<number>): number {
  const cell = new CellSize();
  for (const value of values) cell.add(value);
  return cell.size;
}
