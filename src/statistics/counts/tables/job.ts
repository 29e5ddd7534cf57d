/** Totals, tables and their intervals, calculated from plain arrays in a separate thread (tables-worker.ts). */
import { classesByAnswerAndSite, recruitPoolsByClass } from '../../estimators/bootstrap/bootstrap-chain.ts';
import { treeReplicate } from '../../estimators/bootstrap/bootstrap-tree.ts';
import {
  drawAlongChains,
  estimatePopulationTotals,
  type HouseholdSample,
  type KnownTotal,
  type PopulationEstimate,
  type ReplicateDrawSettings,
} from '../../estimators/households/totals.ts';
import { imputedNetworkSizes, recruitmentTree } from '../../estimators/sample/sample.ts';
import { type CountTableTitles, populationTablesOf } from './population.ts';
import type { CountTableAnswers } from './read-answers.ts';

/** In larger samples, cells use the draws of the totals instead of their own, because there are about fifty cells. */
const MAX_DRAWS_OF_A_CELL = 10_000_000;

export interface CountTablesJob {
  recruiters: Int32Array;
  reportedSizes: Float64Array;
  /** [n] where each person lives or was interviewed; null without sites. */
  sites: Int32Array | null;
  multiplier: KnownTotal;
  answers: CountTableAnswers;
  method: 'CHAIN' | 'TREE';
  samples: number;
  confidence: number;
  seed: number;
}

export interface CountTableEstimates extends PopulationEstimate {
  titled: CountTableTitles[];
  hasIntervals: boolean;
  /** The totals with the other method's interval; null if it has none. */
  other: { method: CountTablesJob['method']; totals: PopulationEstimate['totals'] } | null;
}

export function runCountTablesJob(job: CountTablesJob): CountTableEstimates {
  const sizes = imputedNetworkSizes(job.reportedSizes);
  const { population, titled } = populationTablesOf({ ...job, sizes });
  const draws = drawsOf(job);
  return {
    ...estimatePopulationTotals(population, draws),
    titled,
    hasIntervals: draws !== null,
    other: otherTotals(job, population),
  };
}

function otherTotals(job: CountTablesJob, population: HouseholdSample): CountTableEstimates['other'] {
  const method = job.method === 'TREE' ? 'CHAIN' : 'TREE';
  const draws = drawsOf({ ...job, method });
  return draws && { method, totals: estimatePopulationTotals({ ...population, tables: [] }, draws).totals };
}

function drawsOf({
  recruiters,
  sites,
  multiplier,
  method,
  samples,
  confidence,
  seed,
}: CountTablesJob): ReplicateDrawSettings | null {
  const { has } = multiplier;
  const tree = recruitmentTree(recruiters);
  const about = { samples, confidence, seed };
  if (method === 'TREE') return { ...about, draw: (index, times) => treeReplicate(tree, seed, index, times) };
  const places = Int32Array.from([...has.keys()].filter((i) => has[i]! >= 0));
  const drawBy = (classes: Int32Array) => {
    const pools = recruitPoolsByClass(recruiters, tree, classesByAnswerAndSite(classes, sites));
    return pools && drawAlongChains(pools, places, seed);
  };
  const draw = drawBy(Int32Array.from(has));
  // Classes of the counted answer alone would ignore recruitment within the cell.
  const drawFor = (members: Int8Array) =>
    drawBy(Int32Array.from(has, (one, i) => (one < 0 ? -1 : 2 * one + members[i]!)));
  const isSmall = has.length * samples <= MAX_DRAWS_OF_A_CELL;
  return draw && { ...about, draw, ...(isSmall && { drawFor }) };
}
