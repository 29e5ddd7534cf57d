/**
 * Text layout: paragraphs are wrapped, and shrunk together until they fit. What doesn't fit at the smallest size is
 * cut, in a fixed order, with an ellipsis, and always reported.
 */
import { type FontRun, type Fonts, type FontWeight, graphemesOf } from './fonts.ts';

/** Smaller text can't be read in a doorway at night. */
export const MIN_FONT_SIZE = 6.5;

/** Later parts are cut first. The issuing site is cut last, and such a sheet is refused. */
const RANKS = ['site', 'name', 'validity', 'words', 'contact', 'text', 'sites'] as const;
export type CouponTextKind = (typeof RANKS)[number];
/** Parts with the same number are cut together, longest first. */
const CUT_ORDER: Record<CouponTextKind, number> = {
  site: 0,
  name: 1,
  validity: 1,
  words: 1,
  contact: 2,
  text: 2,
  sites: 3,
};

export interface Paragraph {
  part: CouponTextKind;
  text: string;
  weight: FontWeight;
  direction: 'ltr' | 'rtl' | 'auto';
  /** By default, the side where its direction begins. */
  align?: 'left' | 'right';
  /** For a text that the study has in several languages. */
  language?: string;
  size: number;
  /** The minimum font size, below which it is cut instead. */
  minSize: number;
  /** Space above, unless it comes first. */
  above: number;
  shade: string;
  /** Balances the length of its lines, for headings. */
  even?: boolean;
}

export interface PrintedLine {
  pieces: FontRun[];
  size: number;
  shade: string;
  /** Left end and baseline, in points from the corner of the coupon. */
  x: number;
  baseline: number;
}

export interface TextBlock {
  lines: PrintedLine[];
  height: number;
  cuts: OmittedText[];
}

/** The text that was cut from a paragraph. */
export interface OmittedText {
  part: CouponTextKind;
  language?: string | undefined;
  text: string;
}

/** A paragraph in lines at one font size. */
interface Setting {
  paragraph: Paragraph;
  direction: 'ltr' | 'rtl';
  size: number;
  leading: number;
  lines: string[];
  /** Whether a word had to be broken; a smaller size is tried first then. */
  brokenWord: boolean;
}

const STEP = 0.94;
const ELLIPSIS = '…';
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Scripts whose letters are taller and deeper than Latin ones. */
const TALL_SCRIPTS = /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Thai}\p{Script=Khmer}]/u;

/** Decided by its first letter. */
export const isRightToLeftText = (text: string) => RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? '');

