/** An SVG plot of estimates with their intervals on a common scale, with a title. */
import { escapeXml } from '../sample/graph.ts';

export interface FigureRow {
  label: string;
  /** The estimate as text. */
  text: string;
  estimate: number;
  /** The interval shown first, and the other one. */
  main: { low: number; high: number } | null;
  other: { low: number; high: number } | null;
}

export interface PlotContent {
  title: string;
  axis: string;
  rows: readonly FigureRow[];
  /** Shares use a scale from 0 to 1. */
  isShare: boolean;
  tick(value: number): string;
}

/** Narrow, so that the text is legible on a phone. */
const WIDTH = 480;
const LEFT = 160;
const RIGHT = 75;
const ROW = 30;
const TOP = 40;
const BOTTOM = 56;
const MAX_LABEL_LENGTH = 19;

export function figureSvg({ title, axis, rows, isShare, tick }: PlotContent): string {
  const [from, to] = isShare ? [0, 1] : rangeOf(rows);
  const x = (value: number) => LEFT + ((value - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const height = TOP + rows.length * ROW + BOTTOM;
  const bottom = TOP + rows.length * ROW;
  const ticks = Array.from({ length: 5 }, (_, at) => from + ((to - from) * at) / 4);
  const text = (at: number, y: number, words: string, anchor: string) =>
    `<text x="${at.toFixed(1)}" y="${y}" text-anchor="${anchor}">${escapeXml(words)}</text>`;
  const line = (x1: number, y1: number, x2: number, y2: number, color: string, width: number) =>
    `<line x1="${x1.toFixed(1)}" y1="${y1}" x2="${x2.toFixed(1)}" y2="${y2}" stroke="${color}" stroke-width="${width}"/>`;
  const grid = ticks.flatMap((value) => [
    line(x(value), TOP, x(value), bottom, '#d5d5d5', 1),
    text(x(value), bottom + 18, tick(value), 'middle'),
  ]);
  const marks = rows.flatMap(({ label, text: words, estimate, main, other }, at) => {
    const y = TOP + at * ROW + ROW / 2;
    const shortLabel = label.length > MAX_LABEL_LENGTH ? `${label.slice(0, MAX_LABEL_LENGTH - 1)}…` : label;
    return [
      text(LEFT - 10, y + 5, shortLabel, 'end'),
      ...(other ? [line(x(other.low), y, x(other.high), y, '#9db8d6', 3)] : []),
      ...(main ? [line(x(main.low), y, x(main.high), y, '#0b4f9e', 7)] : []),
      `<circle cx="${x(estimate).toFixed(1)}" cy="${y}" r="5" fill="#fff" stroke="#0b4f9e" stroke-width="2"/>`,
      text(WIDTH - RIGHT + 12, y + 5, words, 'start'),
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="16" fill="#1a1a1a"><title>${escapeXml(title)}</title><rect width="${WIDTH}" height="${height}" fill="#fff"/>${text(10, 22, title.length > 58 ? `${title.slice(0, 57)}…` : title, 'start')}${grid.join('')}${marks.join('')}${text((LEFT + WIDTH - RIGHT) / 2, bottom + 42, axis, 'middle')}</svg>\n`;
}

function rangeOf(rows: readonly FigureRow[]): [number, number] {
  const all = rows.flatMap(({ estimate, main, other }) =>
    [main, other].flatMap((one) => (one ? [one.low, one.high] : [])).concat(estimate),
  );
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const min = low >= 0 && low < high / 2 ? 0 : low;
  return high > min ? [min, high + (high - min) * 0.05] : [min - 1, min + 1];
}
