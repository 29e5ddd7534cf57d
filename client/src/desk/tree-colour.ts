/** Colours of a tree: each stands out on light and dark, and none is the only way to learn what it says. */
import type { TreeNode } from './tree-layout.ts';

const PALETTE = [
  '#0b8272',
  '#c2560a',
  '#3f6fd1',
  '#b0308a',
  '#7d7a00',
  '#8a5cd6',
  '#c23b2e',
  '#2f8f3a',
  '#8c6d46',
];
export const OTHER = '#75808a';

interface LegendEntry {
  key: string;
  label: string;
  colour: string;
  count: number;
}

export interface Colouring {
  legend: LegendEntry[];
  keyOf(node: TreeNode): string;
  colourOf(node: TreeNode): string;
}

export interface Category {
  key: string;
  label: string;
}

/** From teal over blue and red to orange: neighbouring waves stand beside each other in the rainbow too. */
const waveColour = (wave: number, most: number): string =>
  `hsl(${Math.round(172 + (220 * wave) / Math.max(1, most))}, 58%, 43%)`;

/** The most frequent get colours of their own; the rest shares one. */
export function colouring(
  nodes: TreeNode[],
  categoryOf: (node: TreeNode) => Category,
  options: { byWave: boolean; other: string; unknown: string },
): Colouring {
  const found = new Map<string, LegendEntry>();
  for (const node of nodes) {
    const { key, label } = categoryOf(node);
    const entry = found.get(key) ?? { key, label, colour: OTHER, count: 0 };
    entry.count += 1;
    found.set(key, entry);
  }
  const legend = options.byWave
    ? byWave([...found.values()])
    : byFrequency([...found.values()], options.other, options.unknown);
  const shown = new Map(legend.map((entry) => [entry.key, entry]));
  const keyOf = (node: TreeNode) => {
    const { key } = categoryOf(node);
    return shown.has(key) ? key : 'other';
  };
  return { legend, keyOf, colourOf: (node) => shown.get(keyOf(node))?.colour ?? OTHER };
}

function byWave(entries: LegendEntry[]): LegendEntry[] {
  const sorted = entries.sort((a, b) => Number(a.key) - Number(b.key));
  const most = Number(sorted.at(-1)?.key ?? 0);
  return sorted.map((entry) => ({ ...entry, colour: waveColour(Number(entry.key), most) }));
}

function byFrequency(entries: LegendEntry[], other: string, unknown: string): LegendEntry[] {
  const known = entries.filter(({ key }) => key !== 'unknown').sort((a, b) => b.count - a.count);
  const kept = known
    .slice(0, PALETTE.length)
    .map((entry, index) => ({ ...entry, colour: PALETTE[index] ?? OTHER }));
  const rest = known.slice(PALETTE.length).reduce((sum, { count }) => sum + count, 0);
  if (rest > 0) kept.push({ key: 'other', label: other, colour: OTHER, count: rest });
  const none = entries.find(({ key }) => key === 'unknown');
  return none ? [...kept, { ...none, label: unknown, colour: OTHER }] : kept;
}

export { PALETTE };
