/** The report's figures about the sample. */
import { dayNumberIn, dayOfNumber } from '../../../platform/lib/day.ts';
import { RELATION_QUESTION } from '../../../questionnaires/codebook.ts';
import { chainsOf } from '../../estimators/chains.ts';
import { levelCountsOf, rowsWithKnownAnswer } from '../../estimators/outcome.ts';
import { quantileOfSorted } from '../../estimators/quantile.ts';
import { cellSizeOf } from '../../estimators/sample/cell-size.ts';
import { imputedNetworkSizes, recruitmentTree } from '../../estimators/sample/sample.ts';
import { equalWeights, rds2Weights, weightedEstimateOf } from '../../estimators/weights.ts';
import type { LoadedOutcome, TableSample } from '../../sample/sample.ts';
import { hiddenLevels } from '../../sample/small-cells.ts';

const MAX_CHAINS = 50;

interface LevelRow {
  level: string | null;
  known: number;
  /** How many people are behind its figures. */
  size: number;
  mean: number | null;
  rds2: number | null;
}

export type SampleFigures = ReturnType<typeof sampleFigures>;

export function sampleFigures(sample: TableSample, zone: string) {
  const tree = recruitmentTree(sample.recruiters);
  const waves: { wave: number; people: number }[] = [];
  for (const wave of tree.waves) {
    while (waves.length <= wave) waves.push({ wave: waves.length, people: 0 });
    waves[wave]!.people++;
  }
  const chains = chainsOf(tree).slice(0, MAX_CHAINS);
  const weights = rds2Weights(imputedNetworkSizes(sample.reportedSizes));
  const equal = equalWeights(sample.n);
  const outcomes: { name: string; title: string; notAsked: number; levels: LevelRow[] }[] = [];
  for (const one of sample.outcomes) {
    const levels = levelsOf(one, weights, equal);
    outcomes.push({ name: one.name, title: one.title.en ?? one.name, notAsked: one.notAsked, levels });
  }
  return {
    n: sample.n,
    sizeMissing: sample.sizeMissing,
    sizeZero: sample.sizeZero,
    sizeQuestion: sample.sizeQuestion,
    sizes: spreadOf(sample.reportedSizes),
    waves,
    chains: chains.map(({ people, waves: beyond }) => ({ people, waves: beyond })),
    relation: outcomes.find(({ name }) => name === RELATION_QUESTION)
      ? `see ${RELATION_QUESTION} below`
      : null,
    outcomes,
    refused: sample.refused.map(({ path, message }) => ({ name: path, reason: message })),
    ...daysOf(sample, zone),
  };
}

function levelsOf({ outcome }: LoadedOutcome, weights: Float64Array, equal: Float64Array): LevelRow[] {
  const counts =
    outcome.kind === 'CATEGORY' ? [...levelCountsOf(outcome)] : [rowsWithKnownAnswer(outcome).length];
  const [mean, rds2] = [weightedEstimateOf(outcome, equal), weightedEstimateOf(outcome, weights)];
  const values = outcome.kind === 'CATEGORY' ? outcome.levels : [null];
  return values.map((level, at) => ({
    level,
    known: counts[at]!,
    size: outcome.kind === 'CATEGORY' ? counts[at]! : cellSizeOf(outcome.values),
    mean: mean?.[at] ?? null,
    rds2: rds2?.[at] ?? null,
  }));
}

export function shownLevels(levels: readonly LevelRow[], smallest: number) {
  const hidden = hiddenLevels(
    levels.map(({ size }) => size),
    smallest,
  );
  return levels.map((row, at) =>
    hidden[at]
      ? { level: row.level, known: null, mean: null, rds2: null, hidden: true as const }
      : rowOf(row),
  );
}

const rowOf = ({ size: _, ...row }: LevelRow) => row;

/** As answered, zeros included. No minimum or maximum: each would be a single person's answer. */
function spreadOf(reported: Float64Array) {
  const sorted = reported.filter((size) => Number.isFinite(size)).sort();
  const at = (p: number) => quantileOfSorted(sorted, p);
  if (sorted.length === 0) return null;
  return { known: sorted.length, lowerQuartile: at(0.25), median: at(0.5), upperQuartile: at(0.75) };
}

function daysOf({ heldAt }: TableSample, zone: string) {
  const days = [...new Set(heldAt.slice().sort().map(dayNumberIn(zone)))];
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return { firstDay: null, lastDay: null, days: 0 };
  return { firstDay: dayOfNumber(first), lastDay: dayOfNumber(last), days: days.length };
}
