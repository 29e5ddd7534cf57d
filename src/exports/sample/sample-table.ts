/**
 * The sample as a table, from which all its files are written: what respondent-driven sampling needs, then the
 * outcomes.
 */
import type { Outcome } from '../../statistics/estimators/outcome.ts';
import type { Tree } from '../../statistics/estimators/sample/sample.ts';
import type { Cell } from '../interviews/cells.ts';

/** Rows in order of time. */
export interface SampleTable {
  /** [n] each once. */
  ids: readonly string[];
  /** [n] row of the recruiter, -1 for a seed. */
  recruiters: Int32Array;
  /** [n] as reported; NaN where missing. */
  reportedSizes: Float64Array;
  /** [n] in milliseconds, never before the recruiter's. */
  times: Float64Array;
  /** [n] how many were handed out. */
  coupons: Int32Array;
  tree: Tree;
  outcomes: { name: string; outcome: Outcome }[];
}

export interface SampleColumn {
  name: string;
  type: 'text' | 'number' | 'count';
  /** Null where nothing is known. */
  at(row: number): Cell | null;
}

/** Stands where there is no recruiter; ids are made of digits and letters from a to f, so it is nobody's. */
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

/** What the file has of each person, apart from the answers. */
export function treeColumns(table: SampleTable): SampleColumn[] {
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

/** To the second, as R reads it; the rows are in order all the same. */
const instant = (time: number) =>
  Number.isNaN(time) ? null : `${new Date(time).toISOString().slice(0, 19)}Z`;

export function outcomeColumns({ outcomes }: SampleTable): SampleColumn[] {
  const names = columnNames(outcomes.map(({ name }) => name));
  return outcomes.map(({ outcome }, at): SampleColumn => {
    const name = names[at]!;
    if (outcome.kind === 'NUMBER')
      return { name, type: 'number', at: (row) => nanToNull(outcome.values[row]!) };
    const { codes, levels } = outcome;
    return { name, type: 'text', at: (row) => levels[codes[row]!] ?? null };
  });
}

/** An outcome bears its own name, unless the table has a column of that name, as a question may be called `wave`. */
export function columnNames(outcomes: readonly string[]): string[] {
  const usedNames = new Set<string>(TREE_COLUMNS);
  return outcomes.map((own) => {
    let name = own;
    while (usedNames.has(name)) name = `answer.${name}`;
    usedNames.add(name);
    return name;
  });
}

/** This many cells at a time become text. */
const CELLS_PER_CHUNK = 3_000;

/** The lines of all rows, some at a time: others are answered in between. */
export function* linesOf(table: SampleTable, line: (row: number) => string): Generator<string> {
  const n = table.ids.length;
  const some = Math.max(1, Math.floor(CELLS_PER_CHUNK / (TREE_COLUMNS.length + table.outcomes.length)));
  for (let from = 0; from < n; from += some) {
    let text = '';
    for (let row = from; row < Math.min(n, from + some); row++) text += line(row);
    yield text;
  }
}