/** Lays out paragraphs below each other in a column with its top left corner at x, y. */
export function layoutTextColumn(
  fonts: Fonts,
  paragraphs: Paragraph[],
  box: { x: number; y: number; width: number; height: number },
): TextBlock {
  const { settings, cuts } = fitText(fonts, paragraphs, box.width, box.height);
  const lines: PrintedLine[] = [];
  let top = 0;
  for (const [at, { paragraph, direction, size, leading, lines: texts }] of settings.entries()) {
    if (at > 0) top += paragraph.above;
    for (const text of texts) {
      const pieces = fonts.line(text, paragraph.weight, direction);
      const width = size * pieces.reduce((sum, piece) => sum + piece.width, 0);
      const right = (paragraph.align ?? (direction === 'rtl' ? 'right' : 'left')) === 'right';
      const x = right ? box.x + box.width - width : box.x;
      // Centers lower-case letters vertically in the line.
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
  return { lines, height: top, cuts };
}

function fitText(fonts: Fonts, paragraphs: Paragraph[], width: number, height: number) {
  const present = paragraphs.filter((paragraph) => paragraph.text !== '');
  for (let scale = 1; ; scale *= STEP) {
    const settings = present.map((paragraph) => setAt(fonts, paragraph, scale, width));
    const fits = heightOf(settings) <= height;
    if (fits && settings.every((setting) => !setting.brokenWord)) return { settings, cuts: [] };
    if (settings.every(({ size, paragraph }) => size === paragraph.minSize))
      return fits ? { settings, cuts: [] } : cutLines(fonts, settings, width, height);
  }
}

/** Cached per document, because a paragraph is set again at the same sizes for each number of sites. */
const wrappings = new WeakMap<Fonts, Map<string, Wrapped>>();

const heightOf = (settings: Setting[]) =>
  settings.reduce(
    (sum, { paragraph, lines, leading }, at) => sum + (at > 0 ? paragraph.above : 0) + lines.length * leading,
    0,
  );

function setAt(fonts: Fonts, paragraph: Paragraph, scale: number, width: number): Setting {
  const { text, weight, minSize } = paragraph;
  const size = Math.max(minSize, paragraph.size * scale);
  const automatic = isRightToLeftText(text) ? 'rtl' : 'ltr';
  const direction = paragraph.direction === 'auto' ? automatic : paragraph.direction;
  const leading = size * leadingOf(size, TALL_SCRIPTS.test(text));
  const wrappedTexts = wrappings.get(fonts) ?? new Map<string, Wrapped>();
  wrappings.set(fonts, wrappedTexts);
  const key = `${weight} ${direction} ${size} ${width} ${paragraph.even} ${text}`;
  let set = wrappedTexts.get(key);
  if (!set) {
    const measure = (part: string) => size * fonts.width(part, weight, direction);
    set = wrap(text, measure, width);
    if (paragraph.even) set = balanceLines(text, measure, width, set);
    wrappedTexts.set(key, set);
  }
  return { paragraph, direction, size, leading, ...set };
}

/** Smaller for headings, and for the smallest sizes, which are used if there is little room. */
function leadingOf(size: number, tall: boolean): number {
  if (tall) return size < 7 ? 1.45 : 1.6;
  if (size > 15) return 1.18;
  return size < 7 ? 1.12 : 1.34;
}

/** Wraps to the narrowest column that needs no more lines. */
function balanceLines(
  text: string,
  measure: (part: string) => number,
  width: number,
  wrappedText: Wrapped,
): Wrapped {
  for (let narrower = width * 0.96; narrower > width / 4; narrower *= 0.96) {
    const next = wrap(text, measure, narrower);
    if (next.lines.length > wrappedText.lines.length || next.brokenWord) return wrappedText;
    wrappedText = next;
  }
  return wrappedText;
}

/** Scripts without spaces: a line may end between any two words. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}]/u;
const segments = new Intl.Segmenter(undefined, { granularity: 'word' });
/** Opening punctuation stays with the following word, other punctuation with the preceding one. */
const OPENING = /[\p{Ps}\p{Pi}]$/u;
const CLOSING = /^[\p{P}\p{Lm}]/u;

interface Word {
  text: string;
  /** The separator from the preceding word on the same line. */
  blank: '' | ' ';
}

function wordsOf(paragraph: string): Word[] {
  return paragraph
    .split(/\s+/u)
    .filter(Boolean)
    .flatMap((text) => {
      if (!WITHOUT_BLANKS.test(text)) return [{ text, blank: ' ' }];
      const words: Word[] = [];
      for (const { segment } of segments.segment(text)) {
        const last = words.at(-1);
        const isJoined =
          last && (OPENING.test(last.text) || (CLOSING.test(segment) && !OPENING.test(segment)));
        if (isJoined) last.text += segment;
        else words.push({ text: segment, blank: last ? '' : ' ' });
      }
      return words;
    });
}

type Wrapped = Pick<Setting, 'lines' | 'brokenWord'>;

function wrap(text: string, measure: (part: string) => number, width: number): Wrapped {
  const lines: string[] = [];
  let brokenWord = false;
  for (const paragraph of text.normalize('NFC').split(/[\n\r\u2028\u2029]+/u)) {
    let line = '';
    for (const { text: word, blank } of wordsOf(paragraph)) {
      const longer = line === '' ? word : line + blank + word;
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

/** Takes at least one character; otherwise wrapping would never end. */
function longestHead(word: string, measure: (part: string) => number, width: number): string {
  let head = '';
  for (const segment of graphemesOf(word)) {
    if (head !== '' && measure(head + segment) > width) break;
    head += segment;
  }
  return head;
}

/** Removes the last line of the longest paragraph among those to be cut first, until the rest fits. */
function cutLines(fonts: Fonts, settings: Setting[], width: number, height: number) {
  let fitting = settings.map((setting) => ({ ...setting, lines: [...setting.lines] }));
  const clipped = new Map<Setting, string>();
  while (fitting.length > 0 && heightOf(fitting) > height) {
    const next = fitting.reduce((a, b) => (isCutBefore(a, b) ? a : b));
    clipped.set(next, next.lines.pop() ?? '');
    fitting = fitting.filter(({ lines }) => lines.length > 0);
  }
  for (const [{ paragraph, size, direction, lines }, dropped] of clipped) {
    const measure = (part: string) => size * fonts.width(part, paragraph.weight, direction);
    const last = lines.pop();
    if (last === undefined) continue;
    // If the last line is short, show part of the long word that follows.
    const end = measure(last) < width / 2 ? `${last} ${dropped}` : last;
    lines.push(withEllipsis(end, measure, width));
  }
  const cuts = [...clipped.keys()].map(({ paragraph: { part, language, text }, lines }) => ({
    part,
    language,
    text: textLeftOut(text, lines),
  }));
  return { settings: fitting, cuts: cuts.sort((a, b) => RANKS.indexOf(a.part) - RANKS.indexOf(b.part)) };
}

/** If both have the same number of lines, the text is cut before the contact. */
function isCutBefore(a: Setting, b: Setting): boolean {
  const ranks = CUT_ORDER[a.paragraph.part] - CUT_ORDER[b.paragraph.part];
  const longer = a.lines.length - b.lines.length;
  if (ranks !== 0) return ranks > 0;
  return longer > 0 || (longer === 0 && RANKS.indexOf(a.paragraph.part) > RANKS.indexOf(b.paragraph.part));
}

const INK = /\S/gu;

/** The part of the text that is not on its lines, ignoring spaces. */
function textLeftOut(text: string, lines: string[]): string {
  const whole = text.normalize('NFC');
  const shortened =
    lines
      .join('')
      .replace(/…\u200f?$/u, '')
      .match(INK)?.length ?? 0;
  const at = [...whole.matchAll(INK)][shortened]?.index ?? whole.length;
  return whole.slice(at).replace(/\s+/gu, ' ').trim();
}

function withEllipsis(line: string, measure: (part: string) => number, width: number): string {
  const bare = line.replace(/[\s·,;:–-]+$/u, '');
  // Keeps the ellipsis at the right end of a line that ends with right-to-left words.
  const mark = RIGHT_TO_LEFT.test(bare.match(/\p{L}(?=\P{L}*$)/u)?.[0] ?? '')
    ? `${ELLIPSIS}\u200f`
    : ELLIPSIS;
  if (measure(bare + ELLIPSIS) <= width) return bare + mark;
  const shorter = bare.replace(/\s+\S*$/u, '');
  // Cut a very long word rather than leave it out.
  if (shorter !== bare && measure(shorter) > width / 2) return withEllipsis(shorter, measure, width);
  return longestHead(bare, (part) => measure(part + ELLIPSIS), width) + mark;
}
