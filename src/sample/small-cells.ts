/**
 * Which levels have too few answers to be shown: behind a figure of three people stand three people. What is hidden
 * must not be found by subtracting what is shown from the total, so it is never one level alone, nor few people in all.
 */

/**
 * [levels] whether each is hidden: those with fewer known answers than `smallest`, yet not none, then the next smallest
 * too, until the hidden ones are at least two and hold `smallest` answers.
 */
export function hiddenAmong(counts: ArrayLike<number>, smallest: number): boolean[] {
  const hidden = Array.from(counts, (count) => count > 0 && count < smallest);
  close(hidden, counts, smallest);
  return hidden;
}

/** Of a table of counts [rows][columns] whose totals by row and by column are known elsewhere. */
export function hiddenInTable(
  counts: readonly (readonly number[])[],
  smallest: number,
): { rows: boolean[]; cells: boolean[][] } {
  const width = counts[0]?.length ?? 0;
  const columnAt = (at: number) => counts.map((row) => row[at] ?? 0);
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0);
  const rows = hiddenAmong(
    counts.map((row) => sum(row)),
    smallest,
  );
  const columns = hiddenAmong(
    Array.from({ length: width }, (_, at) => sum(columnAt(at))),
    smallest,
  );
  const cells = counts.map((row, at) =>
    row.map((count, column) => rows[at]! || columns[column]! || (count > 0 && count < smallest)),
  );
  // Hiding a cell for its row may leave it alone in its column, and the other way round.
  for (let more = true; more; ) {
    more = false;
    for (const [at, row] of cells.entries()) more = close(row, counts[at]!, smallest) || more;
    for (let at = 0; at < width; at++) {
      const column = cells.map((row) => row[at]!);
      if (!close(column, columnAt(at), smallest)) continue;
      for (const [row, isHidden] of column.entries()) cells[row]![at] = isHidden;
      more = true;
    }
  }
  return { rows, cells };
}

/** Hides further ones until what is hidden can not be told apart; whether any was. Those with nobody in them last. */
function close(hidden: boolean[], counts: ArrayLike<number>, smallest: number): boolean {
  if (!hidden.includes(true)) return false;
  const open = [...hidden.keys()]
    .filter((at) => !hidden[at])
    .sort((a, b) => Number(counts[a] === 0) - Number(counts[b] === 0) || counts[a]! - counts[b]!);
  const isSafe = () => {
    const at = [...hidden.keys()].filter((one) => hidden[one]);
    return at.length >= 2 && at.reduce((sum, one) => sum + counts[one]!, 0) >= smallest;
  };
  let more = false;
  while (open.length > 0 && !isSafe()) {
    hidden[open.shift()!] = true;
    more = true;
  }
  return more;
}
