/**
 * How many adults, persons and households there are, and how many in each cell of a table, from an answer that a known
 * number of adults have. A household can be sampled through each of its adults, so each respondent represents one share
 * of it (weight-share method, Lavallée 2007): otherwise, a couple's child would count twice.
 */
import { type ChainPools, drawChainReplicate } from '../bootstrap/bootstrap-chain.ts';
import { randomStream } from '../draws/random.ts';
import { percentileIntervalOrNull, standardDeviation } from '../quantile.ts';
import { roundedToTotal } from './rounding.ts';

/** The answer with an externally known total. */
export interface KnownTotal {
  /** [n] 1 for people with the answer, 0 for others, -1 if unknown. */
  has: Int8Array;
  /** The number of adults in the whole population with the answer, and its bounds. */
  known: number;
  knownLow: number | null;
  knownHigh: number | null;
}

export type PopulationUnit = 'ADULTS' | 'PERSONS' | 'HOUSEHOLDS';

/** What each respondent represents in one cell, divided by the number of adults in the household if they share it. */
export interface CellContributions {
  key: string;
  /** [n] 0 for people not in the cell; NaN if unknown. */
  values: Float64Array;
  /** The minimum number of different persons or households that the interviews prove. */
  least: number;
}

/** Cells that add up to one of the totals. */
export interface TotalBreakdown {
  key: string;
  total: PopulationUnit;
  cells: readonly CellContributions[];
}

export interface HouseholdSample {
  /** [n], positive. */
  sizes: Float64Array;
  multiplier: KnownTotal;
  /** [n] per adult; NaN if unknown. Null if it wasn't asked: then this total and its tables don't exist. */
  totals: Record<Exclude<PopulationUnit, 'ADULTS'>, Float64Array | null>;
  /** The minimum number of different adults, persons and households that the interviews prove. */
  least: Record<PopulationUnit, number>;
  tables: readonly TotalBreakdown[];
}

export interface ReplicateDrawSettings {
  samples: number;
  confidence: number;
  /** Seed for random numbers between the bounds of the known total. */
  seed: number;
  /** Fills `times` [n]: how often each respondent is in replicate `index`. */
  draw: DrawReplicate;
  /**
   * Separate draws for a cell, whose `members` [n] are 1, because recruitment may depend on membership as well as on
   * the counted answer. If absent, cells use the draws of the totals.
   */
  drawFor?: ((members: Int8Array) => DrawReplicate | null) | undefined;
}

export type DrawReplicate = (index: number, times: Int32Array) => void;

/** Infinite bounds are null; without replicates, both bounds are. */
export interface FigureWithBounds {
  estimate: number | null;
  low: number | null;
  high: number | null;
}

export interface TotalsByCell {
  key: string;
  total: PopulationUnit;
  /**
   * `count`: people in the cell; `sharing`: those of them who represent less than one unit, such as people who live
   * with other adults in a table of households. Estimates are integers that add up to the rounded total; interval
   * bounds don't add up.
   */
  cells: (FigureWithBounds & { key: string; count: number; sharing: number })[];
}

export interface PopulationEstimate {
  /** Share of the counted answer. */
  share: number | null;
  /** Design effect of that share; null if it doesn't vary. */
  designEffect: number | null;
  totals: Record<PopulationUnit, FigureWithBounds | null>;
  tables: TotalsByCell[];
  /** In each replicate; NaN if nothing is known. */
  replicates: Record<PopulationUnit, Float64Array>;
}

const TOTALS: readonly PopulationUnit[] = ['ADULTS', 'PERSONS', 'HOUSEHOLDS'];
/** Numerator of the rule of three: an upper bound of 3 / n for something that none of n people had. */
const RULE_OF_THREE = 3;

