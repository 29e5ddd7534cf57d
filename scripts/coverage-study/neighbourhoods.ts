/** Populations of several neighborhoods with few ties between them. */
import { makePopulation, type Person, type Shape } from '../simulate/population.ts';
import type { Random } from '../simulate/random.ts';

export interface Neighborhoods {
  /** The share of the group in each of them; all are equally large. */
  prevalences: readonly number[];
  /** The share of ties that lead out of a neighbourhood. */
  crossing: number;
}

/** Of `size` people in all, or one less for each neighbourhood where that does not divide evenly. */
export function makeNeighborhoods(
  { prevalences, crossing }: Neighborhoods,
  { size, ...shape }: Omit<Shape, 'prevalence'>,
  random: Random,
): Person[] {
  const own = Math.floor(size / prevalences.length);
  const people = prevalences.flatMap((prevalence, at) => {
    const first = at * own;
    return makePopulation({ ...shape, size: own, prevalence }, random.fork(`part ${at}`)).map((person) => ({
      ...person,
      number: first + person.number,
      neighbours: person.neighbours.map((number) => first + number),
    }));
  });
  const ties = people.reduce((sum, { neighbours }) => sum + neighbours.length, 0) / 2;
  const partOf = ({ number }: Person) => Math.floor(number / own);
  for (let crossed = 0; crossed < ties * crossing; ) {
    const [a, c] = [random.pick(people), random.pick(people)];
    if (partOf(a) !== partOf(c) && swap(people, a, c, random)) crossed += 2;
  }
  return people;
}

/** One tie of each becomes two ties between their parts, so that everyone knows as many as before. */
function swap(people: readonly Person[], a: Person, c: Person, random: Random): boolean {
  if (a.neighbours.length === 0 || c.neighbours.length === 0) return false;
  const b = people[random.pick(a.neighbours)] as Person;
  const d = people[random.pick(c.neighbours)] as Person;
  if (a.neighbours.includes(d.number) || c.neighbours.includes(b.number)) return false;
  replace(a, b, d);
  replace(b, a, c);
  replace(c, d, b);
  replace(d, c, a);
  return true;
}

function replace(person: Person, from: Person, to: Person): void {
  person.neighbours[person.neighbours.indexOf(from.number)] = to.number;
}
