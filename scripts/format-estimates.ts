/** The text output of `npm run analyse`. */
import type { Method, OutcomeResult, Results } from '../src/statistics/estimators/results.ts';
import { numberOf } from './command.ts';
import { formatNumber, formatPercent, formatTable } from './format-table.ts';

export interface EstimateQuery {
  method: Method | null;
  samples: number;
  confidence: number;
  /** What a level is called, by outcome, where its code says nothing. */
  names: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By outcome. */
  warnings: ReadonlyMap<string, readonly { code: string; message: string }[]>;
}

export function formatEstimates(results: Results, query: EstimateQuery): string {
  const { n, N, seeds, maxWave } = results;
  const people = N === null ? '' : `, out of a population of ${N}`;
  const parts = [
    `${numberOf(n, 'respondent')} from ${numberOf(seeds, 'seed')}, ${numberOf(maxWave, 'wave')}${people}`,
  ];
  const outcomes = Object.entries(results.outcomes);
  for (const [name, outcome] of outcomes) parts.push(ofOutcome(name, outcome, query));
  if (query.method && outcomes.some(([, { bootstrap }]) => bootstrap))
    parts.push(
      `Intervals: ${query.method} bootstrap of ${ESTIMATORS[query.method]}, ${query.samples} replicates.\n"Worth" is the effective sample size: so many random interviews are as precise.`,
    );
  return parts.join('\n\n');
}

/** What the interval is of. */
const ESTIMATORS: Record<Method, string> = {
  chain: 'RDS-II',
  tree: 'RDS-II',
  salganik: 'RDS-II',
  gile: 'SS',
};

const NO_RDS1 = {
  NOT_CONNECTED: 'RDS-I has no estimate: there are groups that never recruited each other.',
  NO_RECRUITS: 'RDS-I has no estimate: no one is known whose recruiter gave an answer too.',
  PERIODIC: 'RDS-I has no estimate: the groups recruited each other in strict alternation.',
};

function ofOutcome(name: string, outcome: OutcomeResult, query: EstimateQuery): string {
  const { confidence, names, method, warnings } = query;
  const isShare = outcome.type === 'category';
  const levels = isShare ? (outcome.levels ?? []) : ['mean'];
  if (outcome.known === 0) return `${name}: nobody answered.`;
  const format = isShare ? formatPercent : formatNumber;
  const kinds = [
    ['unweighted', outcome.naive],
    ['RDS-I', outcome.rdsI],
    ['RDS-II', outcome.rdsII],
    ['SS', outcome.ss],
  ] as const;
  const columns = kinds.filter(([, figure]) => figure != null);
  // Salganik's is of RDS-I and of RDS-II: the latter is shown.
  const spread = Object.values(outcome.bootstrap ?? {})
    .flatMap((by) => Object.values(by))
    .at(-1);
  const headings = [isShare ? `${name}, %` : name, 'answers', ...columns.map(([heading]) => heading)];
  if (spread && method)
    headings.push(`${Number((confidence * 100).toFixed(1))} % interval of ${ESTIMATORS[method]}`, 'worth');
  const rows = levels.map((level) => {
    const one = spread?.[level];
    return [
      names.get(name)?.get(level) ?? level,
      String(outcome.counts?.[level] ?? outcome.known),
      ...columns.map(([, figure]) => format(figure?.[level])),
      ...(spread ? [one ? `${format(one.low)} to ${format(one.high)}` : '-'] : []),
      ...(spread ? [one?.effectiveSize ? String(Math.round(one.effectiveSize)) : '-'] : []),
    ];
  });
  return [
    formatTable(headings, rows),
    ...(outcome.missing > 0 ? [`${outcome.missing} did not answer.`] : []),
    ...(outcome.rdsIReason ? [NO_RDS1[outcome.rdsIReason]] : []),
    ...(warnings.get(name) ?? []).map(({ code, message }) => wrapped(`${code}: ${message}`)),
  ].join('\n');
}

const WIDTH = 80;

function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ');
    if (longer.length > WIDTH) lines.push(`  ${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines.join('\n');
}