/** `draws`: null for estimates without intervals. */
export function estimatePopulationTotals(
  population: HouseholdSample,
  draws: ReplicateDrawSettings | null,
): PopulationEstimate {
  const sums = new Sums(population);
  const estimates = sums.figures(null, population.multiplier.known);
  const replicates = draws ? replicatesOf(population, sums, draws) : [];
  const intervals = Array.from(estimates.figures, (_, at) =>
    boundsOf(
      replicates.map(({ figures }) => figures[at]!),
      draws?.confidence ?? 0,
    ),
  );
  const answerCount = population.multiplier.has.reduce((count, one) => count + Number(one >= 0), 0);
  const designEffect = designEffectOf(
    estimates.share,
    replicates.map(({ share }) => share),
    answerCount,
  );
  const totals = TOTALS.map((total, at): [PopulationUnit, FigureWithBounds | null] => {
    if (total !== 'ADULTS' && population.totals[total] === null) return [total, null];
    return [total, within(estimates.figures[at]!, intervals[at]!, population.least[total], null)];
  });
  const figureByTotal = Object.fromEntries(totals) as Record<PopulationUnit, FigureWithBounds | null>;
  let at = TOTALS.length;
  const tables = population.tables.map((table): TotalsByCell => {
    const first = at;
    at += table.cells.length;
    const whole = figureByTotal[table.total];
    const isKnown = whole?.estimate != null && Number.isFinite(whole.estimate);
    const rounded = isKnown
      ? roundedToTotal(
          table.cells.map((_, place) => estimates.figures[first + place]!),
          Math.round(whole.estimate!),
          table.cells.map(({ least: min }) => min),
        )
      : null;
    const cells = table.cells.map((cell, place) => {
      const count = countOf(cell);
      const empty =
        whole?.high != null ? (whole.high * RULE_OF_THREE * (designEffect ?? 1)) / answerCount : null;
      const own = () => (draws?.drawFor ? boundsOfCell(population, sums, draws, table, cell) : null);
      const bounds =
        count > 0
          ? (own() ?? intervals[first + place]!)
          : { low: draws ? 0 : null, high: draws ? empty : null };
      return {
        key: cell.key,
        count,
        sharing: cell.values.reduce((all, value) => all + Number(value > 0 && value < 1), 0),
        ...within(rounded?.[place] ?? null, bounds, cell.least, whole?.high ?? null),
      };
    });
    return { key: table.key, total: table.total, cells };
  });
  const ofTotal = (total: PopulationUnit, place: number): [PopulationUnit, Float64Array] => [
    total,
    Float64Array.from(replicates, ({ figures }) => figures[place]!),
  ];
  const byTotal = Object.fromEntries(TOTALS.map(ofTotal)) as Record<PopulationUnit, Float64Array>;
  return { share: estimates.share, designEffect, totals: figureByTotal, tables, replicates: byTotal };
}

const countOf = ({ values }: CellContributions): number => {
  let count = 0;
  for (const value of values) if (value > 0) count++;
  return count;
};

/**
 * Keeps the lower bound at least at what the interviews prove, the upper bound at most at the total, and the estimate
 * between them.
 */
function within(
  estimate: number | null,
  { low, high }: Pick<FigureWithBounds, 'low' | 'high'>,
  min: number,
  max: number | null,
): FigureWithBounds {
  if (estimate === null || !Number.isFinite(estimate)) return { estimate: null, low: null, high: null };
  const raised = low === null ? null : Math.max(low, min);
  const cut = high === null || max === null ? high : Math.min(high, max);
  return {
    estimate,
    low: raised === null ? null : Math.min(raised, estimate),
    high: cut === null ? null : Math.max(cut, estimate),
  };
}

interface Figures {
  share: number | null;
  /** The totals as in `TOTALS`, followed by the cells of all tables. NaN if nothing is known. */
  figures: Float64Array;
}

/**
 * Weighted sums over rows, each counted as often as it is in a replicate. The terms of all rows are stored one after
 * the other.
 */
class Sums {
  readonly #weights: Float64Array;
  readonly #population: HouseholdSample;
  /** The terms of row i are `first[i]` to `first[i + 1]` - 1. */
  readonly #first: Int32Array;
  readonly #places: Int32Array;
  readonly #values: Float64Array;
  readonly #width: number;

