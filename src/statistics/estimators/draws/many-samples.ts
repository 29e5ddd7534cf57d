/**
 * Draws many successive samples of one population quickly. Give each person an exponential waiting time whose rate is
 * their size: the first n to arrive are a successive sample, drawn one by one without replacement in proportion to
 * size (Efraimidis & Spirakis 2006). The number in a class that has arrived by a given time is then binomial. So most
 * of a sample is drawn class by class, at a time by which rarely more than n have arrived, and the rest one by one.
 * The distribution is the same as when drawing all one by one.
 */

import type { Random } from './random.ts';
import { AliasTable, SizedUnits } from './weighted-draw.ts';

/** How many standard deviations below n those are expected who come at once. */
const MARGIN = 3;

/**
 * [classes] how many people of each class were in `samples` samples of `n`. `sizes` and `people` [classes]: above 0, and
 * whole numbers with a sum of at least n.
 */
export function drawnBySamples(
  sizes: Float64Array,
  people: Float64Array,
  n: number,
  samples: number,
  random: Random,
): Float64Array {
  const units = new SizedUnits(sizes, people);
  const time = earlyTime(sizes, people, n);
  const chances = sizes.map((size) => -Math.expm1(-size * time));
  const early = people.map(() => 0);
  const remaining = people.slice();
  const draws = people.map(() => 0);
  const byClass = Array.from(people, (count, k) => new Binomial(count, chances[k]!));
  for (let sample = 0; sample < samples; sample++) {
    let come = 0;
    for (let k = 0; k < early.length; k++) {
      early[k] = byClass[k]!.draw(random);
      come += early[k]!;
    }
    if (come > n) {
      sendBack(early, come - n, sizes, chances, random);
      come = n;
    }
    if (come < n) {
      for (let k = 0; k < remaining.length; k++) remaining[k] = people[k]! - early[k]!;
      units.refill(remaining);
      for (; come < n; come++) early[units.draw(random)]!++;
    }
    for (let k = 0; k < early.length; k++) draws[k]! += early[k]!;
  }
  return draws;
}

/** The time by which n people less `MARGIN` deviations are expected; 0 where that leaves nobody. */
function earlyTime(sizes: Float64Array, people: Float64Array, n: number): number {
  const target = n - MARGIN * Math.sqrt(n);
  if (target <= 0) return 0;
  const expected = (time: number) =>
    sizes.reduce((sum, size, k) => sum - people[k]! * Math.expm1(-size * time), 0);
  // Doubled until too late, then halved; any time will do, so that some bits are enough.
  let late = 1 / sizes[sizes.length - 1]!;
  while (expected(late) < target) late *= 2;
  let soon = 0;
  for (let step = 0; step < 40; step++) {
    const middle = (soon + late) / 2;
    if (expected(middle) < target) soon = middle;
    else late = middle;
  }
  return soon;
}

/** The last ones to come go back, by the times of all who came: waiting times that are known to be below the early time. */
function sendBack(
  early: Float64Array,
  tooMany: number,
  sizes: Float64Array,
  chances: Float64Array,
  random: Random,
): void {
  const come: { time: number; k: number }[] = [];
  early.forEach((count, k) => {
    for (let one = 0; one < count; one++)
      come.push({ time: -Math.log1p(-random.uniform() * chances[k]!) / sizes[k]!, k });
  });
  come.sort((a, b) => b.time - a.time);
  for (const { k } of come.slice(0, tooMany)) early[k]!--;
}

/** Less likely than this, beside the likeliest number, and no random number would ever meet it. */
const NEGLIGIBLE = 1e-14;

/** Draws from a binomial distribution, by a table of all numbers that are likely enough. */
class Binomial {
  private readonly least: number;
  private readonly table: AliasTable;

  constructor(trials: number, chance: number) {
    const odds = chance / (1 - chance);
    const mode = Math.min(trials, Math.floor((trials + 1) * chance));
    const likely: number[] = [];
    for (let k = mode, p = 1; k >= 0 && p > NEGLIGIBLE; p *= k / ((trials - k + 1) * odds), k--)
      likely.push(p);
    this.least = mode - likely.length + 1;
    likely.reverse();
    for (let k = mode, p = 1; k < trials; k++) {
      p *= ((trials - k) / (k + 1)) * odds;
      if (p <= NEGLIGIBLE) break;
      likely.push(p);
    }
    this.table = new AliasTable(Float64Array.from(likely));
  }

  draw(random: Random): number {
    return this.least + this.table.draw(random);
  }
}
