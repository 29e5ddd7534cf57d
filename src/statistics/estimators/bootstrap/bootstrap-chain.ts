/**
 * CHAIN: a variant of Salganik's bootstrap (2006), not a published method. Each recruit is drawn from the recruits of
 * people in the recruiter's class, but along the observed chains instead of one long chain. A class is an answer or, if
 * there are sites, an answer and a site. Assumes that recruitment depends only on the recruiter's class.
 */
import { randomStream } from '../draws/random.ts';
import { levelCountOf, type OutcomeAnswers, type OutcomeVariable, outcomeVariablesOf } from '../outcome.ts';
import type { SampleTree } from '../sample/sample.ts';
import { drawnSiteSizes, type SitePopulations, standardizedMean } from '../standardized.ts';
import type { ReplicateSettings, Replicates } from './replicates.ts';

/** Who can be drawn for each position in the chains. */
export interface ChainPools {
  /** Rows, with recruiters before their recruits. */
  order: Int32Array;
  /** [n] */
  recruiters: Int32Array;
  classes: Int32Array;
  /** Rows from which seeds are drawn. */
  answered: Int32Array;
  /** Rows from which recruits are drawn: the pools one after the other. */
  rows: Int32Array;
  /** [classes] where the pool of a class's recruits begins in `rows`, and its size. */
  first: Int32Array;
  sizes: Int32Array;
}

/** Number of codes, from 0 to the largest; -1 means missing. */
export function categoryCountOf(codes: Int32Array): number {
  let max = -1;
  for (let i = 0; i < codes.length; i++) if (codes[i]! > max) max = codes[i]!;
  return max + 1;
}

/** `classes` [n], -1 if the answer is missing. Null if nobody answered. */
export function recruitPoolsByClass(
  recruiters: Int32Array,
  { byWave }: SampleTree,
  classes: Int32Array,
): ChainPools | null {
  const n = classes.length;
  const sizes = new Int32Array(categoryCountOf(classes));
  if (sizes.length === 0) return null;
  const answered = new Int32Array(n);
  const recruits = new Int32Array(n);
  let [answers, recruited, inPools] = [0, 0, 0];
  for (let row = 0; row < n; row++) {
    if (classes[row]! < 0) continue;
    answered[answers++] = row;
    if (recruiters[row]! < 0) continue;
    recruits[recruited++] = row;
    const pool = classes[recruiters[row]!]!;
    if (pool < 0) continue;
    sizes[pool]!++;
    inPools++;
  }
  // The pool of a class without recruits is all recruits or, in a sample of seeds only, everyone who answered.
  const anyone = recruited > 0 ? recruits.subarray(0, recruited) : answered.subarray(0, answers);
  const rows = new Int32Array(inPools + (sizes.includes(0) ? anyone.length : 0));
  const first = new Int32Array(sizes.length);
  for (let pool = 1; pool < first.length; pool++) first[pool] = first[pool - 1]! + sizes[pool - 1]!;
  const next = first.slice();
  for (let at = 0; at < recruited; at++) {
    const pool = classes[recruiters[recruits[at]!]!]!;
    if (pool >= 0) rows[next[pool]!++] = recruits[at]!;
  }
  if (rows.length > inPools) rows.set(anyone, inPools);
  for (let pool = 0; pool < sizes.length; pool++) {
    if (sizes[pool]! > 0) continue;
    first[pool] = inPools;
    sizes[pool] = anyone.length;
  }
  return { order: byWave, recruiters, classes, answered: answered.subarray(0, answers), rows, first, sizes };
}

const streamOf = (seed: number, index: number) => randomStream(seed, 'chain', index);

/** Fills `drawn` [n] with the row drawn for each respondent's position in replicate `index`. */
export function drawChainReplicate(pools: ChainPools, seed: number, index: number, drawn: Int32Array): void {
  const random = streamOf(seed, index);
  const { order, recruiters, classes, answered, rows, first, sizes } = pools;
  for (let at = 0; at < order.length; at++) {
    const place = order[at]!;
    const recruiter = recruiters[place]!;
    if (recruiter < 0) drawn[place] = answered[random.below(answered.length)]!;
    else {
      const pool = classes[drawn[recruiter]!]!;
      drawn[place] = rows[first[pool]! + random.below(sizes[pool]!)]!;
    }
  }
}

/** [n] the class by answer and site; -1 if the answer is missing. `sites` [n], -1 if unknown. */
export function classesByAnswerAndSite(classes: Int32Array, sites: Int32Array | null): Int32Array {
  if (!sites) return classes;
  const width = categoryCountOf(sites) + 1;
  return classes.map((one, i) => (one < 0 ? -1 : one * width + sites[i]! + 1));
}