  constructor(population: HouseholdSample) {
    const { sizes, totals, tables } = population;
    this.#population = population;
    this.#weights = sizes.map((size) => 1 / size);
    const n = sizes.length;
    const first = new Int32Array(n + 1);
    const places: number[] = [];
    const values: number[] = [];
    const add = (place: number, value: number) => {
      if (value === 0) return;
      places.push(place);
      values.push(value);
    };
    this.#width = TOTALS_WIDTH + tables.reduce((sum, { cells }) => sum + cells.length, 0);
    for (let i = 0; i < n; i++) {
      first[i] = places.length;
      const weight = this.#weights[i]!;
      for (const [at, total] of (['PERSONS', 'HOUSEHOLDS'] as const).entries()) {
        const value = totals[total]?.[i] ?? Number.NaN;
        if (Number.isNaN(value)) continue;
        add(2 * at, weight * value);
        add(2 * at + 1, weight);
      }
      let place = TOTALS_WIDTH;
      for (const { cells } of tables) {
        // Someone with an unknown cell is in no cell of the table, so the others share the total.
        if (isInTable(cells, i))
          for (const [at, cell] of cells.entries()) add(place + at, weight * cell.values[i]!);
        place += cells.length;
      }
    }
    first[n] = places.length;
    this.#first = first;
    this.#places = Int32Array.from(places);
    this.#values = Float64Array.from(values);
  }

  /** [n] */
  weighted(of: (row: number) => number): Float64Array {
    return this.#weights.map((weight, i) => weight * of(i));
  }

