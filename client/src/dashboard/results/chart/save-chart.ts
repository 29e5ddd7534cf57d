/** Saves a chart as a standalone picture, or its data as a table. */
import { saveCsv, saveFile } from '../../kit/data/save-file.ts';

/** Properties set by style sheets, which a file doesn't have. */
const STYLE_PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'stroke-linejoin',
  'paint-order',
  'unicode-bidi',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
] as const;
const TITLE_HEIGHT = 34;
const PNG_SCALE = 2;
const SVG = 'http://www.w3.org/2000/svg';

/** The chart as an SVG with inlined styles, a title, and a background. */
export function standaloneSvg(
  drawing: SVGSVGElement,
  name: string,
): { text: string; width: number; height: number } {
  const { width, height } = drawing.getBoundingClientRect();
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [drawn, copied] = [drawing.querySelectorAll('*'), copy.querySelectorAll<SVGElement>('*')];
  drawn.forEach((one, at) => {
    const looks = getComputedStyle(one);
    for (const look of STYLE_PROPERTIES) copied[at]?.style.setProperty(look, looks.getPropertyValue(look));
    copied[at]?.removeAttribute('class');
  });
  const own = getComputedStyle(drawing);
  const ground = document.createElementNS(SVG, 'rect');
  const card = getComputedStyle(drawing.closest('.card') ?? document.body).backgroundColor;
  for (const [key, value] of Object.entries({
    y: -TITLE_HEIGHT,
    width,
    height: height + TITLE_HEIGHT,
    fill: card,
  }))
    ground.setAttribute(key, String(value));
  const title = document.createElementNS(SVG, 'text');
  title.textContent = name;
  for (const [key, value] of Object.entries({
    x: 8,
    y: -12,
    fill: own.color,
    'font-size': 16,
    'font-weight': 650,
  }))
    title.setAttribute(key, String(value));
  title.style.fontFamily = own.fontFamily;
  copy.prepend(ground, title);
  copy.setAttribute('xmlns', SVG);
  copy.setAttribute('viewBox', `0 ${-TITLE_HEIGHT} ${width} ${height + TITLE_HEIGHT}`);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height + TITLE_HEIGHT));
  copy.style.color = own.color;
  return { text: new XMLSerializer().serializeToString(copy), width, height: height + TITLE_HEIGHT };
}

const asSvg = (text: string) => new Blob([text], { type: 'image/svg+xml' });

export function saveSvg(drawing: SVGSVGElement, name: string): void {
  saveFile(asSvg(standaloneSvg(drawing, name).text), `${fileNameFor(name)}.svg`);
}

export async function savePng(drawing: SVGSVGElement, name: string): Promise<void> {
  const { text, width, height } = standaloneSvg(drawing, name);
  const url = URL.createObjectURL(asSvg(text));
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const canvas = Object.assign(document.createElement('canvas'), {
    width: width * PNG_SCALE,
    height: height * PNG_SCALE,
  });
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (file) saveFile(file, `${fileNameFor(name)}.png`);
}

export type SavedTableCell = string | number | null;

export interface TableData {
  head: string[];
  rows: SavedTableCell[][];
}

export const saveTable = ({ head, rows }: TableData, name: string): void =>
  saveCsv([head, ...rows], `${fileNameFor(name)}.csv`);

export const fileNameFor = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80) || 'table';
