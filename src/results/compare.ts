/** One outcome in each group of another: by the weights of the whole sample, so that groups can be set side by side. */
import { setImmediate as turn } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { z } from 'zod';
import type { Category, Outcome } from '../analysis/outcome.ts';
import { replacedSizes } from '../analysis/sample.ts';
import { rds2Weights } from '../analysis/weights.ts';
import { fieldError } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import type { Actor } from '../rights/actor.ts';
import { type LoadedOutcome, loadSample, type StudySample } from '../sample/load.ts';
import { smallestCellFor } from '../sample/right.ts';
import { hiddenInTable, type Table, type Totals } from '../sample/small-cells.ts';
import { study } from '../study/model.ts';
import { forAMoment } from './kept.ts';
import type { CompareQuery, Comparison as ComparisonShape } from './schema.ts';

type Comparison = z.input<typeof ComparisonShape>;

interface Compared {
  asOf: Date;
  n: number;
  outcome: Pick<LoadedOutcome, 'levelTitles'> & { values: (string | null)[] };
  by: Pick<LoadedOutcome, 'levelTitles'> & { values: readonly string[] };
  /** People by group and by level, whether or not their other answer is known. */
  people: Totals;
  /** [groups][levels] */
  cells: Cell[][];
}

interface Cell {
  count: number;
  mean: number | null;
  rds2: number | null;
}

const kept = forAMoment<Compared>();

export async function compared(actor: Actor, query: CompareQuery, now: Date): Promise<Comparison> {
  const settings = await study();
  const key = JSON.stringify([mongoose.connection.name, actor.zone, query, settings.outcomes]);
  const found = await kept(key, () => compare(query, actor.zone, now));
  return shown(query, found, smallestCellFor(actor, settings.smallestCell));
}

async function compare({ outcome, by, ...window }: CompareQuery, zone: string, now: Date): Promise<Compared> {
  const sample = await loadSample({ window, zone, now, outcomes: { outcome, by } });
  const [of, groups] = sample.outcomes as [LoadedOutcome, LoadedOutcome];
  if (groups.outcome.kind !== 'CATEGORY') {
    throw problem('INVALID_QUERY', { errors: [fieldError('by', 'NOT_A_CATEGORY')] });
  }
  await turn();
  return {
    asOf: sample.asOf,
    n: sample.ids.length,
    outcome: {
      values: of.outcome.kind === 'CATEGORY' ? [...of.outcome.levels] : [null],
      levelTitles: of.levelTitles,
    },
    by: { values: groups.outcome.levels, levelTitles: groups.levelTitles },
    ...cellsOf(sample, of.outcome, groups.outcome),
  };
}

function cellsOf(
  { reportedSizes }: StudySample,
  outcome: Outcome,
  groups: Category,
): Pick<Compared, 'people' | 'cells'> {
  const weights = rds2Weights(replacedSizes(reportedSizes));
  const width = outcome.kind === 'CATEGORY' ? outcome.levels.length : 1;
  const people = { rows: groups.levels.map(() => 0), columns: new Array<number>(width).fill(0) };
  const sums = groups.levels.map(() =>
    Array.from({ length: width }, () => ({ count: 0, weight: 0, value: 0, weighted: 0 })),
  );
  for (let i = 0; i < weights.length; i++) {
    const group = groups.codes[i]!;
    const value = outcome.kind === 'CATEGORY' ? 1 : outcome.values[i]!;
    const level = outcome.kind === 'CATEGORY' ? outcome.codes[i]! : Number.isNaN(value) ? -1 : 0;
    if (group >= 0) people.rows[group]!++;
    if (level >= 0) people.columns[level]!++;
    if (group < 0 || level < 0) continue;
    const cell = sums[group]![level]!;
    cell.count++;
    cell.weight += weights[i]!;
    cell.value += value;
    cell.weighted += weights[i]! * value;
  }
  const cells = sums.map((row) => {
    // A share is of all in the group that gave an answer; a mean of those themselves.
    const known = row.reduce((sum, { count }) => sum + count, 0);
    const weight = row.reduce((sum, one) => sum + one.weight, 0);
    return row.map(({ count, value, weighted }) => ({
      count,
      mean: known > 0 ? value / known : null,
      rds2: weight > 0 ? weighted / weight : null,
    }));
  });
  return { people, cells };
}

/** The same cells whichever of the two is asked by the other: what one way hides the other must not tell. */
export function hiddenBetween(
  { outcome, by }: Pick<CompareQuery, 'outcome' | 'by'>,
  counts: Table,
  people: Totals,
  smallest: number,
): { rows: boolean[]; cells: boolean[][] } {
  if (by <= outcome) return hiddenInTable(counts, smallest, people);
  const turned = people.columns.map((_, level) => counts.map((row) => row[level]!));
  const hidden = hiddenInTable(turned, smallest, { rows: people.columns, columns: people.rows });
  return {
    rows: hidden.columns,
    cells: people.rows.map((_, group) => hidden.cells.map((row) => row[group]!)),
  };
}

function shown({ outcome, by }: CompareQuery, found: Compared, smallest: number): Comparison {
  const counts = found.cells.map((row) => row.map(({ count }) => count));
  const table = hiddenBetween({ outcome, by }, counts, found.people, smallest);
  const asked = { outcome, by, asOf: found.asOf.toISOString() };
  // Of so few people not even which answers they gave is told.
  if (found.n > 0 && found.n < smallest) return { ...asked, groups: [] };
  const groups = found.by.values.map((value, group) => {
    const isHidden = table.rows[group]!;
    const known = found.cells[group]!.reduce((sum, { count }) => sum + count, 0);
    return {
      value,
      title: found.by.levelTitles[group] ?? null,
      count: isHidden ? null : found.people.rows[group]!,
      known: isHidden ? null : known,
      levels: found.outcome.values.map((level, at) => {
        const about = { value: level, title: found.outcome.levelTitles[at] ?? null };
        if (isHidden || table.cells[group]![at])
          return { ...about, count: null, mean: null, rds2: null, hidden: true as const };
        return { ...about, ...found.cells[group]![at]! };
      }),
      ...(isHidden ? { hidden: true as const } : {}),
    };
  });
  return { ...asked, groups };
}
