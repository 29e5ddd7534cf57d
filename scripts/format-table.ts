/** Tables for a terminal with 80 columns. */

const WIDTH = 80;
const GAP = '  ';

/**
 * Columns of figures, to the right, beside what they are of; that stands on a line of its own where it is too long.
 * Each row has as many cells as there are headings.
 */
export function formatTable(headings: string[], rows: string[][]): string {
  const widths = headings.map((_, at) =>
    Math.max(...[headings, ...rows].map((row) => (row[at] ?? '').length)),
  );
  const rest = widths.slice(1).reduce((sum, width) => sum + GAP.length + width, 0);
  const all = [headings, ...rows];
  const room = Math.max(8, WIDTH - rest);
  const first = Math.max(...all.map(([name = '']) => (name.length > room ? 0 : name.length)));
  return all.map((row) => formatRow(row, [first, ...widths.slice(1)])).join('\n');
}

function formatRow([name = '', ...cells]: string[], [first = 0, ...widths]: number[]): string {
  const line = cells.map((cell, at) => GAP + cell.padStart(widths[at] ?? 0)).join('');
  return name.length > first ? `${name}\n${' '.repeat(first)}${line}` : name.padEnd(first) + line;
}

/** A share in percent, without the sign: the heading says it. */
export const formatPercent = (value: number | null | undefined): string =>
  typeof value === 'number' ? (100 * value).toFixed(1) : '-';

export const formatNumber = (value: number | null | undefined): string =>
  typeof value === 'number' ? String(Number(value.toPrecision(5))) : '-';

export function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ');
    if (longer.length > WIDTH) lines.push(`  ${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines.join('\n');
}
