/**
 * Which levels have too few answers to be shown, because they could identify people. What is hidden must not be found
 * by subtracting what is shown from the total, so it is never just one level, and never few people in total.
 */

/**
 * [levels] whether each is hidden: those with fewer known answers than `smallest`, yet not none, then the next smallest
 * too, until the hidden ones are at least two and hold `smallest` answers.
 */
export function hiddenAmong(
  counts: ArrayLike<number>,
  smallest: number,
  apart: ArrayLike<number> = counts,
): boolean[] {
  const hidden = Array.from(counts, (count) => count > 0 && count < smallest);
  protectLine(hidden, counts, smallest, { apart });
  return hidden;
}

/** A larger table has few people in each cell, and is hidden whole: to look through it would hold others up. */
export const MAX_CELLS = 10_000;

export type CellCounts = readonly (readonly number[])[];

/** How many people each row and each column has, whether or not their other answer is known: told elsewhere. */
export interface MarginTotals {
  rows: readonly number[];
  columns: readonly number[];
}

export interface HiddenCells {
  rows: boolean[];
  columns: boolean[];
  cells: boolean[][];
}

/** What is known of a table from elsewhere. */
export interface KnownElsewhere {
  /** What another table hides, and this one must not tell. */
  hidden?: Partial<{ [Part in keyof HiddenCells]: Readonly<HiddenCells[Part]> }>;
  /** Everyone can know how many answers each row has, hidden or not. */
  areRowsTold?: boolean;
  /** Of a number, whose cells do not add up: how many of each differ from its commonest value. */
  apart?: CellCounts | undefined;
}

/**
 * Of a table of counts [rows][columns]. A row or column is hidden whole where its known answers or its people call for
 * it, for both are told somewhere. What is hidden in a table depends on which way it is gone through: whoever shows one
 * both ways round turns it back first, or each way would tell what the other hides.
 */
export function hiddenInTable(
  counts: CellCounts,
  smallest: number,
  { rows, columns }: MarginTotals,
  { hidden: already = {}, areRowsTold = false, apart = counts }: KnownElsewhere = {},
): HiddenCells {
  const turned = transposed(counts, columns.length);
  const whole = (lines: CellCounts, people: readonly number[], apartLines = lines) => {
    const hiddenByAnswers = hiddenAmong(lines.map(sum), smallest, apartLines.map(sum));
    return hiddenAmong(people, smallest).map((one, at) => one || hiddenByAnswers[at]!);
  };
  if (smallest > 0 && rows.length * columns.length > MAX_CELLS) return allOf(rows.length, columns.length);
  const either = (one: boolean[], other: readonly boolean[] = []) =>
    one.map((isHidden, at) => isHidden || (other[at] ?? false));
  const hidden = {
    rows: either(whole(counts, rows, apart), already.rows),
    columns: either(whole(turned, columns), already.columns),
  };
  const isSmall = (count: number) => count > 0 && count < smallest;
  const cells = counts.map((row, a) =>
    row.map(
      (count, b) =>
        hidden.rows[a]! || hidden.columns[b]! || isSmall(count) || (already.cells?.[a]?.[b] ?? false),
    ),
  );
  // Of a table of one column each row would be found: there is nothing to tell apart in it.
  const mask = { ...hidden, cells, ...(areRowsTold && columns.length > 1 ? { rows: [] } : {}) };
  do protectLines(cells, counts, smallest, apart);
  while (hideBesideFound(mask, counts, smallest));
  return { ...hidden, cells };
}

export function allOf(rows: number, columns: number): HiddenCells {
  const line = (length: number) => new Array<boolean>(length).fill(true);
  return { rows: line(rows), columns: line(columns), cells: line(rows).map(() => line(columns)) };
}

/**
 * Hiding a cell for its row may leave it alone in its column, and the other way round: a line is taken first that hides
 * something already.
 */
function protectLines(cells: boolean[][], counts: CellCounts, smallest: number, apart: CellCounts): void {
  const columns = [...(counts[0] ?? []).keys()];
  for (let more = true; more; ) {
    more = false;
    const isOpenColumn = columns.map((column) => !cells.some((row) => row[column]));
    for (const [at, row] of cells.entries()) {
      if (!protectLine(row, counts[at]!, smallest, { keepVisible: isOpenColumn, apart: apart[at]! }))
        continue;
      for (const column of columns) if (row[column]) isOpenColumn[column] = false;
      more = true;
    }
    const isOpenRow = cells.map((row) => !row.includes(true));
    for (const at of columns) {
      const column = cells.map((row) => row[at]!);
      const of = (table: CellCounts) => table.map((row) => row[at]!);
      if (!protectLine(column, of(counts), smallest, { keepVisible: isOpenRow, apart: of(apart) })) continue;
      for (const [row, isHidden] of column.entries()) {
        cells[row]![at] = isHidden;
        if (isHidden) isOpenRow[row] = false;
      }
      more = true;
    }
  }
}

