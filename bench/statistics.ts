/**
 * How long the statistics take, beside the R package RDS 0.9-10 (R 4.2.2, CPU seconds of one thread, on samples of the
 * same shape): `npx tsx bench/statistics.ts`. No database. Processor time, the best of three.
 * With `--night` only a night's run: the questions of the built-in questionnaire at 100,000 interviews, from a few replicates.
 */
import os from 'node:os';
import { recruit } from '../scripts/coverage-study/recruitment.ts';
import { makePopulation } from '../scripts/simulate/population.ts';
import { randomFrom } from '../scripts/simulate/random.ts';
import { DEFAULT_QUESTIONNAIRE } from '../src/questionnaires/shipped/default-questionnaire.ts';
import { chainBootstrap } from '../src/statistics/estimators/bootstrap/bootstrap-chain.ts';
import { gileBootstrap } from '../src/statistics/estimators/bootstrap/bootstrap-gile.ts';
import { salganikBootstrap } from '../src/statistics/estimators/bootstrap/bootstrap-salganik.ts';
import { treeBootstrap } from '../src/statistics/estimators/bootstrap/bootstrap-tree.ts';
import {
  convergenceStepOf,
  estimatesByOrder,
  estimatesByWave,
} from '../src/statistics/estimators/convergence.ts';
import { randomStream } from '../src/statistics/estimators/draws/random.ts';
import { populationHomophily } from '../src/statistics/estimators/homophily.ts';
import { type OutcomeAnswers, toCategoryOutcome } from '../src/statistics/estimators/outcome.ts';
import {
  harmonicMeanSizes,
  rds1Shares,
  stationaryOf,
  transitionsOf,
} from '../src/statistics/estimators/rds1.ts';
import { imputedNetworkSizes, recruitmentTree } from '../src/statistics/estimators/sample/sample.ts';
import { checkSample } from '../src/statistics/estimators/sample/sample-rules.ts';
import { ssWeights } from '../src/statistics/estimators/successive-sampling.ts';
import { rds2Weights, weightedEstimateOf } from '../src/statistics/estimators/weights.ts';

/** As the package's times were taken; the tree bootstrap of all outcomes has so many of them. */
const SHAPES = [
  { n: 5000, population: 25_000, seeds: 12 },
  { n: 20_000, population: 100_000, seeds: 20 },
];
const OUTCOMES = 15;

interface Line {
  what: string;
  n: number;
  seconds: number;
  /** Of the package; text where it must be said what it is of. */
  theirs: number | null;
  targetSeconds?: number;
  remark?: string;
}
const lines: Line[] = [];
const say = (text: string) => process.stdout.write(`${text}\n`);

function time(line: Omit<Line, 'seconds'>, work: () => unknown): void {
  let seconds = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const begin = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begin);
    seconds = Math.min(seconds, (user + system) / 1e6);
  }
  lines.push({ ...line, seconds });
}

/** A sample by coupons as the package's times were taken of, with an outcome of four levels. */
function sampleOf({ n, population, seeds }: (typeof SHAPES)[number]) {
  const random = randomFrom(`statistics ${n}`);
  const people = makePopulation({ size: population, degree: 10, prevalence: 0.3, homophily: 0.4 }, random);
  const { sample, recruits } = recruit(people, { seeds, interviews: n }, random);
  const y = toCategoryOutcome(recruits.map((one) => `${one.spanish ? 'a' : 'b'}${one.ill ? 1 : 2}`));
  const outcomes = Array.from({ length: OUTCOMES }, (_, k): OutcomeAnswers => {
    const levels = 2 + (k % 5);
    return toCategoryOutcome(recruits.map(() => (random.chance(0.05) ? null : String(random.below(levels)))));
  });
  const rows = sample.ids.map((id, row) => ({
    id,
    recruiter: sample.ids[sample.recruiters[row] ?? -1] ?? 'seed',
    size: String(sample.reportedSizes[row]),
    time: String(row),
  }));
  const tree = recruitmentTree(sample.recruiters);
  const sizes = imputedNetworkSizes(sample.reportedSizes);
  const waves = tree.waves.reduce((max, wave) => Math.max(max, wave), 0);
  say(`${n} interviews, ${tree.seeds.length} seeds, ${waves} waves, N = ${population}`);
  return { rows, sample, tree, sizes, y, outcomes };
}

