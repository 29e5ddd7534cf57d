/** A chain as a small chart: one column per wave, drawn as SVG paths. */
export interface ChainDrawing {
  width: number;
  height: number;
  /** Distance of the first row from the top; a single row is centered. */
  top: number;
  edges: string;
  dots: string;
  /** Dots for deleted interviews. */
  gone: string;
}

/** `parents`: index of each interview's recruiter, which always comes earlier; -1 for the seed. */
export function chainDrawingOf(parents: readonly number[], deleted: readonly number[]): ChainDrawing {
  const children: number[][] = parents.map(() => []);
  const waves: number[] = [];
  for (const [place, parent] of parents.entries()) {
    children[parent]?.push(place);
    waves.push(parent < 0 ? 0 : (waves[parent] ?? 0) + 1);
  }
  // From last to first: recruits are placed before their recruiter, who is centered between them.
  const leaves = leavesInOrder(parents, children);
  const rows = parents.map((_, place) => leaves.get(place) ?? 0);
  for (let place = parents.length - 1; place >= 0; place -= 1) {
    const below = children[place] ?? [];
    const [first, last] = [below[0], below.at(-1)].map((one) => rows[one ?? place] ?? 0);
    rows[place] = ((first ?? 0) + (last ?? 0)) / 2;
  }
  const at = (place: number) => `${waves[place]} ${round(rows[place] ?? 0)}`;
  const isGone = new Set(deleted);
  const dotsOf = (isDeleted: boolean) =>
    parents.flatMap((_, place) => (isGone.has(place) === isDeleted ? [`M${at(place)}h0`] : [])).join('');
  return {
    width: Math.max(1, ...waves),
    height: Math.max(1, leaves.size - 1),
    top: leaves.size > 1 ? 0 : 0.5,
    edges: parents.flatMap((parent, place) => (parent < 0 ? [] : [`M${at(parent)}L${at(place)}`])).join(''),
    dots: dotsOf(false),
    gone: dotsOf(true),
  };
}

/** A row for each interview without recruits, branch by branch. */
function leavesInOrder(parents: readonly number[], children: readonly number[][]): Map<number, number> {
  const leaves = new Map<number, number>();
  const open = parents.flatMap((parent, place) => (parent < 0 ? [place] : [])).reverse();
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const below = children[place] ?? [];
    if (below.length === 0) leaves.set(place, leaves.size);
    else open.push(...below.toReversed());
  }
  return leaves;
}

const round = (value: number) => Math.round(value * 100) / 100;
