/** One outcome in each group of another: by the weights of the whole sample, so that groups can be set side by side. */
import { setImmediate as turn } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { z } from 'zod';
import type { Category, Outcome } from '../analysis/outcome.ts';
import { replacedSizes } from '../analysis/sample.ts';
import { rds2Weights } from '../analysis/weights.ts';
import { fieldError } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import type { Texts } from '../questionnaires/countable.ts';
import { keepingLastAnswers } from '../recruitment/kept.ts';
import { titlesOf } from '../sample/by-site.ts';
import { LOCATION } from '../sample/catalogue.ts';
import { type LoadedOutcome, loadSample, type SampleWish, type StudySample } from '../sample/load.ts';
import { type Reader, smallestCellFor } from '../sample/right.ts';
import type { Totals } from '../sample/small-cells.ts';
import { study } from '../study/model.ts';
import { hiddenAtOneSite, hiddenBetween, type Slices, slicesOf } from './compare-hidden.ts';
import type { CompareQuery, Comparison as ComparisonShape } from './schema.ts';

type Comparison = z.input<typeof ComparisonShape>;

interface Compared {
  asOf: Date;
  n: number;
  outcome: Levels;
  by: Levels;
  /** People by group and by level, whether or not their other answer is known. */
  people: Totals;
  /** [groups][levels] */
  cells: Cell[][];
  /** Of the comparison at one site, where something is to be hidden. */
  slices: Slices | null;
}

interface Levels {
  /** Those that occur. */
  values: readonly (string | null)[];
  titles: ReadonlyMap<string | null, Texts | null>;
}

interface Cell {
  count: number;
  mean: number | null;
  rds2: number | null;
}

const kept = keepingLastAnswers<Compared>('compare 1');

export async function compared(
  reader: Reader,
  { maxAge, ...query }: CompareQuery,
  now: Date,
): Promise<Comparison> {
  const settings = await study();
  const smallest = smallestCellFor(reader, settings.smallestCell);
  const asked = { zone: reader.zone, now, withOtherSites: smallest > 0 };
  const key = [mongoose.connection.name, reader.zone, query, settings.outcomes, asked.withOtherSites];
  const found = await kept(key, () => compare(query, asked), maxAge);
  return shown(query, found, smallest);
}

type Asked = Pick<SampleWish, 'zone' | 'now' | 'withOtherSites'>;

async function compare({ outcome, by, ...window }: CompareQuery, asked: Asked): Promise<Compared> {
  const sample = await loadSample({ window, ...asked, outcomes: { outcome, by } });
  const [of, groups] = sample.outcomes as [LoadedOutcome, LoadedOutcome];
  if (groups.outcome.kind !== 'CATEGORY') {
    throw problem('INVALID_QUERY', { errors: [fieldError('by', 'NOT_A_CATEGORY')] });
  }
  await turn();
  return {
    asOf: sample.asOf,
    n: sample.ids.length,
    outcome: levelsOf(of, sample.elsewhere?.outcomes[0]),
    by: levelsOf(groups, sample.elsewhere?.outcomes[1]),
    ...cellsOf(sample, of.outcome, groups.outcome),
    slices: slicesOf(sample),
  };
}

const levelsOf = (here: LoadedOutcome, elsewhere?: LoadedOutcome): Levels => ({
  values: here.outcome.kind === 'CATEGORY' ? here.outcome.levels : [null],
  titles: titlesOf(here, elsewhere),
});

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

interface Line {
  value: string | null;
  title: Texts | null;
  /** Among those that occur; -1 of one that does not, and is hidden all the same. */
  place: number;
  /** Among those of the table that tells what is hidden. */
  at: number;
}

function shown({ outcome, by }: CompareQuery, found: Compared, smallest: number): Comparison {
  const asked = { outcome, by, asOf: found.asOf.toISOString() };
  // Of so few people not even which answers they gave is told.
  if (found.n > 0 && found.n < smallest) return { ...asked, groups: [] };
  const { hidden, groups, levels } = hiddenFor({ outcome, by }, found, smallest);
  const nothing = { count: null, mean: null, rds2: null, hidden: true as const };
  const nobody = { count: 0, mean: null, rds2: null };
  return {
    ...asked,
    groups: groups.map(({ value, title, place, at }) => {
      const isHidden = hidden.rows[at]!;
      const row = found.cells[place];
      const known = row?.reduce((sum, { count }) => sum + count, 0) ?? 0;
      return {
        value,
        title,
        count: isHidden ? null : (found.people.rows[place] ?? 0),
        known: isHidden ? null : known,
        levels: levels.map((level) => {
          const about = { value: level.value, title: level.title };
          if (isHidden || hidden.cells[at]![level.at]) return { ...about, ...nothing };
          return { ...about, ...(row?.[level.place] ?? nobody) };
        }),
        ...(isHidden ? { hidden: true as const } : {}),
      };
    }),
  };
}

function hiddenFor(asked: { outcome: string; by: string }, found: Compared, smallest: number) {
  const { slices, by, outcome } = found;
  const line =
    (values: readonly (string | null)[], titles: Compared['by']['titles']) =>
    (value: string | null, at: number): Line => ({
      ...{ value, at, place: values.indexOf(value) },
      title: titles.get(value) ?? null,
    });
  if (!slices) {
    const counts = found.cells.map((row) => row.map(({ count }) => count));
    return {
      hidden: hiddenBetween(asked, counts, found.people, smallest),
      groups: by.values.map(line(by.values, by.titles)),
      levels: outcome.values.map(line(outcome.values, outcome.titles)),
    };
  }
  const hidden = hiddenAtOneSite(asked, slices, smallest);
  // Which of the others a site has nobody of is no secret where the others are sites.
  const isTold = (name: string, line: Line, cells: readonly boolean[]) =>
    line.place >= 0 || (name !== LOCATION.name && cells.includes(true));
  return {
    hidden,
    groups: slices.groups
      .map(line(by.values, by.titles))
      .filter((one) => isTold(asked.by, one, hidden.cells[one.at] ?? [])),
    levels: slices.levels.map(line(outcome.values, outcome.titles)).filter((one) =>
      isTold(
        asked.outcome,
        one,
        hidden.cells.map((row) => row[one.at]!),
      ),
    ),
  };
}