  /** What a respondent represents in a total. */
  perAdult(total: PopulationUnit, row: number): number {
    return total === 'ADULTS' ? 1 : (this.#population.totals[total]?.[row] ?? Number.NaN);
  }

  /** If `times` is null, each row counts once. */
  figures(times: Int32Array | null, multiplierCount: number): Figures {
    const { multiplier, totals, tables } = this.#population;
    const sums = new Float64Array(this.#width);
    let [having, askedWeight] = [0, 0];
    for (let i = 0; i < this.#weights.length; i++) {
      const count = times ? times[i]! : 1;
      if (count === 0) continue;
      const has = multiplier.has[i]!;
      if (has >= 0) {
        askedWeight += count * this.#weights[i]!;
        having += has * count * this.#weights[i]!;
      }
      for (let k = this.#first[i]!; k < this.#first[i + 1]!; k++)
        sums[this.#places[k]!]! += count * this.#values[k]!;
    }
    const share = askedWeight > 0 ? having / askedWeight : null;
    const adults = share === null ? Number.NaN : multiplierCount / share;
    const whole: Record<PopulationUnit, number> = {
      ADULTS: adults,
      PERSONS: totals.PERSONS ? adults * (sums[0]! / sums[1]!) : Number.NaN,
      HOUSEHOLDS: totals.HOUSEHOLDS ? adults * (sums[2]! / sums[3]!) : Number.NaN,
    };
    const figures = new Float64Array(TOTALS.length + this.#width - TOTALS_WIDTH);
    for (const [at, total] of TOTALS.entries()) figures[at] = whole[total];
    let place = TOTALS_WIDTH;
    for (const { total, cells } of tables) {
      let all = 0;
      for (let at = 0; at < cells.length; at++) all += sums[place + at]!;
      for (let at = 0; at < cells.length; at++, place++) {
        const part = sums[place]! / all;
        // 0 times infinity is 0 here.
        figures[TOTALS.length + place - TOTALS_WIDTH] = part === 0 ? 0 : whole[total] * part;
      }
    }
    return { share, figures };
  }
}

/** Numerators and denominators for persons and for households. */
const TOTALS_WIDTH = 4;

function replicatesOf(
  { sizes, multiplier }: HouseholdSample,
  sums: Sums,
  draws: ReplicateDrawSettings,
): Figures[] {
  const times = new Int32Array(sizes.length);
  const { known, knownLow, knownHigh } = multiplier;
  const [low, high] = [knownLow ?? known, knownHigh ?? known];
  return Array.from({ length: draws.samples }, (_, index) => {
    draws.draw(index, times);
    const between = low === high ? 0 : randomStream(draws.seed, 'known', index).uniform();
    return sums.figures(times, low + between * (high - low));
  });
}

/** Bounds of a cell from separate draws, in which members and others recruit as observed. */
function boundsOfCell(
  population: HouseholdSample,
  sums: Sums,
  draws: ReplicateDrawSettings,
  { total, cells }: TotalBreakdown,
  cell: CellContributions,
): Pick<FigureWithBounds, 'low' | 'high'> | null {
  const members = Int8Array.from(cell.values, (value) => Number(value > 0));
  const draw = draws.drawFor?.(members);
  if (!draw) return null;
  const n = members.length;
  const columns = [
    // The counted answer, and who was asked about it.
    sums.weighted((i) => Math.max(0, population.multiplier.has[i]!)),
    sums.weighted((i) => Number(population.multiplier.has[i]! >= 0)),
    // The total per adult, and for whom it is known.
    sums.weighted((i) => sums.perAdult(total, i) || 0),
    sums.weighted((i) => Number(!Number.isNaN(sums.perAdult(total, i)))),
    // The cell, and the whole table.
    sums.weighted((i) => (isInTable(cells, i) ? cell.values[i]! : 0)),
    sums.weighted((i) => (isInTable(cells, i) ? cells.reduce((all, one) => all + one.values[i]!, 0) : 0)),
  ];
  const times = new Int32Array(n);
  const columnSums = new Float64Array(columns.length);
  const { known, knownLow, knownHigh } = population.multiplier;
  const [low, high] = [knownLow ?? known, knownHigh ?? known];
  const figures = Array.from({ length: draws.samples }, (_, index) => {
    draw(index, times);
    columnSums.fill(0);
    for (let i = 0; i < n; i++) {
      const count = times[i]!;
      if (count > 0) for (let k = 0; k < columns.length; k++) columnSums[k]! += count * columns[k]![i]!;
    }
    const [having, askedWeight, whole, wholeOf, part, table] = columnSums as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const between = low === high ? 0 : randomStream(draws.seed, 'known', index).uniform();
    const adults = ((low + between * (high - low)) * askedWeight) / having;
    return part === 0 ? 0 : (adults * (whole / wholeOf) * part) / table;
  });
  return boundsOf(figures, draws.confidence);
}

const isInTable = (cells: readonly CellContributions[], row: number): boolean =>
  !cells.some(({ values }) => Number.isNaN(values[row]!));

/** Percentiles; replicates in which nothing is known are left out. */
function boundsOf(replicates: readonly number[], confidence: number): Pick<FigureWithBounds, 'low' | 'high'> {
  const sorted = Float64Array.from(replicates.filter((one) => !Number.isNaN(one))).sort();
  if (sorted.length < 2) return { low: null, high: null };
  return percentileIntervalOrNull(sorted, confidence);
}

function designEffectOf(
  share: number | null,
  replicates: readonly (number | null)[],
  answerCount: number,
): number | null {
  const se = standardDeviation(replicates.filter((one) => one !== null));
  if (share === null || se === null || share <= 0 || share >= 1 || se === 0) return null;
  return se ** 2 / ((share * (1 - share)) / answerCount);
}

/** Counts who is drawn for the positions in `places`, the rows that have answers. */
export function drawAlongChains(pools: ChainPools, places: Int32Array, seed: number): DrawReplicate {
  const drawn = new Int32Array(pools.recruiters.length);
  return (index, times) => {
    drawChainReplicate(pools, seed, index, drawn);
    times.fill(0);
    for (const place of places) times[drawn[place]!]!++;
  };
}
