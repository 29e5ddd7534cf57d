/**
 * The sample as a table, from which all its files are written: the columns for respondent-driven sampling, followed by
 * the outcomes.
 */
import type { OutcomeAnswers } from '../../statistics/estimators/outcome.ts';
import type { SampleTree } from '../../statistics/estimators/sample/sample.ts';
import type { ExportCell } from '../interviews/cells.ts';

/** Rows in order of time. */
export interface SampleTable {
  /** [n], unique. */
  ids: readonly string[];
  /** [n] row of the recruiter; -1 for a seed. */
  recruiters: Int32Array;
  /** [n] as reported; NaN if missing. */
  reportedSizes: Float64Array;
  /** [n] in milliseconds, never before the recruiter's. */
  times: Float64Array;
  /** [n] number of coupons handed out. */
  coupons: Int32Array;
  tree: SampleTree;
  outcomes: { name: string; outcome: OutcomeAnswers }[];
}

export interface SampleColumn {
  name: string;
  type: 'text' | 'number' | 'count';
  /** Null if unknown. */
  at(row: number): ExportCell | null;
}

/** Used if there is no recruiter. Ids are hexadecimal, so it can't be one. */
export const SEED_MARK = 'seed';

export const TREE_COLUMNS = [
  'id',
  'recruiter.id',
  'network.size',
  'wave',
  'seed',
  'time',
  'max.coupons',
] as const;

/** The columns for each person, apart from the answers. */
export function recruitmentColumns(table: SampleTable): SampleColumn[] {
  const { ids, recruiters, reportedSizes, times, coupons, tree } = table;
  const recruiterOf = (row: number) => (recruiters[row]! < 0 ? SEED_MARK : ids[recruiters[row]!]!);
  const columns: Record<(typeof TREE_COLUMNS)[number], Omit<SampleColumn, 'name'>> = {
    id: { type: 'text', at: (row) => ids[row]! },
    'recruiter.id': { type: 'text', at: recruiterOf },
    'network.size': { type: 'number', at: (row) => nanToNull(reportedSizes[row]!) },
    wave: { type: 'count', at: (row) => tree.waves[row]! },
    seed: { type: 'text', at: (row) => ids[tree.seedOf[row]!]! },
    time: { type: 'text', at: (row) => instant(times[row]!) },
    'max.coupons': { type: 'count', at: (row) => coupons[row]! },
  };
  return TREE_COLUMNS.map((name) => ({ name, ...columns[name] }));
}

const nanToNull = (value: number) => (Number.isNaN(value) ? null : value);

/** To the second, for R; the rows are in order anyway. */
const instant = (time: number) =>
  Number.isNaN(time) ? null : `${new Date(time).toISOString().slice(0, 19)}Z`;

export function outcomeColumns({ outcomes }: SampleTable): SampleColumn[] {
  const names = uniqueColumnNames(outcomes.map(({ name }) => name));
  return outcomes.map(({ outcome }, at): SampleColumn => {
    const name = names[at]!;
    if (outcome.kind === 'NUMBER')
      return { name, type: 'number', at: (row) => nanToNull(outcome.values[row]!) };
    const { codes, levels } = outcome;
    return { name, type: 'text', at: (row) => levels[codes[row]!] ?? null };
  });
}

/** An outcome's column has its name, unless the table has that column already: a question may be called `wave`. */
export function uniqueColumnNames(outcomes: readonly string[]): string[] {
  const usedNames = new Set<string>(TREE_COLUMNS);
  return outcomes.map((own) => {
    let name = own;
    while (usedNames.has(name)) name = `answer.${name}`;
    usedNames.add(name);
    return name;
  });
}

/** Cells converted to text at a time. */
const CELLS_PER_CHUNK = 3_000;

/** The lines of all rows in chunks; other requests get a turn in between. */
export function* chunkLines(table: SampleTable, line: (row: number) => string): Generator<string> {
  const n = table.ids.length;
  const some = Math.max(1, Math.floor(CELLS_PER_CHUNK / (TREE_COLUMNS.length + table.outcomes.length)));
  for (let from = 0; from < n; from += some) {
    let text = '';
    for (let row = from; row < Math.min(n, from + some); row++) text += line(row);
    yield text;
  }
}
