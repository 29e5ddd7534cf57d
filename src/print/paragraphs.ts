/** Setting of type: paragraphs are wrapped, shrunk together in steps and, at their least size, clipped with an ellipsis. */
import type { Faces, Piece, Weight } from './faces.ts';

export interface Paragraph {
  text: string;
  weight: Weight;
  direction: 'ltr' | 'rtl' | 'auto';
  size: number;
  /** It is not set smaller than this: it is clipped. */
  least: number;
  /** White space above, unless it comes first. */
  above: number;
  shade: string;
  /** Its lines are made about equally long, as a heading's are. */
  even?: boolean;
}

export interface Line {
  pieces: Piece[];
  size: number;
  shade: string;
  /** Left end and baseline, in points from the corner of the coupon. */
  x: number;
  baseline: number;
}

export interface Stack {
  lines: Line[];
  height: number;
  /** Something is left out, for want of room. */
  clipped: boolean;
}

/** A paragraph at one size, in lines. */
interface Setting {
  paragraph: Paragraph;
  direction: 'ltr' | 'rtl';
  size: number;
  leading: number;
  lines: string[];
  /** A word had to be cut in two: a smaller size is tried first. */
  brokenWord: boolean;
}

const STEP = 0.94;
const ELLIPSIS = '…';
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** These scripts reach further up and down than Latin letters do. */
const TALL = /[\p{Script=Arabic}\p{Script=Devanagari}]/u;

/** Sets the paragraphs one below the other into a column, with its top left corner at x, y. */
export function stack(
  faces: Faces,
  paragraphs: Paragraph[],
  box: { x: number; y: number; width: number; height: number },
): Stack {
  const { settings, clipped } = fitted(faces, paragraphs, box.width, box.height);
  const lines: Line[] = [];
  let top = 0;
  for (const [at, { paragraph, direction, size, leading, lines: texts }] of settings.entries()) {
    if (at > 0) top += paragraph.above;
    for (const text of texts) {
      const pieces = faces.line(text, paragraph.weight, direction);
      const width = size * pieces.reduce((sum, piece) => sum + piece.width, 0);
      const x = direction === 'rtl' ? box.x + box.width - width : box.x;
      // The middle of small letters stands in the middle of the line.
      lines.push({
        pieces,
        size,
        shade: paragraph.shade,
        x,
        baseline: box.y + top + leading / 2 + size * 0.34,
      });
      top += leading;
    }
  }
  return { lines, height: top, clipped };
}

function fitted(faces: Faces, paragraphs: Paragraph[], width: number, height: number) {
  const present = paragraphs.filter((paragraph) => paragraph.text !== '');
  for (let scale = 1; ; scale *= STEP) {
    const settings = present.map((paragraph) => setAt(faces, paragraph, scale, width));
    const fits = heightOf(settings) <= height;
    if (fits && settings.every((setting) => !setting.brokenWord)) return { settings, clipped: false };
    if (settings.every(({ size, paragraph }) => size === paragraph.least))
      return { settings: clip(faces, settings, width, height), clipped: !fits };
  }
}

const heightOf = (settings: Setting[]) =>
  settings.reduce(
    (sum, { paragraph, lines, leading }, at) => sum + (at > 0 ? paragraph.above : 0) + lines.length * leading,
    0,
  );

function setAt(faces: Faces, paragraph: Paragraph, scale: number, width: number): Setting {
  const { text, weight, least } = paragraph;
  const size = Math.max(least, paragraph.size * scale);
  const firstLetter = /\p{L}/u.exec(text)?.[0] ?? '';
  const automatic = RIGHT_TO_LEFT.test(firstLetter) ? 'rtl' : 'ltr';
  const direction = paragraph.direction === 'auto' ? automatic : paragraph.direction;
  const leading = size * (TALL.test(text) ? 1.6 : size > 15 ? 1.18 : 1.34);
  const measure = (part: string) => size * faces.width(part, weight, direction);
  const wrapped = wrap(text, measure, width);
  const set = paragraph.even ? evened(text, measure, width, wrapped) : wrapped;
  return { paragraph, direction, size, leading, ...set };
}

/** The narrowest column that needs no more lines. */
function evened(text: string, measure: (part: string) => number, width: number, wrapped: Wrapped): Wrapped {
  for (let narrower = width * 0.96; narrower > width / 4; narrower *= 0.96) {
    const next = wrap(text, measure, narrower);
    if (next.lines.length > wrapped.lines.length || next.brokenWord) return wrapped;
    wrapped = next;
  }
  return wrapped;
}

type Wrapped = Pick<Setting, 'lines' | 'brokenWord'>;

function wrap(text: string, measure: (part: string) => number, width: number): Wrapped {
  const lines: string[] = [];
  let brokenWord = false;
  for (const paragraph of text.normalize('NFC').split(/[\n\r\u2028\u2029]+/u)) {
    let line = '';
    for (const word of paragraph.split(/\s+/u).filter(Boolean)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (measure(longer) <= width) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = word;
      while (measure(line) > width) {
        brokenWord = true;
        const head = longestHead(line, measure, width);
        lines.push(head);
        line = line.slice(head.length);
      }
    }
    if (line !== '') lines.push(line);
  }
  return { lines, brokenWord };
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** At least one character, or the rest would never get shorter. */
function longestHead(word: string, measure: (part: string) => number, width: number): string {
  let head = '';
  for (const { segment } of graphemes.segment(word)) {
    if (head !== '' && measure(head + segment) > width) break;
    head += segment;
  }
  return head;
}

/** The longest paragraph loses its last line, again and again; where all have one line, the last paragraph goes. */
function clip(faces: Faces, settings: Setting[], width: number, height: number): Setting[] {
  const kept = settings.map((setting) => ({ ...setting, lines: [...setting.lines] }));
  const clipped = new Map<Setting, string>();
  while (heightOf(kept) > height) {
    const longest = kept.reduce((a, b) => (b.lines.length >= a.lines.length ? b : a));
    if (longest.lines.length > 1) {
      clipped.set(longest, longest.lines.pop() ?? '');
    } else if (kept.length > 1) {
      kept.pop();
      const last = kept.at(-1);
      if (last) clipped.set(last, '');
    } else break;
  }
  for (const [{ paragraph, size, direction, lines }, dropped] of clipped) {
    const measure = (part: string) => size * faces.width(part, paragraph.weight, direction);
    const last = lines.pop() ?? '';
    // A line is short where a very long word follows, of which a part is better than nothing.
    const end = measure(last) < width / 2 ? `${last} ${dropped}` : last;
    lines.push(withEllipsis(end, measure, width));
  }
  return kept;
}

function withEllipsis(line: string, measure: (part: string) => number, width: number): string {
  const bare = line.replace(/[\s·,;:–-]+$/u, '');
  if (measure(bare + ELLIPSIS) <= width) return bare + ELLIPSIS;
  const shorter = bare.replace(/\s+\S*$/u, '');
  // A very long word is cut rather than left out.
  if (shorter !== bare && measure(shorter) > width / 2) return withEllipsis(shorter, measure, width);
  return longestHead(bare, (part) => measure(part + ELLIPSIS), width) + ELLIPSIS;
}