export interface ChainBootstrapInput {
  recruiters: Int32Array;
  tree: SampleTree;
  /** [n] RDS-II or SS weights. */
  weights: Float64Array;
  /** Null without sites. */
  sites: SitePopulations | null;
}

/**
 * The sets of figures in an outcome's replicates, each for all levels: with classes by answer and site, by answer
 * alone, and the first one standardized to the sites.
 */
export type ChainBootstrapVariant = 'WHOLE' | 'PLAIN' | 'STANDARDISED';

export const chainMethodVariants = (sites: SitePopulations | null): ChainBootstrapVariant[] => [
  'WHOLE',
  // Without sites, the first two are the same.
  ...(sites ? (['PLAIN'] as const) : []),
  ...(sites?.people ? (['STANDARDISED'] as const) : []),
];

/** The uniform random numbers of some replicates, [count][n] by position. They are the same for every variable. */
interface UniformBlock {
  from: number;
  count: number;
  uniforms: Float64Array;
}

/** 32 MB. */
const MAX_UNIFORMS = 4 * 1024 * 1024;

/** Yields as many replicates at a time as fit into memory. */
export function* uniformRandomBlocks(
  n: number,
  { samples, seed, first = 0 }: ReplicateSettings,
): Generator<UniformBlock> {
  const max = Math.min(samples, Math.max(1, Math.floor(MAX_UNIFORMS / Math.max(1, n))));
  const uniforms = new Float64Array(max * n);
  for (let from = 0; from < samples; from += max) {
    const count = Math.min(max, samples - from);
    for (let at = 0; at < count; at++) {
      const random = streamOf(seed, first + from + at);
      for (let place = at * n; place < (at + 1) * n; place++) uniforms[place] = random.uniform();
    }
    yield { from, count, uniforms };
  }
}

/**
 * Sums over the drawn people. `draw` calculates one replicate, like `drawChainReplicate`, from the n uniform numbers
 * starting at `begin`, and returns [classes][2], overwritten by the next call: total weight and weighted values by
 * class of those drawn for positions whose own answer is known. Null if nobody answered.
 */
export function prepareChainSumDraws(
  { recruiters, tree, weights }: Pick<ChainBootstrapInput, 'recruiters' | 'tree' | 'weights'>,
  { values, classes }: OutcomeVariable,
): { draw(uniforms: Float64Array, begin: number): Float64Array } | null {
  const pools = recruitPoolsByClass(recruiters, tree, classes);
  if (!pools) return null;
  const { order, answered, rows, first, sizes } = pools;
  const n = order.length;
  const seeds = tree.seeds.length;
  const above = placesAbove(order, recruiters);
  const isCounted = new Uint8Array(n);
  for (let place = 0; place < n; place++) isCounted[place] = classes[order[place]!]! < 0 ? 0 : 1;
  const classAt = new Int32Array(n);
  // [rows of pools][2] each row's class and how often it was drawn, interleaved because both are needed together.
  const drawn = new Int32Array(2 * rows.length);
  // In the order of `rows`, for sequential memory access.
  const pooledWeights = new Float64Array(rows.length);
  const pooledValues = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    drawn[2 * at] = classes[rows[at]!]!;
    pooledWeights[at] = weights[rows[at]!]!;
    pooledValues[at] = values[rows[at]!]!;
  }
  const sums = new Float64Array(2 * sizes.length);
  return {
    draw(uniforms, begin) {
      sums.fill(0);
      // Seeds come first in `order`.
      for (let place = 0; place < seeds; place++) {
        const row = answered[Math.floor(uniforms[begin + place]! * answered.length)]!;
        const own = classes[row]!;
        classAt[place] = own;
        if (isCounted[place] === 0) continue;
        sums[2 * own]! += weights[row]!;
        sums[2 * own + 1]! += weights[row]! * values[row]!;
      }
      for (let place = seeds; place < n; place++) {
        const pool = classAt[above[place]!]!;
        const at = 2 * (first[pool]! + Math.floor(uniforms[begin + place]! * sizes[pool]!));
        classAt[place] = drawn[at]!;
        drawn[at + 1]! += isCounted[place]!;
      }
      for (let at = 0; at < rows.length; at++) {
        const own = drawn[2 * at]!;
        const weight = drawn[2 * at + 1]! * pooledWeights[at]!;
        sums[2 * own]! += weight;
        sums[2 * own + 1]! += weight * pooledValues[at]!;
        drawn[2 * at + 1] = 0;
      }
      return sums;
    },
  };
}