/** `big`: 20,000 interviews instead of 5,000. */
function measure(shape: (typeof SHAPES)[number], big: boolean): void {
  const { n, population } = shape;
  const { rows, sample, tree, sizes, y, outcomes } = sampleOf(shape);
  const { recruiters } = sample;
  const runs = (samples: number) => ({ samples, seed: 1 });
  const check = () => recruitmentTree(checkSample(rows).sample.recruiters);
  time({ what: 'check the sample, build the tree', n, theirs: big ? 10.4 : 0.57 }, check);
  time({ what: 'RDS-I', n, theirs: big ? 0.008 : 0.005 }, () => {
    const q = stationaryOf(transitionsOf(y, recruiters).shares);
    return typeof q === 'string' ? null : rds1Shares(q, harmonicMeanSizes(y, sizes));
  });
  const rds2 = () => weightedEstimateOf(y, rds2Weights(imputedNetworkSizes(sample.reportedSizes)));
  time({ what: 'RDS-II', n, theirs: big ? 0.17 : 0.001, ...(big ? { targetSeconds: 0.02 } : {}) }, rds2);
  const ss = () => weightedEstimateOf(y, ssWeights(sizes, population, randomStream(1)) ?? sizes);
  time({ what: 'SS', n, theirs: big ? 1.3 : 0.34 }, ss);
  const max = big ? 100 : 1000;
  const gile = () => gileBootstrap(y, recruiters, tree, sizes, population, runs(max));
  const what = `SS and Gile bootstrap, ${max} replicates`;
  if (big) time({ what, n, theirs: null, remark: 'their C step alone 1.8' }, gile);
  else time({ what, n, theirs: 10, targetSeconds: 1, remark: 'their C step alone 1.6' }, gile);
  time({ what: 'Salganik bootstrap, 10 replicates', n, theirs: big ? 310 : 9.3 }, () =>
    salganikBootstrap(y, recruiters, sizes, runs(10)),
  );
  time({ what: 'tree bootstrap, 10 replicates', n, theirs: big ? 120 : 1.5 }, () =>
    treeBootstrap(tree, [y], sizes, runs(10)),
  );
  const chainOf = { recruiters, tree, weights: rds2Weights(sizes), sites: null };
  const chain = () => chainBootstrap(chainOf, [y], runs(1000));
  time({ what: 'CHAIN, 1000 replicates, 4 levels', n, theirs: null }, chain);
  const yes: OutcomeAnswers = toCategoryOutcome([...y.codes].map((code) => (code < 2 ? 'yes' : 'no')));
  const chainOne = () => chainBootstrap(chainOf, [yes], runs(1000));
  time({ what: 'CHAIN, 1000 replicates', n, theirs: null, ...(big ? {} : { targetSeconds: 1 }) }, chainOne);
  const all = `tree bootstrap, 1000 replicates, ${OUTCOMES} outcomes`;
  const tree1000 = () => treeBootstrap(tree, outcomes, sizes, runs(1000));
  time({ what: all, n, theirs: null, ...(big ? {} : { targetSeconds: 2 }) }, tree1000);
  time({ what: 'population homophily', n, theirs: big ? 1.2 : 0.06 }, () =>
    populationHomophily(y, tree, rds2Weights(sizes), sizes),
  );
  time({ what: 'cumulative by wave', n, theirs: big ? null : 0.32 }, () => estimatesByWave(y, sample, tree));
  time({ what: 'cumulative by order, 100 steps', n, theirs: null }, () =>
    estimatesByOrder(y, sample, convergenceStepOf(n)),
  );
}

interface QuestionElement {
  type: string;
  elements?: QuestionElement[];
  choices?: unknown[];
}

/** How many levels each outcome of the built-in questionnaire has: a question with several answers is one for each choice. */
function builtInLevels(): number[] {
  const questions = (elements: QuestionElement[]): QuestionElement[] =>
    elements.flatMap((one) => (one.elements ? questions(one.elements) : [one]));
  const { pages } = DEFAULT_QUESTIONNAIRE.definition as { pages: QuestionElement[] };
  return questions(pages).flatMap(({ type, choices = [] }) => {
    if (type === 'radiogroup' || type === 'dropdown') return [Math.max(2, choices.length)];
    return type === 'checkbox' ? choices.map(() => 2) : [];
  });
}

/** CHAIN of all outcomes with sites, two recruits each, answers by chance. */
function measureNight(): void {
  const [n, seeds, sites, replicates] = [100_000, 1_000, 20, 40];
  const random = randomFrom('night');
  const recruiters = Int32Array.from({ length: n }, (_, i) => (i < seeds ? -1 : (i - seeds) >> 1));
  const levels = builtInLevels();
  const outcomes = levels.map(
    (count): OutcomeAnswers => ({
      kind: 'CATEGORY',
      levels: Array.from({ length: count }, (_, level) => String(level)),
      codes: Int32Array.from({ length: n }, () => random.below(count)),
    }),
  );
  const weights = rds2Weights(Float64Array.from({ length: n }, () => 1 + random.below(60)));
  const codes = Int32Array.from({ length: n }, () => random.below(sites));
  const of = { recruiters, tree: recruitmentTree(recruiters), weights, sites: { codes, people: null } };
  const begin = process.cpuUsage();
  chainBootstrap(of, outcomes, { samples: replicates, seed: 1 });
  const { user, system } = process.cpuUsage(begin);
  const minutes = ((user + system) / 1e6 / replicates) * (1000 / 60);
  say(
    `${outcomes.length} outcomes with ${levels.reduce((sum, one) => sum + one, 0)} levels, ${n} interviews, ${sites} sites: ${replicates} replicates of CHAIN took ${seconds((user + system) / 1e6)} of processor time, so 1000 take ${minutes.toFixed(0)} minutes; load ${os.loadavg()[0]?.toFixed(0)}`,
  );
}

const seconds = (value: number) =>
  value < 1 ? `${(1000 * value).toPrecision(3)} ms` : `${value.toFixed(2)} s`;

if (process.argv.includes('--night')) {
  measureNight();
  process.exit();
}

SHAPES.forEach((shape, at) => {
  measure(shape, at > 0);
});
say(
  '\n| what | interviews | this service | the package | times as fast | goal |\n| --- | ---: | ---: | ---: | ---: | --- |',
);
for (const { what, n, seconds: ours, theirs, targetSeconds, remark } of lines) {
  const ratio = theirs === null ? '' : (theirs / ours).toFixed(theirs / ours < 10 ? 1 : 0);
  const verdict =
    targetSeconds === undefined
      ? ''
      : `under ${seconds(targetSeconds)}: ${ours < targetSeconds ? 'met' : 'missed'}`;
  const other = [theirs === null ? '' : seconds(theirs), remark ? `(${remark} s)` : '']
    .filter(Boolean)
    .join(' ');
  say(`| ${what} | ${n} | ${seconds(ours)} | ${other} | ${ratio} | ${verdict} |`);
}
const [cpu] = os.cpus();
const [load = 0] = os.loadavg();
say(`\n${cpu?.model}, ${os.cpus().length} cores, Node ${process.versions.node}; load ${load.toFixed(1)}`);
