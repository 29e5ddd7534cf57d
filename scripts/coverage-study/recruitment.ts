/**
 * Simulates recruitment by coupons in a known network; nobody takes part twice. It returns what a study would see: who
 * recruited whom, and how many people each one knows.
 */
import type { Sample } from '../../src/statistics/estimators/sample/sample.ts';
import type { Person } from '../simulate/population.ts';
import type { Random } from '../simulate/random.ts';

/** How many in 100 interviewed people bring 0, 1, 2 and 3 others, of the three coupons that each is given. */
const COUPON_USE_PERCENT = [30, 25, 25, 20];
/** Where the group recruits twice as many: the group, and the others. */
const UNEQUAL_USE_PERCENT = { group: [10, 15, 25, 50], others: [45, 22, 22, 11] };
/** Someone of the recruiter's own group is this many times as likely to get a coupon. */
const PREFERENCE = 2;

/** Where recruitment is not the same for all, and not at random among those whom a person knows. */
export interface Recruiting {
  groupRecruitsMore?: boolean;
  ownGroupPreferred?: boolean;
  seedsOfGroup?: boolean;
}

export interface Recruited {
  sample: Sample;
  /** [n] who they are. */
  recruits: Person[];
}

/**
 * The first `interviews` people in the order in which they come, wave by wave. Seeds are recruits in proportion to how many
 * they know; where all chains have ended, one more starts. `people` are at least as many as `interviews`.
 */
export function recruit(
  people: readonly Person[],
  { seeds, interviews, recruiting = {} }: { seeds: number; interviews: number; recruiting?: Recruiting },
  random: Random,
): Recruited {
  const recruitNumbers = new Set<number>();
  const recruits: Person[] = [];
  const recruiters: number[] = [];
  const take = (person: Person, recruiter: number) => {
    recruitNumbers.add(person.number);
    recruits.push(person);
    recruiters.push(recruiter);
  };
  const { seedsOfGroup, groupRecruitsMore, ownGroupPreferred } = recruiting;
  const mayBeSeed = (person: Person) =>
    !recruitNumbers.has(person.number) && (!seedsOfGroup || person.spanish);
  const startChain = () => take(bySize(people, mayBeSeed, random), -1);
  while (recruits.length < Math.min(seeds, interviews)) startChain();
  for (let at = 0; recruits.length < interviews; at++) {
    if (at === recruits.length) startChain();
    const recruiter = recruits[at] as Person;
    const candidates = recruiter.neighbours.filter((number) => !recruitNumbers.has(number));
    const brings = groupRecruitsMore
      ? UNEQUAL_USE_PERCENT[recruiter.spanish ? 'group' : 'others']
      : COUPON_USE_PERCENT;
    const inOrder = ownGroupPreferred
      ? preferring(candidates, (number) => people[number]?.spanish === recruiter.spanish, random)
      : random.shuffle(candidates);
    const brought = inOrder.slice(0, couponsUsed(brings, random));
    for (const number of brought.slice(0, interviews - recruits.length)) take(people[number] as Person, at);
  }
  const sample = {
    ids: recruits.map((_, row) => String(row)),
    recruiters: Int32Array.from(recruiters),
    reportedSizes: Float64Array.from(recruits, (person) => person.neighbours.length),
    order: Int32Array.from(recruits.keys()),
  };
  return { sample, recruits };
}

/** Drawn one by one, those who are preferred with more weight (Efraimidis & Spirakis 2006). */
function preferring(numbers: number[], isPreferred: (number: number) => boolean, random: Random): number[] {
  const keyed = numbers.map((number) => ({
    number,
    key: ((random.below(2 ** 30) + 1) / 2 ** 30) ** (1 / (isPreferred(number) ? PREFERENCE : 1)),
  }));
  return keyed.sort((a, b) => b.key - a.key).map(({ number }) => number);
}

function couponsUsed(brings: readonly number[], random: Random): number {
  let at = random.below(100);
  return brings.findIndex((share) => {
    at -= share;
    return at < 0;
  });
}

/** One who may be a seed, in proportion to how many people each one knows. */
function bySize(people: readonly Person[], mayBeSeed: (person: Person) => boolean, random: Random): Person {
  const max = people.reduce((largest, person) => Math.max(largest, person.neighbours.length), 1);
  for (;;) {
    const person = random.pick(people);
    if (mayBeSeed(person) && random.below(max) < Math.max(1, person.neighbours.length)) return person;
  }
}
