/** Text in charts: its width, and breaking it to fit. */

export const FONT_SIZE = 14;

let context: CanvasRenderingContext2D | null | undefined;
let family: string | undefined;

export function widthOf(text: string, weight = 400, size = FONT_SIZE): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * size * 0.6;
  family ??= getComputedStyle(document.body).fontFamily;
  context.font = `${weight} ${size}px ${family}`;
  return context.measureText(text).width;
}

/** In lines of this width at most; what does not fit into so many ends with an ellipsis. */
export function linesOf(text: string, width: number, most: number, weight = 400): string[] {
  const lines: string[] = [];
  let line = '';
  // Chinese has no blanks: there a line may end behind any sign.
  for (const word of text.match(
    /[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]|[^\s\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]+\s*|\s+/g,
  ) ?? []) {
    if (line && widthOf((line + word).trimEnd(), weight) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += word;
  }
  lines.push(line.trimEnd());
  const shown = lines.slice(0, most);
  if (lines.length > most) shown[most - 1] = `${shown[most - 1]} …`;
  return shown.map((one) => cut(one, width, weight));
}

function cut(text: string, width: number, weight: number): string {
  if (widthOf(text, weight) <= width) return text;
  let end = text.length;
  while (end > 1 && widthOf(`${text.slice(0, end)}…`, weight) > width) end -= 1;
  return `${text.slice(0, end)}…`;
}
