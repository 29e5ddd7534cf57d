/** The visible part of the tree: moving, zooming, and finding what was tapped. */
import type { PlacedNode, TreeLayout } from './tree-layout.ts';

export interface TreeView {
  /** Pixels per layout unit. */
  scale: number;
  x: number;
  y: number;
}

export interface CanvasSize {
  width: number;
  height: number;
}

const MARGIN = 30;
const MIN_SCALE = 0.02;
const MAX_SCALE = 6;
const READABLE_SCALE = 1;

export function zoomView(view: TreeView, factor: number, x: number, y: number): TreeView {
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
}

/** Shows all of it, without enlarging a small tree. */
export function fitView({ placed, shape, waves }: TreeLayout, { width, height }: CanvasSize): TreeView {
  // The rings extend beyond their interviews, and have their numbers at the top.
  const rim = shape === 'round' ? (waves.at(-1)?.at ?? 0) : null;
  const [xs, ys] =
    rim === null
      ? [placed.map(({ x }) => x), placed.map(({ y }) => y)]
      : [
          [-rim, rim],
          [-rim, rim],
        ];
  const reduce = (of: number[], pick: (a: number, b: number) => number) =>
    of.reduce((a, b) => pick(a, b), of[0] ?? 0);
  const [left, right] = [reduce(xs, Math.min), reduce(xs, Math.max)];
  const [top, bottom] = [reduce(ys, Math.min), reduce(ys, Math.max)];
  const scale = Math.min(
    1.6,
    (width - 2 * MARGIN) / Math.max(1, right - left),
    (height - 2 * MARGIN) / Math.max(1, bottom - top),
  );
  return { scale, x: width / 2 - (scale * (left + right)) / 2, y: height / 2 - (scale * (top + bottom)) / 2 };
}

/** The initial view: all of a round tree, or, of many rows, those around the seed, large enough to read. */
export function initialTreeView(layout: TreeLayout, size: CanvasSize): TreeView {
  const whole = fitView(layout, size);
  const scale = Math.max(whole.scale, READABLE_SCALE);
  const seed = layout.placed[0];
  if (layout.shape === 'round' || scale === whole.scale || !seed) return whole;
  return { scale, x: 2 * MARGIN - scale * seed.x, y: 2 * MARGIN - scale * seed.y };
}

/** Moves the view just enough to make this node visible. */
export function viewWithNodeVisible(
  view: TreeView,
  { x, y }: PlacedNode,
  { width, height }: CanvasSize,
): TreeView {
  const [px, py] = [view.x + x * view.scale, view.y + y * view.scale];
  const into = (at: number, max: number) =>
    at < MARGIN ? MARGIN - at : at > max - MARGIN ? max - MARGIN - at : 0;
  return { ...view, x: view.x + into(px, width), y: view.y + into(py, height) };
}

export function nearestNode(
  { placed }: TreeLayout,
  view: TreeView,
  x: number,
  y: number,
  within: number,
): PlacedNode | null {
  let best: PlacedNode | null = null;
  let distance = within ** 2;
  for (const place of placed) {
    const far = (view.x + place.x * view.scale - x) ** 2 + (view.y + place.y * view.scale - y) ** 2;
    if (far < distance) [best, distance] = [place, far];
  }
  return best;
}

/** Which interview an arrow key leads to: along the tree, not by position on the screen. */
export function nodeByArrowKey(at: PlacedNode, key: string): PlacedNode | null {
  const siblings = at.parent?.children ?? [at];
  const index = siblings.indexOf(at);
  if (key === 'ArrowLeft') return at.parent;
  if (key === 'ArrowRight') return at.children[0] ?? null;
  if (key === 'ArrowUp') return siblings[index - 1] ?? null;
  return key === 'ArrowDown' ? (siblings[index + 1] ?? null) : null;
}
