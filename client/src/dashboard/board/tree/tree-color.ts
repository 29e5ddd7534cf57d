/** How interviews look in a tree: a color for each wave, or a color and a shape for each site or answer. */
import type { Palette } from '../../kit/charts/palette.ts';
import type { TreeNode } from './tree-layout.ts';

/** When the colors run out, they repeat with the next shape. */
export const MARK_SHAPES = ['circle', 'square', 'triangle'] as const;

export interface NodeMark {
  color: string;
  shape: (typeof MARK_SHAPES)[number];
}

export interface LegendEntry {
  key: string;
  label: string;
  mark: NodeMark;
  count: number;
}

export interface TreeColors {
  legend: LegendEntry[];
  /** Nodes that share a legend entry share its key. */
  keyOf(node: TreeNode): string;
  markOf(node: TreeNode): NodeMark;
}

/** What the nodes are grouped by. Nodes with the same key share a mark and a label. */
export interface ColorKind {
  keyOf(node: TreeNode): string;
  labelOf(node: TreeNode): string;
}

interface Options {
  /** Null to color by wave. */
  kind: ColorKind | null;
  palette: Palette;
  words: { other: string; unknown: string; wave(first: number, last: number): string };
}

/** The most frequent keys get their own marks; the others share one. `labelOf` is called once per key. */
export function colorTree(nodes: TreeNode[], { kind, palette, words }: Options): TreeColors {
  const none: NodeMark = { color: palette.other, shape: 'circle' };
  const group = kind ? 1 : waveGroups(nodes, palette);
  const firstWave = ({ wave }: TreeNode) => wave - (wave % group);
  const { keyOf, labelOf }: ColorKind = kind ?? {
    keyOf: (node) => String(firstWave(node)),
    labelOf: (node) => words.wave(firstWave(node), firstWave(node) + group - 1),
  };
  const entryByKey = new Map<string, LegendEntry>();
  for (const node of nodes) {
    const key = keyOf(node);
    const entry = entryByKey.get(key);
    if (entry) entry.count += 1;
    else entryByKey.set(key, { key, label: labelOf(node), mark: none, count: 1 });
  }
  const entries = [...entryByKey.values()];
  const legend = kind
    ? byFrequency(entries, palette, words.other, words.unknown)
    : waveByWave(entries, group, palette);
  const legendByKey = new Map(legend.map((entry) => [entry.key, entry]));
  const shownKey = (node: TreeNode) => {
    const key = keyOf(node);
    return legendByKey.has(key) ? key : 'other';
  };
  return { legend, keyOf: shownKey, markOf: (node) => legendByKey.get(keyOf(node))?.mark ?? none };
}

/** Number of waves that share a color, so that there are no more colors than can be told apart. */
function waveGroups(nodes: TreeNode[], { waves }: Palette): number {
  const many = nodes.reduce((max, { wave }) => Math.max(max, wave), 0) + 1;
  return Math.ceil(many / waves.length);
}

function waveByWave(entries: LegendEntry[], group: number, { waves }: Palette): LegendEntry[] {
  const sorted = entries.toSorted((a, b) => Number(a.key) - Number(b.key));
  const last = Math.max(1, Number(sorted.at(-1)?.key ?? 0) / group);
  const colorOf = (key: string) => waves[Math.round(((waves.length - 1) * Number(key)) / group / last)];
  return sorted.map((entry) => ({
    ...entry,
    mark: { ...entry.mark, color: colorOf(entry.key) ?? entry.mark.color },
  }));
}

function byFrequency(
  entries: LegendEntry[],
  { kinds, other: grey }: Palette,
  other: string,
  unknown: string,
): LegendEntry[] {
  const none: NodeMark = { color: grey, shape: 'circle' };
  const marks = MARK_SHAPES.flatMap((shape) => kinds.map((color): NodeMark => ({ color, shape })));
  const sortedEntries = entries.filter(({ key }) => key !== 'unknown').sort((a, b) => b.count - a.count);
  const legend = sortedEntries
    .slice(0, marks.length)
    .map((entry, index) => ({ ...entry, mark: marks[index] ?? none }));
  const rest = sortedEntries.slice(marks.length).reduce((sum, { count }) => sum + count, 0);
  if (rest > 0) legend.push({ key: 'other', label: other, mark: none, count: rest });
  const unknownEntry = entries.find(({ key }) => key === 'unknown');
  return unknownEntry ? [...legend, { ...unknownEntry, label: unknown }] : legend;
}
