/** The position of each interview in a tree: in rings or in columns, one per wave. */
import { type HierarchyPointNode, hierarchy, tree } from 'd3-hierarchy';
import type { z } from 'zod';
import type { ChainTree as TreeSchema } from '../../../../../src/board/recruitment/schema.ts';

export type ChainTree = z.infer<typeof TreeSchema>;
export type TreeNode = ChainTree['nodes'][number];
export type TreeLayoutShape = 'round' | 'rows';

export interface TreeBranch {
  node: TreeNode;
  children: TreeBranch[];
}

export interface PlacedNode {
  node: TreeNode;
  x: number;
  y: number;
  parent: PlacedNode | null;
  children: PlacedNode[];
}

export interface TreeLayout {
  shape: TreeLayoutShape;
  placed: PlacedNode[];
  /** Radius of each ring, or x of each column. */
  waves: { wave: number; at: number }[];
}

const RING_DISTANCE = 70;
const NODE_DISTANCE = 15;
const COLUMN_WIDTH = 130;
const ROW_HEIGHT = 18;

/** The chain, or one branch of it; null if empty. Parents come before their children in `nodes`. */
export function nestedTreeBranch(nodes: TreeNode[], root: string | null): TreeBranch | null {
  const byId = new Map<string, TreeBranch>();
  for (const node of nodes) {
    const branch: TreeBranch = { node, children: [] };
    byId.set(node.id, branch);
    if (node.parent !== null) byId.get(node.parent)?.children.push(branch);
  }
  return byId.get(root ?? nodes[0]?.id ?? '') ?? byId.get(nodes[0]?.id ?? '') ?? null;
}

/** Number of interviews in the branch, including its root. */
export const branchSizeOf = (branch: TreeBranch): number =>
  branch.children.reduce((sum, child) => sum + branchSizeOf(child), 1);

/** The distance between rings at which even the fullest ring fits all its interviews. */
function ringOf(root: HierarchyPointNode<TreeBranch>): number {
  const count = new Map<number, number>();
  root.each(({ depth }) => count.set(depth, (count.get(depth) ?? 0) + 1));
  const needed = [...count].map(([depth, many]) =>
    depth === 0 ? 0 : (many * NODE_DISTANCE) / (2 * Math.PI * depth),
  );
  return Math.max(RING_DISTANCE, ...needed);
}

/** Each interview is level with its first recruit, as in a list, so that a tall tree reads from the top. */
function stackRows(root: HierarchyPointNode<TreeBranch>): void {
  let next = 0;
  root.eachAfter((at) => {
    at.x = at.children?.[0]?.x ?? next++;
  });
}

export function layOutTree(branch: TreeBranch, shape: TreeLayoutShape): TreeLayout {
  const root = hierarchy(branch, ({ children }) => children);
  const first = branch.node.wave;
  const rows = shape === 'rows';
  const pointTree = tree<TreeBranch>()
    .size([2 * Math.PI, 1])
    .separation((a, b) => (a.parent === b.parent ? 1 : 2) / Math.max(1, a.depth))(root);
  if (rows) stackRows(pointTree);
  const ring = rows ? COLUMN_WIDTH : ringOf(pointTree);
  const places = new Map<HierarchyPointNode<TreeBranch>, PlacedNode>();
  pointTree.each((at) => {
    const [angle, far] = [at.x - Math.PI / 2, at.depth * ring];
    const place: PlacedNode = {
      node: at.data.node,
      x: rows ? at.depth * COLUMN_WIDTH : far * Math.cos(angle),
      y: rows ? at.x * ROW_HEIGHT : far * Math.sin(angle),
      parent: at.parent ? (places.get(at.parent) ?? null) : null,
      children: [],
    };
    place.parent?.children.push(place);
    places.set(at, place);
  });
  const waves = Array.from({ length: pointTree.height + 1 }, (_, depth) => ({
    wave: first + depth,
    at: depth * ring,
  }));
  return { shape, placed: [...places.values()], waves };
}
