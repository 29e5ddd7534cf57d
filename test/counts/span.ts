/** Whether a vector is a sum of multiples of others: what can be calculated from figures that are known. */

const TINY = 1e-9;

export function isSpannedBy(wanted: readonly number[], known: readonly (readonly number[])[]): boolean {
  const rows = known.map((row) => [...row]);
  const rest = [...wanted];
  for (let column = 0; column < wanted.length; column++) {
    const at = rows.findIndex((row) => Math.abs(row[column] ?? 0) > TINY);
    const [pivot] = at < 0 ? [] : rows.splice(at, 1);
    if (!pivot) continue;
    for (const row of [...rows, rest]) subtract(row, pivot, column);
  }
  return rest.every((one) => Math.abs(one) <= TINY);
}

/** So much of `pivot` that nothing is left in this column. */
function subtract(row: number[], pivot: readonly number[], column: number): void {
  const factor = (row[column] ?? 0) / (pivot[column] ?? 1);
  if (factor === 0) return;
  for (let at = column; at < row.length; at++) row[at] = (row[at] ?? 0) - factor * (pivot[at] ?? 0);
}
