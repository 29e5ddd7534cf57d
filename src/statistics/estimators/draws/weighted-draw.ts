/** Draws with probability proportional to weights, in constant time each, until the units run out. */
import type { Random } from './random.ts';

/**
 * Walker's alias table, built by Vose's method (1991): draws an index with probability proportional to `weights`, which
 * must not all be 0.
 */
export class WeightedSampler {
  private readonly cut: Float64Array;
  private readonly other: Int32Array;

  constructor(weights: Float64Array) {
    const n = weights.length;
    let total = 0;
    for (const weight of weights) total += weight;
    this.cut = new Float64Array(n);
    this.other = new Int32Array(n);
    const scaled = weights.map((weight) => (weight * n) / total);
    const small: number[] = [];
    const large: number[] = [];
    for (let at = 0; at < n; at++) (scaled[at]! < 1 ? small : large).push(at);
    while (small.length > 0 && large.length > 0) {
      const [low, high] = [small.pop()!, large.at(-1)!];
      this.cut[low] = scaled[low]!;
      this.other[low] = high;
      scaled[high]! -= 1 - scaled[low]!;
      if (scaled[high]! < 1) small.push(large.pop()!);
    }
    // The remaining ones are 1 up to rounding; an index with weight 0 must still never be drawn.
    for (const at of [...large, ...small]) this.cut[at] = weights[at]! > 0 ? 1 : 0;
    const heaviest = weights.indexOf(weights.reduce((max, weight) => Math.max(max, weight), 0));
    for (const at of small) if (weights[at] === 0) this.other[at] = heaviest;
  }

  draw(random: Random): number {
    const at = random.below(this.cut.length);
    return random.uniform() < this.cut[at]! ? at : this.other[at]!;
  }
}

/**
 * Units in classes of equal size, drawn one by one without replacement with probability proportional to size
 * (successive sampling). A class is drawn from a table of the initial counts and accepted with the fraction of its
 * units that is left, which gives the same distribution. When too many draws are rejected, the table is rebuilt.
 */
export class SuccessiveSampler {
  private readonly sizes: Float64Array;
  private readonly start: Float64Array;
  private readonly startTable: WeightedSampler | null;
  private table: WeightedSampler | null;
  /** The counts from which the current table was built. */
  private tableCounts: Float64Array;
  readonly left: Float64Array;
  /** The number of units left, and the sum of their sizes. */
  leftUnits = 0;
  leftSize = 0;
  private rejected = 0;

  /** `sizes` and `counts` [classes]. */
  constructor(sizes: Float64Array, counts: Float64Array) {
    this.sizes = sizes;
    this.start = counts;
    this.left = counts.slice();
    this.tableCounts = counts;
    const weights = this.weights();
    this.startTable = weights.some((weight) => weight > 0) ? new WeightedSampler(weights) : null;
    this.table = this.startTable;
    this.refill();
  }

  private weights(): Float64Array {
    return this.left.map((count, k) => count * this.sizes[k]!);
  }

  /** Restores all units, or these numbers [classes], at most the initial ones. */
  refill(remaining: Float64Array = this.start): void {
    this.left.set(remaining);
    this.leftUnits = 0;
    this.leftSize = 0;
    for (let k = 0; k < this.left.length; k++) {
      this.leftUnits += this.left[k]!;
      this.leftSize += this.left[k]! * this.sizes[k]!;
    }
    this.table = this.startTable;
    this.tableCounts = this.start;
    this.rejected = 0;
  }

  /** Takes a unit and returns its class; -1 if none is left. */
  draw(random: Random): number {
    if (this.leftUnits === 0) return -1;
    for (;;) {
      const k = this.table!.draw(random);
      const [there, was] = [this.left[k]!, this.tableCounts[k]!];
      if (there === was || random.uniform() * was < there) {
        this.take(k);
        return k;
      }
      // Rebuilding the table costs about as much as a few draws from each class.
      if (++this.rejected > 4 * this.left.length + 64) this.renew();
    }
  }

  private take(k: number): void {
    this.left[k]!--;
    this.leftUnits--;
    // Sums of differences aren't exact, so set it to exactly 0 when nothing is left.
    this.leftSize = this.leftUnits === 0 ? 0 : this.leftSize - this.sizes[k]!;
  }

  private renew(): void {
    this.rejected = 0;
    this.tableCounts = this.left.slice();
    this.table = new WeightedSampler(this.weights());
  }
}
