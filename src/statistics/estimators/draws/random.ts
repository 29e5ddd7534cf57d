/**
 * Reproducible random numbers: the same seed gives the same numbers on any machine and with any number of threads. Each
 * piece of work (a replicate, a round) has its own stream, derived from the seed and its number.
 */
import { createHash } from 'node:crypto';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

export interface Random {
  /** Uniform in [0, 1), in steps of 2^-32. */
  uniform(): number;
  /** An integer from 0 to n - 1; n is at most 2^32. */
  below(n: number): number;
}

/** A seed that is the same for the same JSON. */
export const randomSeedOf = (input: unknown): number =>
  createHash('sha256').update(JSON.stringify(input)).digest().readUIntBE(0, 6);

/** The stream named by `seed` and `names`, such as `randomStream(7, 'tree', 12)`. */
export function randomStream(seed: number, ...names: (number | string)[]): Random {
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, ...names]))
    .digest();
  const state = [0, 4, 8, 12].map((at) => digest.readInt32LE(at));
  const generator = xoroshiro128plusFromState(state);
  // The lowest bits of this generator are its weakest, but they are never used alone.
  const uniform = () => (generator.next() >>> 0) / 2 ** 32;
  return { uniform, below: (n) => Math.floor(uniform() * n) };
}

/** A standard normal variable from two uniform ones (Box & Muller). */
export const drawNormal = (uniform: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