/**
 * Two hidden cells in each line are not always enough: all sums together may leave but one number for a small one. Then
 * one more is hidden beside it; whether any was.
 */
function hideBesideFound(hidden: HiddenCells, counts: CellCounts, smallest: number): boolean {
  const exposedCell = foundIn(hidden, counts, smallest);
  if (!exposedCell) return false;
  const open = hidden.cells.flatMap((row, a) =>
    row.flatMap((isHidden, b) => (isHidden ? [] : [{ a, b, count: counts[a]![b]! }])),
  );
  const isBeside = ({ a, b }: { a: number; b: number }) => a === exposedCell.row || b === exposedCell.column;
  const [next] = open.sort(
    (one, other) =>
      Number(one.count === 0) - Number(other.count === 0) ||
      Number(isBeside(other)) - Number(isBeside(one)) ||
      one.count - other.count,
  );
  if (next) hidden.cells[next.a]![next.b] = true;
  return next !== undefined;
}

/**
 * The first small hidden cell that who knows the sums of rows and columns can work out. The table is a stream from a
 * source by rows and columns to a sink: what is hidden can be another number if some of it can go another way round,
 * none of it being less than 0.
 */
function foundIn({ rows, columns, cells }: HiddenCells, counts: CellCounts, smallest: number) {
  const [source, sink] = [counts.length + columns.length, counts.length + columns.length + 1];
  const columnAt = (column: number) => counts.length + column;
  const ways = new Map<number, Set<number>>();
  const way = (from: number, to: number, count: number) => {
    for (const [a, b] of count > 0 ? [[from, to] as const, [to, from] as const] : [[from, to] as const])
      ways.set(a, (ways.get(a) ?? new Set()).add(b));
  };
  const turned = transposed(counts, columns.length);
  for (const [a, row] of cells.entries())
    for (const [b, isHidden] of row.entries()) if (isHidden) way(a, columnAt(b), counts[a]![b]!);
  for (const [a, isHidden] of rows.entries()) if (isHidden) way(source, a, sum(counts[a]!));
  for (const [b, isHidden] of columns.entries()) if (isHidden) way(columnAt(b), sink, sum(turned[b]!));
  for (const [row, line] of cells.entries())
    for (const [column, isHidden] of line.entries()) {
      const count = counts[row]![column]!;
      if (!isHidden || count === 0 || count >= smallest) continue;
      const [from, to] = [row, columnAt(column)];
      if (!leads(ways, from, to) && !leads(ways, to, from)) return { row, column };
    }
  return null;
}

/** Whether there is a way from one to the other, but for the direct one. */
function leads(ways: ReadonlyMap<number, ReadonlySet<number>>, from: number, to: number): boolean {
  const met = new Set([from]);
  for (const at of met)
    for (const next of ways.get(at) ?? []) {
      if (at === from && next === to) continue;
      if (next === to) return true;
      met.add(next);
    }
  return false;
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

const transposed = (counts: CellCounts, width: number): number[][] =>
  Array.from({ length: width }, (_, at) => counts.map((row) => row[at]!));

/**
 * Hides further ones until what is hidden can not be told apart; whether any was. Those with nobody in them last, and
 * before them those that are `keepVisible`. `apart`: see `KnownElsewhere`; by default what each count holds.
 */
export function protectLine(
  hidden: boolean[],
  counts: ArrayLike<number>,
  smallest: number,
  { keepVisible = [], apart = counts }: { keepVisible?: readonly boolean[]; apart?: ArrayLike<number> } = {},
): boolean {
  if (!hidden.includes(true)) return false;
  const open = [...hidden.keys()]
    .filter((at) => !hidden[at])
    .sort(
      (a, b) =>
        Number(counts[a] === 0) - Number(counts[b] === 0) ||
        Number(apart[a] === 0) - Number(apart[b] === 0) ||
        Number(keepVisible[a] ?? false) - Number(keepVisible[b] ?? false) ||
        counts[a]! - counts[b]!,
    );
  const isSafe = () => {
    const at = [...hidden.keys()].filter((one) => hidden[one]);
    return at.length >= 2 && at.reduce((sum, one) => sum + apart[one]!, 0) >= smallest;
  };
  let more = false;
  while (open.length > 0 && !isSafe()) {
    hidden[open.shift()!] = true;
    more = true;
  }
  return more;
}
