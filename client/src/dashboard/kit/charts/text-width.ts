/** The width of text in charts, in pixels. */

export const FONT_SIZE = 14;

let context: CanvasRenderingContext2D | null | undefined;
let family: string | undefined;

export function widthOf(text: string, weight = 400): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * FONT_SIZE * 0.6;
  family ??= getComputedStyle(document.body).fontFamily;
  context.font = `${weight} ${FONT_SIZE}px ${family}`;
  return context.measureText(text).width;
}

export const widestOf = (texts: string[], weight = 400): number =>
  Math.max(0, ...texts.map((text) => widthOf(text, weight)));

/** A width in pixels as Plot's `lineWidth`. */
export const lineWidth = (width: number): number => Math.max(1, width / FONT_SIZE);
