/** What a mark in a tree looks like: a colour for each wave, a colour and a shape for each site or answer. */
import type { Palette } from '../../desk/palette.ts';
import type { TreeNode } from './tree-layout.ts';

/** Where the colours end, the next kinds have them again in another shape. */
export const SHAPES = ['circle', 'square', 'triangle'] as const;

export interface Mark {
  colour: string;
  shape: (typeof SHAPES)[number];
}

export interface LegendEntry {
  key: string;
  label: string;
  mark: Mark;
  count: number;
}

export interface Colouring {
  legend: LegendEntry[];
  /** Nodes that share an entry of the legend share its key. */
  keyOf(node: TreeNode): string;
  markOf(node: TreeNode): Mark;
}

export interface Category {
  key: string;
  label: string;
}

interface Options {
  byWave: boolean;
  palette: Palette;
  words: { other: string; unknown: string; wave(first: number, last: number): string };
}

/** Each of the most frequent has a mark of its own; the rest shares one. */
export function colouring(
  nodes: TreeNode[],
  categoryOf: (node: TreeNode) => Category,
  { byWave, palette, words }: Options,
): Colouring {
  const none: Mark = { colour: palette.other, shape: 'circle' };
  const group = byWave ? waveGroups(nodes, palette) : 1;
  const categoryIn = (node: TreeNode): Category => {
    if (!byWave) return categoryOf(node);
    const first = node.wave - (node.wave % group);
    return { key: String(first), label: words.wave(first, first + group - 1) };
  };
  const found = new Map<string, LegendEntry>();
  for (const node of nodes) {
    const { key, label } = categoryIn(node);
    const entry = found.get(key) ?? { key, label, mark: none, count: 0 };
    entry.count += 1;
    found.set(key, entry);
  }
  const entries = [...found.values()];
  const legend = byWave
    ? waveByWave(entries, group, palette)
    : byFrequency(entries, palette, words.other, words.unknown);
  const shown = new Map(legend.map((entry) => [entry.key, entry]));
  const keyOf = (node: TreeNode) => {
    const { key } = categoryIn(node);
    return shown.has(key) ? key : 'other';
  };
  return { legend, keyOf, markOf: (node) => shown.get(keyOf(node))?.mark ?? none };
}

/** So many waves share a colour that there are no more colours than can be told apart. */
function waveGroups(nodes: TreeNode[], { waves }: Palette): number {
  const many = nodes.reduce((most, { wave }) => Math.max(most, wave), 0) + 1;
  return Math.ceil(many / waves.length);
}

function waveByWave(entries: LegendEntry[], group: number, { waves }: Palette): LegendEntry[] {
  const sorted = entries.toSorted((a, b) => Number(a.key) - Number(b.key));
  const last = Math.max(1, Number(sorted.at(-1)?.key ?? 0) / group);
  const colourOf = (key: string) => waves[Math.round(((waves.length - 1) * Number(key)) / group / last)];
  return sorted.map((entry) => ({
    ...entry,
    mark: { ...entry.mark, colour: colourOf(entry.key) ?? entry.mark.colour },
  }));
}

function byFrequency(
  entries: LegendEntry[],
  { kinds, other: grey }: Palette,
  other: string,
  unknown: string,
): LegendEntry[] {
  const none: Mark = { colour: grey, shape: 'circle' };
  const marks = SHAPES.flatMap((shape) => kinds.map((colour): Mark => ({ colour, shape })));
  const known = entries.filter(({ key }) => key !== 'unknown').sort((a, b) => b.count - a.count);
  const kept = known.slice(0, marks.length).map((entry, index) => ({ ...entry, mark: marks[index] ?? none }));
  const rest = known.slice(marks.length).reduce((sum, { count }) => sum + count, 0);
  if (rest > 0) kept.push({ key: 'other', label: other, mark: none, count: rest });
  const left = entries.find(({ key }) => key === 'unknown');
  return left ? [...kept, { ...left, label: unknown }] : kept;
}
