/** The width of text in charts, in pixels. */

export const CHART_FONT_SIZE_PX = 14;

let context: CanvasRenderingContext2D | null | undefined;
let family: string | undefined;

export function textWidthOf(text: string, weight = 400): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * CHART_FONT_SIZE_PX * 0.6;
  family ??= getComputedStyle(document.body).fontFamily;
  context.font = `${weight} ${CHART_FONT_SIZE_PX}px ${family}`;
  return context.measureText(text).width;
}

export const widestTextWidth = (texts: string[], weight = 400): number =>
  Math.max(0, ...texts.map((text) => textWidthOf(text, weight)));

/** A width in pixels as Plot's `lineWidth`. */
export const plotLineWidthOf = (width: number): number => Math.max(1, width / CHART_FONT_SIZE_PX);
