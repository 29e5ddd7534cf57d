/** The text output of `npm run analyse`. */
import type { ChainFindings } from '../src/statistics/estimators/chain-findings.ts';
import type {
  AnalysisResults,
  OutcomeResult,
  ReplicateMethod,
} from '../src/statistics/estimators/results.ts';
import { numberOf } from './command.ts';
import { formatNumber, formatPercent, formatTable, wrapped } from './format-table.ts';
import type { Change } from './sample-change.ts';

export interface EstimateQuery {
  method: ReplicateMethod | null;
  samples: number;
  confidence: number;
  /** What a level is called, by outcome, where its code says nothing. */
  names: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By outcome. */
  warnings: ReadonlyMap<string, readonly { code: string; message: string }[]>;
  changes: ReadonlyMap<string, Change>;
}

interface FormattedEstimate {
  name: string;
  levels: readonly string[];
  format: (value: number | null | undefined) => string;
}

export function formatEstimates(results: AnalysisResults, query: EstimateQuery): string {
  const { n, N, seeds, maxWave } = results;
  const people = N === null ? '' : `, out of a population of ${N}`;
  const parts = [
    `${numberOf(n, 'respondent')} from ${numberOf(seeds, 'seed')}, ${numberOf(maxWave, 'wave')}${people}`,
  ];
  const outcomes = Object.entries(results.outcomes);
  for (const [name, outcome] of outcomes) parts.push(outcomeLines(name, outcome, query));
  if (query.method && outcomes.some(([, { bootstrap }]) => bootstrap))
    parts.push(
      `Intervals: ${query.method} bootstrap of ${ESTIMATORS[query.method]}, ${query.samples} replicates.\n"Worth" is the effective sample size: so many random interviews are as precise.`,
    );
  return parts.join('\n\n');
}

type Bounds = { low: number | null; high: number | null } | null | undefined;

const rangeOf = (bounds: Bounds, format: FormattedEstimate['format']): string =>
  typeof bounds?.low === 'number' && typeof bounds.high === 'number'
    ? `${format(bounds.low)} to ${format(bounds.high)}`
    : '-';

const FIRST_INTERVAL_TEXTS = {
  CHAIN: 'CHAIN comes first: nothing in the data contradicts its assumption.',
  CHAINS_DIFFER: 'TREE comes first: the chains differ by more than chance explains.',
  LIKENESS_REACHES_FAR:
    'TREE comes first: people resemble each other further along the chains than CHAIN assumes.',
};

function chainLines(
  { bootstrap = {} }: OutcomeResult,
  { first, firstReason, errorByDistance, standardised }: ChainFindings,
  { names, confidence }: EstimateQuery,
  { name, levels, format }: FormattedEstimate,
): string[] {
  const [chain, tree] = [bootstrap.chain?.rdsII, bootstrap.tree?.rdsII];
  const ofFirst = first === 'TREE' ? tree : chain;
  const bySs = bootstrap.chain?.ss;
  const headings = [
    `${Number((confidence * 100).toFixed(1))} % intervals`,
    ...['CHAIN', 'TREE', 'by distance', 'worth'],
    ...(bySs ? ['of SS'] : []),
  ];
  const rows = levels.map((level) => {
    const size = ofFirst?.[level]?.effectiveSize;
    return [
      names.get(name)?.get(level) ?? level,
      rangeOf(chain?.[level], format),
      rangeOf(tree?.[level], format),
      rangeOf(errorByDistance[level], format),
      size ? String(Math.round(size)) : '-',
      ...(bySs ? [rangeOf(bySs[level], format)] : []),
    ];
  });
  const ofSites = levels.map((level) => [
    names.get(name)?.get(level) ?? level,
    ...[format(standardised?.[level]?.estimate), rangeOf(standardised?.[level], format)],
  ]);
  return [
    '',
    formatTable(headings, rows),
    wrapped(FIRST_INTERVAL_TEXTS[firstReason ?? 'CHAIN']),
    ...(standardised
      ? ['', formatTable(['standardized to sites', 'RDS-II', 'interval by CHAIN'], ofSites)]
      : []),
  ];
}

function changeLines(
  { first, levels: changed }: Change,
  { names }: EstimateQuery,
  { name, format }: FormattedEstimate,
): string[] {
  const shown = Object.entries(changed);
  const rows = shown.map(([level, { from, to, difference }]) => [
    names.get(name)?.get(level) ?? level,
    ...[from, to, difference].map(({ estimate }) => format(estimate)),
    rangeOf(difference, format),
    rangeOf({ low: difference.cautiousLow, high: difference.cautiousHigh }, format),
  ]);
  const ofSites = shown.flatMap(([level, { standardised }]) =>
    standardised
      ? [[names.get(name)?.get(level) ?? level, format(standardised.estimate), rangeOf(standardised, format)]]
      : [],
  );
  const headings = ['change', 'before', 'now', 'difference', 'CHAIN', 'TREE'];
  return [
    '',
    formatTable(headings, rows),
    ...(ofSites.length > 0
      ? ['', formatTable(['change, standardized to sites', 'difference', 'CHAIN'], ofSites), '']
      : []),
    `The interval of ${first} comes first.`,
    ...shown.flatMap(([level, { sentence }]) =>
      sentence === null ? [] : [wrapped(`${names.get(name)?.get(level) ?? level}: ${sentence}`)],
    ),
  ];
}

/** What the interval is of. */
const ESTIMATORS: Record<ReplicateMethod, string> = {
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

function outcomeLines(name: string, outcome: OutcomeResult, query: EstimateQuery): string {
  const { confidence, names, method, warnings, changes } = query;
  const isShare = outcome.type === 'category';
  const change = changes.get(name);
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
  // CHAIN has a table of its own.
  const spread = outcome.chain
    ? null
    : Object.values(outcome.bootstrap ?? {})
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
    ...(outcome.chain ? chainLines(outcome, outcome.chain, query, { levels, name, format }) : []),
    ...(change ? changeLines(change, query, { levels, name, format }) : []),
    ...(outcome.missing > 0 ? [`${outcome.missing} did not answer.`] : []),
    ...(outcome.rdsIReason ? [NO_RDS1[outcome.rdsIReason]] : []),
    ...(warnings.get(name) ?? []).map(({ code, message }) => wrapped(`${code}: ${message}`)),
  ].join('\n');
}
