/**
 * Draws many successive samples from one population quickly. Give each person an exponential waiting time with their
 * size as the rate: the first n to arrive are a successive sample, drawn one by one without replacement with
 * probability proportional to size (Efraimidis & Spirakis 2006). The number in a class that has arrived by a given time
 * is then binomial. So most of a sample is drawn class by class, at a time by which rarely more than n have arrived,
 * and the rest one by one. The distribution is the same as when drawing all one by one.
 */

import type { Random } from './random.ts';
import { SuccessiveSampler, WeightedSampler } from './weighted-draw.ts';

/** The expected number drawn at once is this many standard deviations below n. */
const MARGIN = 3;

/**
 * [classes] how many people in each class were in `samples` samples of size `n`. `sizes` and `people` [classes]:
 * positive, and integers that sum to at least n.
 */
export function simulateDrawsByClass(
  sizes: Float64Array,
  people: Float64Array,
  n: number,
  samples: number,
  random: Random,
): Float64Array {
  const units = new SuccessiveSampler(sizes, people);
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
      returnDraws(early, come - n, sizes, chances, random);
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

/** The time by which n minus `MARGIN` standard deviations people are expected to have arrived; 0 if that is nobody. */
function earlyTime(sizes: Float64Array, people: Float64Array, n: number): number {
  const target = n - MARGIN * Math.sqrt(n);
  if (target <= 0) return 0;
  const expected = (time: number) =>
    sizes.reduce((sum, size, k) => sum - people[k]! * Math.expm1(-size * time), 0);
  // Doubles until too late, then bisects. Any time near it will do, so a few steps are enough.
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

/**
 * Removes the last ones to arrive, by the waiting times of all who arrived, which are known to be below the early time.
 */
function returnDraws(
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

/** Numbers this much less likely than the likeliest one are ignored, because no random number would ever hit them. */
const NEGLIGIBLE = 1e-14;

/** Draws from a binomial distribution, with a table of all numbers that are likely enough. */
class Binomial {
  private readonly least: number;
  private readonly table: WeightedSampler;

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
    this.table = new WeightedSampler(Float64Array.from(likely));
  }

  draw(random: Random): number {
    return this.least + this.table.draw(random);
  }
}
