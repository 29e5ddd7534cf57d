/**
 * Design 16: a network from a file of R's package RDS, such as its fauxmadrona.RData. The file is not part of this
 * project; Rscript reads it, without any package.
 */
import { execFileSync } from 'node:child_process';
import type { Person } from '../simulate/population.ts';
import type { Design } from './designs.ts';

/** The object of class "network" with the trait `disease` of its people: who has it, then the ties. */
const READ = `
objects <- new.env()
all <- mget(load(commandArgs(TRUE)[1], objects), objects)
one <- Filter(function(x) inherits(x, "network"), all)[[1]]
has <- vapply(one$val, function(v) as.numeric(v$disease), 0)
ties <- Filter(Negate(is.null), one$mel)
cat(has, "\\n")
cat(unlist(lapply(ties, function(t) c(t$outl[1], t$inl[1]))), "\\n")
`;

export function networkFrom(path: string): Person[] {
  const text = execFileSync('Rscript', ['-e', READ, path], { encoding: 'utf8', maxBuffer: 64e6 });
  const [has = [], ties = []] = text.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const people = has.map((one, number): Person => {
    const none = { ill: false, veteran: false, sheltered: false };
    return { ...none, number, neighbours: [], spanish: one === 1 };
  });
  for (let at = 0; at + 1 < ties.length; at += 2) {
    const [one, other] = [people[(ties[at] ?? 0) - 1], people[(ties[at + 1] ?? 0) - 1]];
    if (!one || !other || one === other || one.neighbours.includes(other.number)) continue;
    one.neighbours.push(other.number);
    other.neighbours.push(one.number);
  }
  return people;
}

export const networkDesign = (people: readonly Person[]): Design => ({
  name: 'a network of the package RDS',
  people: people.length,
  prevalence: people.filter(({ spanish }) => spanish).length / people.length,
  homophily: Number.NaN,
  seeds: 10,
});
