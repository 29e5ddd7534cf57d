/** Colours of a tree: each stands out on light and dark, and none is the only way to learn what it says. */
import type { TreeNode } from './tree-layout.ts';

const PALETTE = [
  '#0b8272',
  '#c2560a',
  '#3f6fd1',
  '#c24d9f',
  '#7d7a00',
  '#8a5cd6',
  '#cf4a3d',
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
  evenly((172 + (220 * wave) / Math.max(1, most)) % 360);

/** As bright as stands out, 3.5 to 1 and more, on the light ground and on the dark one alike. */
const BRIGHT = 0.2;
const SATURATION = 0.62;

/** This hue at that brightness: a blue of the same lightness as a green would drown on the dark ground. */
function evenly(hue: number): string {
  let [low, high] = [0, 1];
  for (let step = 0; step < 12; step += 1) {
    const middle = (low + high) / 2;
    if (luminance(hue, middle) < BRIGHT) low = middle;
    else high = middle;
  }
  return `hsl(${Math.round(hue)}, ${100 * SATURATION}%, ${Math.round(100 * high)}%)`;
}

/** Relative luminance as WCAG defines it. */
function luminance(hue: number, lightness: number): number {
  const linear = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const swing = SATURATION * Math.min(lightness, 1 - lightness);
    const part = lightness - swing * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(0) + 0.7152 * linear(8) + 0.0722 * linear(4);
}

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