/** [n] position of each one's recruiter in `order`; -1 for a seed. */
function placesAbove(order: Int32Array, recruiters: Int32Array): Int32Array {
  const placeOf = new Int32Array(order.length);
  const above = new Int32Array(order.length);
  for (let place = 0; place < order.length; place++) {
    const row = order[place]!;
    placeOf[row] = place;
    above[place] = recruiters[row]! < 0 ? -1 : placeOf[recruiters[row]!]!;
  }
  return above;
}

/**
 * The weighted mean of each outcome in each replicate. Categories are calculated one level against all others, so that
 * classes don't become too small.
 */
export function chainBootstrap(
  of: ChainBootstrapInput,
  outcomes: readonly OutcomeAnswers[],
  run: ReplicateSettings,
): Replicates[] {
  const parts = chainMethodVariants(of.sites);
  /** [outcomes][parts][levels][samples] */
  const replicates = outcomes.map((outcome) =>
    parts.map(() => Array.from({ length: levelCountOf(outcome) }, () => new Float64Array(run.samples))),
  );
  for (const block of uniformRandomBlocks(of.recruiters.length, run)) {
    const siteSizes = siteSizesOf(of, block, run);
    outcomes.forEach((outcome, at) => {
      const variables = outcomeVariablesOf(outcome);
      // With two levels, the second one is the complement of the first.
      const drawn = variables.length === 2 ? variables.slice(0, 1) : variables;
      drawn.forEach((variable, level) => {
        const columns = replicates[at]!.map((levels) => levels[level]!);
        fillBlock(of, variable, siteSizes, block, columns, () =>
          run.onReplicate?.((parts.length * variables.length) / drawn.length),
        );
      });
    });
  }
  for (const [first, second] of replicates.flat().filter(({ length }) => length === 2))
    for (let at = 0; at < run.samples; at++) second![at] = 1 - first![at]!;
  return replicates.map((byPart) => joined(byPart, run.samples));
}

/** [count][sites] site sizes in each replicate; null if unknown. */
function siteSizesOf(
  { sites }: ChainBootstrapInput,
  { from, count }: UniformBlock,
  { seed, first = 0 }: ReplicateSettings,
) {
  const { people } = sites ?? {};
  if (!people) return null;
  return Array.from({ length: count }, (_, at) => drawnSiteSizes(people, seed, first + from + at));
}

/** Fills `columns` [parts][samples]; NaN if there is no estimate. */
function fillBlock(
  of: ChainBootstrapInput,
  variable: OutcomeVariable,
  siteSizes: number[][] | null,
  { from, count, uniforms }: UniformBlock,
  columns: Float64Array[],
  onReplicate: () => void,
): void {
  const n = of.recruiters.length;
  const { sites } = of;
  const whole = prepareChainSumDraws(of, {
    ...variable,
    classes: classesByAnswerAndSite(variable.classes, sites?.codes ?? null),
  });
  const plain = sites && prepareChainSumDraws(of, variable);
  const siteCount = sites ? categoryCountOf(sites.codes) : 0;
  for (let at = 0; at < count; at++) {
    const sums = whole?.draw(uniforms, at * n);
    const figures = [sums ? meanOf(sums) : Number.NaN];
    if (plain) figures.push(meanOf(plain.draw(uniforms, at * n)));
    if (sums && siteSizes) figures.push(standardizedMean(weightSumsBySite(sums, siteCount), siteSizes[at]!));
    columns.forEach((column, part) => {
      column[from + at] = figures[part] ?? Number.NaN;
    });
    onReplicate();
  }
}

/** `sums` [classes][2] */
function meanOf(sums: Float64Array): number {
  let [total, sum] = [0, 0];
  for (let at = 0; at < sums.length; at += 2) {
    total += sums[at]!;
    sum += sums[at + 1]!;
  }
  return sum / total;
}

/** [sites][2] sums by site from sums [classes][2], with classes from `classesByAnswerAndSite`; unknown sites are left out. */
export function weightSumsBySite(sums: Float64Array, sites: number): Float64Array {
  const bySite = new Float64Array(2 * sites);
  const ofAnswer = 2 * (sites + 1);
  for (let at = 0; at < sums.length; at++) {
    const column = (at % ofAnswer) - 2;
    if (column >= 0) bySite[column]! += sums[at]!;
  }
  return bySite;
}

/** Concatenates [parts][levels][samples], leaving out replicates without an estimate. */
function joined(parts: Float64Array[][], samples: number): Replicates {
  const figures = parts.flat().map((values) => values.filter((value) => !Number.isNaN(value)));
  return { figures, dropped: samples - (figures[0]?.length ?? 0) };
}
