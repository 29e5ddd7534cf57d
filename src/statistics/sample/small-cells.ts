/**
 * Which levels have too few answers to be shown, because they could identify people. It must not be possible to derive
 * hidden counts by subtracting the shown ones from the total, so we never hide just one level, or only a few people in
 * total.
 */

/**
 * [levels] whether each is hidden: those with at least one but fewer than `smallest` known answers, then the next
 * smallest ones too, until at least two levels with at least `smallest` answers in total are hidden.
 */
export function hiddenLevels(
  counts: ArrayLike<number>,
  smallest: number,
  apart: ArrayLike<number> = counts,
): boolean[] {
  const hidden = Array.from(counts, (count) => count > 0 && count < smallest);
  hideMoreCellsInLine(hidden, counts, smallest, { apart });
  return hidden;
}

/**
 * Larger tables are hidden completely: they have few people in each cell, and checking them would block other requests.
 */
export const MAX_CROSSTAB_CELLS = 10_000;

export type CellCounts = readonly (readonly number[])[];

/**
 * How many people each row and each column has, whether or not their other answer is known. These totals are shown
 * elsewhere.
 */
export interface TableTotals {
  rows: readonly number[];
  columns: readonly number[];
}

export interface HiddenCells {
  rows: boolean[];
  columns: boolean[];
  cells: boolean[][];
}

/** What is known about a table from elsewhere. */
export interface OtherTableKnowledge {
  /** What another table hides, which this one must not reveal. */
  hidden?: Partial<{ [Part in keyof HiddenCells]: Readonly<HiddenCells[Part]> }>;
  /** The number of answers in each row is public, even if the row is hidden. */
  areRowsPublic?: boolean;
  /** For a number, whose cell sizes cannot be added: how many people in each cell differ from its most common value. */
  apart?: CellCounts | undefined;
}

/**
 * What to hide in a table of counts [rows][columns]. A row or column is hidden completely if its known answers or its
 * people require it, because both totals are shown somewhere. The result depends on the table's orientation: callers
 * that show both orientations must always compute it in the same one, or each would reveal what the other hides.
 */
export function hiddenInTable(
  counts: CellCounts,
  smallest: number,
  { rows, columns }: TableTotals,
  { hidden: already = {}, areRowsPublic = false, apart = counts }: OtherTableKnowledge = {},
): HiddenCells {
  const turned = transposed(counts, columns.length);
  const whole = (lines: CellCounts, people: readonly number[], apartLines = lines) => {
    const hiddenByAnswers = hiddenLevels(lines.map(sum), smallest, apartLines.map(sum));
    return hiddenLevels(people, smallest).map((one, at) => one || hiddenByAnswers[at]!);
  };
  if (smallest > 0 && rows.length * columns.length > MAX_CROSSTAB_CELLS)
    return hideAllCells(rows.length, columns.length);
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
  // With a single column, public row totals would reveal every cell, so they are not treated as public.
  const mask = { ...hidden, cells, ...(areRowsPublic && columns.length > 1 ? { rows: [] } : {}) };
  do protectLines(cells, counts, smallest, apart);
  while (protectExposedCell(mask, counts, smallest));
  return { ...hidden, cells };
}

export function hideAllCells(rows: number, columns: number): HiddenCells {
  const line = (length: number) => new Array<boolean>(length).fill(true);
  return { rows: line(rows), columns: line(columns), cells: line(rows).map(() => line(columns)) };
}

/**
 * Hiding a cell to protect its row may leave it the only hidden one in its column, and vice versa. So we prefer cells
 * in lines that already have hidden cells.
 */
function protectLines(cells: boolean[][], counts: CellCounts, smallest: number, apart: CellCounts): void {
  const columns = [...(counts[0] ?? []).keys()];
  for (let more = true; more; ) {
    more = false;
    const isOpenColumn = columns.map((column) => !cells.some((row) => row[column]));
    for (const [at, row] of cells.entries()) {
      if (!hideMoreCellsInLine(row, counts[at]!, smallest, { keepVisible: isOpenColumn, apart: apart[at]! }))
        continue;
      for (const column of columns) if (row[column]) isOpenColumn[column] = false;
      more = true;
    }
    const isOpenRow = cells.map((row) => !row.includes(true));
    for (const at of columns) {
      const column = cells.map((row) => row[at]!);
      const of = (table: CellCounts) => table.map((row) => row[at]!);
      if (!hideMoreCellsInLine(column, of(counts), smallest, { keepVisible: isOpenRow, apart: of(apart) }))
        continue;
      for (const [row, isHidden] of column.entries()) {
        cells[row]![at] = isHidden;
        if (isHidden) isOpenRow[row] = false;
      }
      more = true;
    }
  }
}

/**
 * Two hidden cells per line are not always enough: all sums together may leave only one possible value for a small
 * cell. Hides one more cell in that case, and returns whether it did.
 */
function protectExposedCell(hidden: HiddenCells, counts: CellCounts, smallest: number): boolean {
  const exposedCell = exposedCellIn(hidden, counts, smallest);
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
 * The first small hidden cell whose value can be derived from the row and column sums. Models the table as a flow
 * network from a source through rows and columns to a sink: a hidden cell can have another value if some of its flow
 * can take another route without any cell dropping below 0.
 */
function exposedCellIn({ rows, columns, cells }: HiddenCells, counts: CellCounts, smallest: number) {
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

/** Whether there is a path between two nodes other than the direct edge. */
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
 * Hides more entries until the hidden ones cannot be told apart; returns whether it hid any. Empty entries are hidden
 * last, and `keepVisible` entries late. `apart`: see `OtherTableKnowledge`; defaults to the counts.
 */
export function hideMoreCellsInLine(
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
