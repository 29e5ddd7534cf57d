/** Reproducible random numbers: the same seed gives the same ones on every machine. */
import { drawNormal as normalFrom } from '../../src/statistics/estimators/draws/random.ts';

export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  below(limit: number): number;
  chance(probability: number): boolean;
  normal(): number;
  /** Lognormal, by its median. */
  around(median: number, sigma: number): number;
  pick<T>(from: readonly T[]): T;
  shuffle<T>(list: T[]): T[];
  uuid(): string;
  /** A source of its own, which depends on the seed and the name alone, not on what was drawn before. */
  fork(name: string): Random;
}

export function randomFrom(seed: string): Random {
  const next = mulberry32(hash(seed));
  const below = (limit: number) => Math.floor(next() * limit);
  const normal = () => normalFrom(next);
  return {
    next,
    below,
    normal,
    chance: (probability) => next() < probability,
    around: (median, sigma) => median * Math.exp(sigma * normal()),
    pick<T>(from: readonly T[]): T {
      return from[below(from.length)] as T;
    },
    shuffle<T>(list: T[]): T[] {
      for (let last = list.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [list[last], list[other]] = [list[other] as T, list[last] as T];
      }
      return list;
    },
    uuid() {
      const hex = Array.from({ length: 32 }, () => below(16).toString(16));
      hex[12] = '4';
      hex[16] = '89ab'.charAt(below(4));
      return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
    fork: (name) => randomFrom(`${seed}/${name}`),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
