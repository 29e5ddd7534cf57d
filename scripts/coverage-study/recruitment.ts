/**
 * Simulates recruitment by coupons in a known network; nobody takes part twice. It returns what a study would see: who
 * recruited whom, and how many people each one knows.
 */
import type { Sample } from '../../src/statistics/estimators/sample/sample.ts';
import type { Person } from '../simulate/population.ts';
import type { Random } from '../simulate/random.ts';

/** How many in 100 interviewed people bring 0, 1, 2 and 3 others, of the three coupons that each is given. */
const COUPON_USE_PERCENT = [30, 25, 25, 20];

export interface Recruited {
  sample: Sample;
  /** [n] who they are. */
  recruits: Person[];
}

/**
 * The first `interviews` people in the order in which they come, wave by wave. Seeds are found in proportion to how many
 * they know; where all chains have ended, one more starts. `people` are at least as many as `interviews`.
 */
export function recruit(
  people: readonly Person[],
  { seeds, interviews }: { seeds: number; interviews: number },
  random: Random,
): Recruited {
  const takenNodes = new Set<number>();
  const recruits: Person[] = [];
  const recruiters: number[] = [];
  const take = (person: Person, recruiter: number) => {
    takenNodes.add(person.number);
    recruits.push(person);
    recruiters.push(recruiter);
  };
  const startChain = () => take(bySize(people, takenNodes, random), -1);
  while (recruits.length < Math.min(seeds, interviews)) startChain();
  for (let at = 0; recruits.length < interviews; at++) {
    if (at === recruits.length) startChain();
    const neighbours = recruits[at]?.neighbours.filter((number) => !takenNodes.has(number)) ?? [];
    const recruited = random.shuffle(neighbours).slice(0, couponsUsed(random));
    for (const number of recruited.slice(0, interviews - recruits.length)) take(people[number] as Person, at);
  }
  const sample = {
    ids: recruits.map((_, row) => String(row)),
    recruiters: Int32Array.from(recruiters),
    reportedSizes: Float64Array.from(recruits, (person) => person.neighbours.length),
    order: Int32Array.from(recruits.keys()),
  };
  return { sample, recruits };
}

function couponsUsed(random: Random): number {
  let at = random.below(100);
  return COUPON_USE_PERCENT.findIndex((share) => {
    at -= share;
    return at < 0;
  });
}

/** One who is not in the sample, in proportion to how many people each one knows. */
function bySize(people: readonly Person[], takenNodes: ReadonlySet<number>, random: Random): Person {
  const most = people.reduce((largest, person) => Math.max(largest, person.neighbours.length), 1);
  for (;;) {
    const person = random.pick(people);
    if (!takenNodes.has(person.number) && random.below(most) < Math.max(1, person.neighbours.length))
      return person;
  }
}
