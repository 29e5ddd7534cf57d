/** Rounds to integers that still add up, for publication. */

/**
 * Integers that add up to `total`, by largest remainders. Each is at least its floor (rounded up) if the floors leave
 * room for that; what is missing is then taken from the others in proportion.
 */
export function roundedToTotal(
  figures: ArrayLike<number>,
  total: number,
  floors: ArrayLike<number> = [],
): number[] {
  const n = figures.length;
  const min = Array.from({ length: n }, (_, at) => Math.ceil(floors[at] ?? 0));
  const raised = raisedToFloors(Array.from(figures), total, min);
  const down = raised.map(Math.floor);
  const remainder = total - down.reduce((sum, one) => sum + one, 0);
  const order = [...raised.keys()].sort(
    (a, b) => raised[b]! - down[b]! - (raised[a]! - down[a]!) || raised[b]! - raised[a]! || a - b,
  );
  for (const at of order.slice(0, Math.max(0, remainder))) down[at]!++;
  return down;
}

function raisedToFloors(figures: readonly number[], total: number, min: readonly number[]): number[] {
  const sum = figures.reduce((all, one) => all + one, 0);
  if (sum <= 0) return figures.map(() => 0);
  const scaled = figures.map((one) => (one / sum) * total);
  if (min.reduce((all, one) => all + one, 0) > total) return scaled;
  const isFixed = figures.map(() => false);
  for (;;) {
    const room = total - min.reduce((all, one, at) => all + (isFixed[at] ? one : 0), 0);
    const free = scaled.reduce((all, one, at) => all + (isFixed[at] ? 0 : one), 0);
    const candidate = scaled.map((one, at) => (isFixed[at] ? min[at]! : free > 0 ? (one / free) * room : 0));
    const below = candidate.findIndex((one, at) => !isFixed[at] && one < min[at]!);
    if (below < 0) return candidate;
    isFixed[below] = true;
  }
}
