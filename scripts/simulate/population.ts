/**
 * A hidden population: people, their ties, and traits that a study would measure. Network sizes are lognormal, as real
 * ones usually are. Ties within a language are more common than by chance (homophily). Spanish speakers know more
 * people, and people who know few are ill more often, so the unweighted share is wrong and weighting by network size
 * is needed.
 */
import type { Random } from './random.ts';

export interface Person {
  number: number;
  neighbours: number[];
  spanish: boolean;
  ill: boolean;
  veteran: boolean;
  /** Slept in a shelter in the past 30 days. */
  sheltered: boolean;
}

export interface Shape {
  size: number;
  /** The median number of people that a person knows. */
  degree: number;
  /** The share of Spanish speakers. */
  prevalence: number;
  /** The share of ties that are made within the language on purpose. */
  homophily: number;
}

const DEGREE_SPREAD = 0.7;
const MAX_CIRCLE_SIZE = 200;
/** How many times as many people a Spanish speaker knows. */
const SPANISH_ACTIVITY = 1.3;

export function makePopulation(shape: Shape, random: Random): Person[] {
  const people = Array.from({ length: shape.size }, (_, number): Person => {
    const spanish = random.chance(shape.prevalence);
    const veteran = random.chance(0.12);
    return { number, neighbours: [], spanish, ill: false, veteran, sheltered: false };
  });
  tie(people, shape, random);
  for (const person of people) {
    // From a half among the lonely down to a fifth among those who know many.
    person.ill = random.chance(0.2 + 0.3 * Math.exp(-person.neighbours.length / shape.degree));
  }
  // Who knows many hears of a bed.
  for (const person of people)
    person.sheltered = random.chance(0.5 - 0.3 * Math.exp(-person.neighbours.length / shape.degree));
  return people;
}

/** Each person gets loose ends, as many as there shall be acquaintances; ends are tied in pairs. */
function tie(people: Person[], shape: Shape, random: Random): void {
  /** Of those who speak no Spanish, and of those who do. */
  const loose: [Person[], Person[]] = [[], []];
  const max = Math.min(MAX_CIRCLE_SIZE, people.length - 1);
  for (const person of people) {
    const median = shape.degree * (person.spanish ? SPANISH_ACTIVITY : 1);
    const degree = Math.min(max, Math.max(1, Math.round(random.around(median, DEGREE_SPREAD))));
    for (let end = 0; end < degree; end++) loose[Number(person.spanish)]?.push(person);
  }
  for (const ends of loose) random.shuffle(ends);
  for (;;) {
    const [some, others] = loose;
    const person = (random.below(some.length + others.length) < some.length ? some : others).pop();
    if (!person) return;
    const within = person.spanish ? others : some;
    const partner = takeFrom(random.chance(shape.homophily) ? within : anyEnds(loose, random), random);
    if (!partner || partner === person || person.neighbours.includes(partner.number)) continue;
    person.neighbours.push(partner.number);
    partner.neighbours.push(person.number);
  }
}

function anyEnds([some, others]: [Person[], Person[]], random: Random): Person[] {
  return random.below(some.length + others.length) < some.length ? some : others;
}

function takeFrom(ends: Person[], random: Random): Person | undefined {
  if (ends.length === 0) return undefined;
  const at = random.below(ends.length);
  const end = ends[at];
  const last = ends.pop();
  if (last && at < ends.length) ends[at] = last;
  return end;
}

export interface Truth {
  people: number;
  ties: number;
  degree: { mean: number; deviation: number; median: number; largest: number };
  /** By the answer that tells it: what share of the whole population would give it. */
  traits: { question: string; answer: string; share: number; meanDegree: number; homophily: number }[];
}

const TRAITS = [
  { question: 'language', answer: 'spanish', has: (person: Person) => person.spanish },
  { question: 'careMissed', answer: 'yes', has: (person: Person) => person.ill },
  { question: 'veteran', answer: 'yes', has: (person: Person) => person.veteran },
  { question: 'countServiceUsed', answer: 'yes', has: (person: Person) => person.sheltered },
];

/** What an estimate from the sample should come near to. */
export function truthOf(people: readonly Person[]): Truth {
  const degrees = people.map((person) => person.neighbours.length).sort((a, b) => a - b);
  const mean = average(degrees);
  return {
    people: people.length,
    ties: degrees.reduce((sum, degree) => sum + degree, 0) / 2,
    degree: {
      mean,
      deviation: Math.sqrt(average(degrees.map((degree) => (degree - mean) ** 2))),
      median: degrees[Math.floor(degrees.length / 2)] ?? 0,
      largest: degrees.at(-1) ?? 0,
    },
    traits: TRAITS.map(({ question, answer, has }) => {
      const having = people.filter(has);
      const meanDegree = average(having.map((person) => person.neighbours.length));
      const share = having.length / people.length;
      return { question, answer, share, meanDegree, homophily: homophilyOf(people, has) };
    }),
  };
}

/** 0 where as many ties run between those with and without the trait as chance would tie, 1 where none does. */
function homophilyOf(people: readonly Person[], has: (person: Person) => boolean): number {
  let [ends, endsOfHaving, between] = [0, 0, 0];
  for (const person of people) {
    ends += person.neighbours.length;
    if (!has(person)) continue;
    endsOfHaving += person.neighbours.length;
    for (const other of person.neighbours) between += has(people[other] as Person) ? 0 : 1;
  }
  const expected = (endsOfHaving * (ends - endsOfHaving)) / ends;
  return expected > 0 ? 1 - between / expected : 0;
}

function average(values: number[]): number {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;
}
