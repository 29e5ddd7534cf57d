/** A study's estimates for the hidden population, next to the true values. */
import { setTimeout as sleep } from 'node:timers/promises';
import { requireSoundSample } from '../../src/exports/sample/checked-sample.ts';
import { analyseSample } from '../../src/statistics/estimators/results.ts';
import type { StudySample } from '../../src/statistics/sample/load.ts';
import { formatPercent, formatTable } from '../format-table.ts';
import type { Client, Reply } from './client.ts';
import type { Truth } from './population.ts';

/** Of the share of one answer; null where there is no such figure. */
export interface Comparison {
  question: string;
  answer: string;
  truth: number;
  /** How many answered the question. */
  known: number;
  unweighted: number | null;
  rds1: number | null;
  rds2: number | null;
  ss: number | null;
  /** The interval of 95 % by the tree bootstrap. */
  low: number | null;
  high: number | null;
}

const REPLICATES = 1000;

/** The sample of the study in the database that is connected. */
export async function ownSample(truth: Truth, zone: string, now: Date): Promise<StudySample> {
  const outcomesByName = Object.fromEntries(truth.traits.map(({ question }) => [question, question]));
  return await requireSoundSample({ window: {}, zone, now, outcomes: outcomesByName });
}

/** SS is told the true size. */
export function ownEstimates(truth: Truth, sample: StudySample): Comparison[] {
  const n = sample.ids.length;
  if (n === 0) return [];
  const outcomes = Object.fromEntries(sample.outcomes.map(({ name, outcome }) => [name, outcome]));
  const results = analyseSample('simulated', sample, outcomes, {
    ...{ population: truth.people >= n ? truth.people : null, randomSeed: 1, estimator: 'all' },
    ...{ method: 'tree', samples: REPLICATES, confidence: 0.95 },
  });
  return truth.traits.map(({ question, answer, share }) => {
    const { known = 0, naive, rdsI, rdsII, ss, bootstrap } = results.outcomes[question] ?? {};
    const interval = bootstrap?.tree?.rdsII?.[answer];
    return {
      ...{ question, answer, truth: share, known },
      ...{ unweighted: naive?.[answer] ?? null, rds1: rdsI?.[answer] ?? null },
      ...{ rds2: rdsII?.[answer] ?? null, ss: ss?.[answer] ?? null },
      ...{ low: interval?.low ?? null, high: interval?.high ?? null },
    };
  });
}

interface Estimates {
  sample: { known: number };
  levels: {
    value: string | null;
    mean: number | null;
    rds1: number | null;
    rds2: number | null;
    ss: number | null;
    interval: { low: number | null; high: number | null } | null;
  }[];
}

/** Of a running service, by the first account that may read them; else why there are none. */
export async function estimatesOf(
  client: Client,
  tokens: string[],
  truth: Truth,
): Promise<Comparison[] | string> {
  let refused = 0;
  for (const token of tokens) {
    const comparisons: Comparison[] = [];
    for (const { question, answer, share } of truth.traits) {
      const path = `/api/analysis/estimates?outcome=${question}&populationSize=${truth.people}`;
      const { status, body } = await patiently(() => client.send<Estimates>('GET', path, token));
      refused = status;
      if (status !== 200) break;
      const level = body.levels.find(({ value }) => value === answer);
      const { mean = null, rds1 = null, rds2 = null, ss = null, interval = null } = level ?? {};
      const bounds = { low: interval?.low ?? null, high: interval?.high ?? null };
      const { known } = body.sample;
      comparisons.push({
        question,
        answer,
        truth: share,
        known,
        unweighted: mean,
        rds1,
        rds2,
        ss,
        ...bounds,
      });
    }
    if (comparisons.length === truth.traits.length) return comparisons;
  }
  if (refused === 403) return 'none of the accounts has permission to view estimates.';
  if (refused === 400) return 'the active questionnaire does not ask for it.';
  return `the service did not answer (${refused}).`;
}

/** A service with much to do may say "later". */
async function patiently<T>(ask: () => Promise<Reply<T>>): Promise<Reply<T>> {
  for (let triesLeft = 5; ; triesLeft--) {
    const reply = await ask();
    if (triesLeft === 0 || (reply.status !== 503 && reply.status !== 429)) return reply;
    await sleep(2_000);
  }
}

export function compareWithTruth(comparisons: Comparison[]): string {
  const rows = comparisons.map((one) => [
    `${one.question} = ${one.answer}`,
    ...[one.truth, one.unweighted, one.rds2, one.ss].map(formatPercent),
    ...(one.low === null || one.high === null
      ? ['-', '']
      : [
          `${formatPercent(one.low)} to ${formatPercent(one.high)}`,
          one.low <= one.truth && one.truth <= one.high ? 'yes' : 'no',
        ]),
  ]);
  const headings = ['in %', 'truth', 'unweighted', 'RDS-II', 'SS', '95 % interval', 'holds it'];
  const columns = comparisons.some(({ low }) => low !== null) ? headings : headings.slice(0, 5);
  return formatTable(
    columns,
    rows.map((row) => row.slice(0, columns.length)),
  );
}
